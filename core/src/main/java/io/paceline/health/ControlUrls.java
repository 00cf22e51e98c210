package io.paceline.health;

import io.paceline.health.ControlAnswer.Kind;
import io.paceline.health.ControlResult.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Tells a bad address from a dead control URL and from a bad day of our own side.
 *
 * <pre>
 * a control URL is                                      because
 * ----------------------------------------------------  ---------------------------------------------------------
 * dead: named, asked no more, counted no more           it failed twice in a row when asked directly; or it failed
 *                                                       through many different addresses, through none of which
 *                                                       anybody passed since, although another URL passed through
 *                                                       them, or it answered them, or it is the only one there is
 * alive again                                           it passed directly, or through an address: whichever failed
 *
 * an address that reached no live URL is                where
 * ----------------------------------------------------  ---------------------------------------------------------
 * at fault                                              two URLs or more were silent through it and passed directly
 *                                                       meanwhile; or one passed directly meanwhile that passed
 *                                                       through somebody lately and has failed through nobody since
 * not judged                                            anything else: most of all where none passes directly
 * </pre>
 *
 * <p>So a site that answers 429 to every proxy convicts nobody, an outage of our own side convicts nobody, and a single
 * control URL convicts only while others vouch for it. Thread-safe: one lock, held for arithmetic only.
 */
public final class ControlUrls {
    /** A URL that has failed through so many different addresses is dead (all of them, but two, in a smaller pool). */
    static final int MANY = 5;

    private static final int FEW = 2;

    /** Direct fetches that fail in a row until a URL is dead. */
    private static final int DIRECT_FAILURES = 2;

    /**
     * Between two direct fetches. With {@link #AGAIN_MICROS} and a time-out of 5 s a URL that hangs is dead after
     * 12 + 5 + 1 + 1 + 5 = 24 s at most: an alarm within half a minute.
     */
    private static final long DIRECT_EVERY_MICROS = 10_000_000;

    private static final double DIRECT_JITTER = 0.2;

    /** After a first failure. */
    private static final long AGAIN_MICROS = 1_000_000;

    /** A direct fetch that was handed out and never came back. */
    private static final long LOST_MICROS = 60_000_000;

    /** How long somebody's passing vouches for a URL. */
    private static final long VOUCHED_MICROS = 600_000_000;

    /** A failure through an address says nothing about a URL any more after this time. */
    private static final long REMEMBERED_MICROS = 300_000_000;

    /** A URL that failed through addresses is tried through one again after this time, then after twice as long, ... */
    private static final long RETEST_MICROS = 60_000_000;

    private static final long LONGEST_RETEST_MICROS = 600_000_000;

    private final Map<String, Url> urls = new LinkedHashMap<>();
    private int turn;

    /** Why a URL is dead. */
    private enum Death {
        /** It does not answer us ourselves. */
        DIRECT,
        /** It fails through addresses. */
        THROUGH
    }

    private static final class Url {
        final String url;

        @Nullable
        Death death;

        String reason = "not asked yet";
        long sinceMicros;
        long nextDirectMicros;
        int directFailures;
        long passedMicros = Long.MIN_VALUE / 2;
        long retestMicros;
        long retestEveryMicros = RETEST_MICROS;
        /** By address, when it failed last; empty since somebody passed. */
        final Map<Long, Long> failed = new LinkedHashMap<>();

        Url(String url, long nowMicros) {
            this.url = url;
            this.sinceMicros = nowMicros;
            this.nextDirectMicros = nowMicros;
        }

        boolean alive() {
            return death == null;
        }

        ControlUrl shown() {
            return new ControlUrl(ControlUrl.nameOf(url), alive(), reason, sinceMicros);
        }
    }

    /** One URL asked through an address. */
    public record Asked(String url, ControlAnswer answer) {}

    /**
     * One probe of one address: the URLs that it was asked for in turn, until one passed.
     *
     * @param address its identity
     * @param inService it was serving, so nobody expected it to fail
     * @param asked live URLs only
     * @param passedDirectly of those that failed, the ones that passed directly after the probe began
     * @param poolSize addresses that there are: how many are many
     */
    public record Round(long address, boolean inService, List<Asked> asked, List<String> passedDirectly, int poolSize) {
        public Round {
            asked = List.copyOf(asked);
            passedDirectly = List.copyOf(passedDirectly);
        }

        boolean passed() {
            return asked.stream().anyMatch(one -> one.answer().passed());
        }
    }

    /** Knows these URLs from now on; what is known of those that stay is kept. */
    public synchronized void configure(Collection<String> wanted, long nowMicros) {
        urls.keySet().retainAll(wanted);
        wanted.forEach(url -> urls.computeIfAbsent(url, absent -> new Url(absent, nowMicros)));
    }

    /** Of these, the ones that are alive, a different one first each time. */
    public synchronized List<String> alive(List<String> of) {
        List<String> alive = new ArrayList<>();
        for (String url : of) {
            if (isAlive(url)) {
                alive.add(url);
            }
        }
        if (alive.size() > 1) {
            Collections.rotate(alive, -(turn++ % alive.size()));
        }
        return alive;
    }

    /** Whether any of these is alive. */
    public synchronized boolean anyAlive(List<String> of) {
        return of.stream().anyMatch(this::isAlive);
    }

    private boolean isAlive(String url) {
        Url known = urls.get(url);
        return known != null && known.alive();
    }

    /** All of them, in the order of the configuration. */
    public synchronized List<ControlUrl> all() {
        return urls.values().stream().map(Url::shown).toList();
    }

    // ---- from our own side

    /** Which to fetch directly now; each is handed out once until its answer comes. */
    public synchronized List<String> directDue(long nowMicros) {
        List<String> due = new ArrayList<>();
        for (Url url : urls.values()) {
            if (url.nextDirectMicros <= nowMicros) {
                url.nextDirectMicros = nowMicros + LOST_MICROS;
                due.add(url.url);
            }
        }
        return due;
    }

    /** What came of a direct fetch, asked for by {@link #directDue} or not. */
    public synchronized Optional<ControlUrl> direct(
            String name, ControlAnswer answer, long nowMicros, RandomGenerator random) {
        Url url = urls.get(name);
        if (url == null) {
            return Optional.empty();
        }
        url.nextDirectMicros = nowMicros + jittered(DIRECT_EVERY_MICROS, random);
        if (answer.passed()) {
            url.directFailures = 0;
            if (url.death == Death.DIRECT) {
                return revived(url, "it answers again: " + answer.detail(), nowMicros);
            }
            if (url.alive()) {
                url.reason = "answers directly: " + answer.detail();
            }
            return Optional.empty();
        }
        url.directFailures++;
        if (!url.alive()) {
            return Optional.empty();
        }
        if (url.directFailures < DIRECT_FAILURES) {
            url.nextDirectMicros = nowMicros + AGAIN_MICROS;
            return Optional.empty();
        }
        boolean alone = urls.values().stream().allMatch(other -> other.directFailures > 0);
        String reason = "it fails without any proxy too, " + url.directFailures + " times in a row: " + answer.detail()
                + (alone ? "; no control URL answers, so it may be our own uplink" : "");
        return died(url, Death.DIRECT, reason, nowMicros);
    }

    private static long jittered(long micros, RandomGenerator random) {
        return (long) (micros * (1 + DIRECT_JITTER * (2 * random.nextDouble() - 1)));
    }

    // ---- through addresses

    /** What a round says about the address; ask before {@link #learn}. */
    public synchronized Verdict verdict(Round round, long nowMicros) {
        if (round.passed()) {
            return Verdict.PASSED;
        }
        int silentWitnesses = 0;
        boolean vouched = false;
        boolean refused = false;
        for (Asked one : round.asked()) {
            refused |= one.answer().kind() == Kind.CREDENTIALS_REFUSED;
            if (round.passedDirectly().contains(one.url())) {
                silentWitnesses += one.answer().kind() == Kind.SILENT ? 1 : 0;
                vouched |= vouchedFor(urls.get(one.url()), round.address(), nowMicros);
            }
        }
        if (refused) {
            return Verdict.CREDENTIALS_REFUSED;
        }
        return vouched || silentWitnesses >= 2 ? Verdict.FAILED : Verdict.UNKNOWN;
    }

    private static boolean vouchedFor(@Nullable Url url, long address, long nowMicros) {
        return url != null
                && url.alive()
                && nowMicros - url.passedMicros <= VOUCHED_MICROS
                && (url.failed.isEmpty() || url.failed.keySet().equals(Set.of(address)));
    }

    /** What a round says about the URLs: which of them have died. */
    public synchronized List<ControlUrl> learn(Round round, long nowMicros) {
        List<ControlUrl> changes = new ArrayList<>();
        for (Asked one : round.asked()) {
            Url url = urls.get(one.url());
            if (url == null) {
                continue;
            }
            if (one.answer().passed()) {
                passed(url, nowMicros);
            } else if (speaksAgainst(round, one.answer())) {
                failed(url, round, one.answer(), nowMicros).ifPresent(changes::add);
            }
        }
        return changes;
    }

    private static void passed(Url url, long nowMicros) {
        url.passedMicros = nowMicros;
        url.failed.clear();
        if (url.alive()) {
            url.reason = "passed through an address";
        }
    }

    /** Silence through an address that reaches no other URL either is the address's; refused credentials always are. */
    private static boolean speaksAgainst(Round round, ControlAnswer answer) {
        if (answer.kind() == Kind.CREDENTIALS_REFUSED) {
            return false;
        }
        boolean onlyOne = round.inService() && round.asked().size() == 1;
        return round.passed() || answer.kind() == Kind.ANSWERED || onlyOne;
    }

    private Optional<ControlUrl> failed(Url url, Round round, ControlAnswer answer, long nowMicros) {
        url.failed.values().removeIf(at -> nowMicros - at > REMEMBERED_MICROS);
        url.failed.put(round.address(), nowMicros);
        int many = Math.max(FEW, Math.min(MANY, round.poolSize()));
        if (!url.alive() || url.failed.size() < many) {
            return Optional.empty();
        }
        url.retestMicros = nowMicros + url.retestEveryMicros;
        String reason = "it fails through " + url.failed.size() + " different addresses and passes through none: "
                + answer.detail();
        return died(url, Death.THROUGH, reason, nowMicros);
    }

    /** A dead one of these that may be asked through an address again; its answer goes to {@link #retested}. */
    public synchronized Optional<String> retest(List<String> of, long nowMicros) {
        for (String name : of) {
            Url url = urls.get(name);
            if (url != null && url.death == Death.THROUGH && url.retestMicros <= nowMicros) {
                url.retestMicros = nowMicros + url.retestEveryMicros;
                return Optional.of(name);
            }
        }
        return Optional.empty();
    }

    /** Whether {@link #retest} would name one. */
    public synchronized boolean retestDue(List<String> of, long nowMicros) {
        return of.stream()
                .map(urls::get)
                .anyMatch(url -> url != null && url.death == Death.THROUGH && url.retestMicros <= nowMicros);
    }

    /** What came of asking a dead URL again; the address is not judged by it. */
    public synchronized Optional<ControlUrl> retested(String name, ControlAnswer answer, long nowMicros) {
        Url url = urls.get(name);
        if (url == null || url.death != Death.THROUGH) {
            return Optional.empty();
        }
        if (!answer.passed()) {
            url.retestEveryMicros = Math.min(LONGEST_RETEST_MICROS, 2 * url.retestEveryMicros);
            url.retestMicros = nowMicros + url.retestEveryMicros;
            return Optional.empty();
        }
        passed(url, nowMicros);
        return revived(url, "it passes through an address again: " + answer.detail(), nowMicros);
    }

    private static Optional<ControlUrl> died(Url url, Death death, String reason, long nowMicros) {
        url.death = death;
        url.reason = reason;
        url.sinceMicros = nowMicros;
        url.failed.clear();
        return Optional.of(url.shown());
    }

    private static Optional<ControlUrl> revived(Url url, String reason, long nowMicros) {
        url.death = null;
        url.reason = reason;
        url.sinceMicros = nowMicros;
        url.retestEveryMicros = RETEST_MICROS;
        return Optional.of(url.shown());
    }
}
