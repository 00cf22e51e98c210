package io.paceline;

import io.paceline.Judge.Case;
import io.paceline.health.ControlAnswer;
import io.paceline.health.ControlAnswer.Kind;
import io.paceline.health.ControlResult;
import io.paceline.health.ControlResult.Verdict;
import io.paceline.health.ControlUrl;
import io.paceline.health.ControlUrls;
import io.paceline.health.ControlUrls.Asked;
import io.paceline.health.ControlUrls.Round;
import io.paceline.pool.DueProbe;
import io.paceline.store.ProbeClaim;
import io.paceline.store.Settlement.Evidence;
import io.paceline.store.StateStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * Makes active probes: asks control URLs through the addresses that the pool's plan names, and directly, and hands what
 * follows to the judge.
 *
 * <pre>
 *   tick -&gt; plan names an address -&gt; claim it in the store -&gt; ask one live URL after another through it, until one passes
 *        -&gt; none did: fetch those directly -&gt; {@link ControlUrls} says who is at fault -&gt; observe -&gt; judge
 * </pre>
 *
 * <p>What is to be asked and what it means is decided by {@link ControlUrls} and the pool's plan; here are only the steps.
 * Thread-safe.
 */
final class ControlProbes {
    /** Who asks for longer is not waited for: the prober has time-outs of its own, well below. */
    private static final long PATIENCE_MICROS = 20_000_000;

    /** A probe is held against others for so long per URL, our own direct fetch included. */
    private static final long HOLD_MICROS_A_URL = 15_000_000;

    /** A direct fetch that passed so short a time before a probe failed speaks about the same moment. */
    private static final long SAME_MOMENT_MICROS = 500_000;

    private final StateStore store;
    private final Ticker ticker;
    private final Alarm alarm;
    private final RandomGenerator random;
    private final GateListener listener;
    private final Judge judge;
    private final Prober prober;
    private final ControlUrls urls = new ControlUrls();
    /** This instance, as others see it; drawn when there is something to claim. */
    private volatile long claimer;

    private final Map<String, Direct> direct = new ConcurrentHashMap<>();

    private volatile List<PoolRuntime> pools = List.of();

    /** The latest direct fetch of a URL, under way or done. */
    private record Direct(long startedMicros, CompletableFuture<ControlAnswer> answer) {}

    ControlProbes(
            StateStore store,
            Ticker ticker,
            Alarm alarm,
            RandomGenerator random,
            GateListener listener,
            Judge judge,
            Prober prober) {
        this.store = store;
        this.ticker = ticker;
        this.alarm = alarm;
        this.random = random;
        this.listener = listener;
        this.judge = judge;
        this.prober = prober;
    }

    void configure(Collection<PoolRuntime> all) {
        Set<String> wanted = new LinkedHashSet<>();
        all.forEach(pool -> wanted.addAll(urlsOf(pool)));
        if (claimer == 0 && !wanted.isEmpty()) {
            claimer = random.nextLong();
        }
        urls.configure(wanted, ticker.micros());
        direct.keySet().retainAll(wanted);
        pools = List.copyOf(all);
        tellViews();
    }

    List<ControlUrl> urls() {
        return urls.all();
    }

    /** Begins what is due. */
    void tick(long nowMicros) {
        for (String url : urls.directDue(nowMicros)) {
            askDirectly(url, nowMicros);
        }
        for (PoolRuntime pool : pools) {
            List<String> own = urlsOf(pool);
            boolean alive = urls.anyAlive(own);
            if (!own.isEmpty() && (alive || urls.retestDue(own, nowMicros))) {
                int most = alive ? Integer.MAX_VALUE : 1;
                pool.view.probesDue(this::mayProbe, most, nowMicros, random).forEach(due -> claim(pool, due));
            }
        }
    }

    private static List<String> urlsOf(PoolRuntime pool) {
        return pool.settings().probe().urls();
    }

    /** A probe through a metered address costs money. */
    private boolean mayProbe(Address address) {
        return !address.metered() && prober.supports(address.endpoint());
    }

    private void tellViews() {
        for (PoolRuntime pool : pools) {
            pool.view.controlled(urls.anyAlive(urlsOf(pool)));
        }
    }

    // ---- one probe

    private void claim(PoolRuntime pool, DueProbe due) {
        long idle = due.inService() ? pool.settings().probe().idleMin().toNanos() / 1_000 : 0;
        long hold = Math.max(idle, HOLD_MICROS_A_URL * (1 + urlsOf(pool).size()));
        ProbeClaim claim = new ProbeClaim(pool.chain, due.slot(), claimer, idle, hold);
        store.claimProbe(claim).whenComplete((granted, failure) -> {
            if (failure != null) {
                listener.storeError("claim_probe", failure);
            }
            if (failure == null && granted) {
                ask(pool, due.address(), due.inService()).thenAccept(result -> probed(pool, due, result));
            } else {
                pool.view.notProbed(due, ticker.micros(), random);
            }
        });
    }

    private void probed(PoolRuntime pool, DueProbe due, ControlResult result) {
        boolean current = pool.view.probed(due, result.conclusive(), result.latencyMicros(), ticker.micros(), random);
        listener.probed(pool.name, due.address().id(), result);
        if (!current || !result.conclusive()) {
            return;
        }
        Evidence evidence = result.verdict() == Verdict.PASSED ? Evidence.SUCCESS : Evidence.FAULT;
        store.observe(pool.chain, due.slot(), 0, evidence, Evidence.NONE).whenComplete((settled, failure) -> {
            if (failure != null) {
                listener.storeError("observe", failure);
            } else if (settled.address() != null) {
                pool.view.shifted(due.slot(), 0, settled.address(), settled.nowMicros());
                judge.afterProbe(
                        new Case(pool, due.slot(), 0, null),
                        settled.address(),
                        result.verdict() == Verdict.FAILED,
                        result.verdict() == Verdict.CREDENTIALS_REFUSED,
                        settled.nowMicros());
            }
        });
    }

    /**
     * Asks the pool's live control URLs through an address, and directly where none passes: whether it is the address.
     * Changes nothing about the address. {@link Verdict#UNKNOWN} at once for one that is never probed.
     */
    CompletionStage<ControlResult> control(PoolRuntime pool, Address address) {
        if (!mayProbe(address)) {
            return CompletableFuture.completedFuture(ControlResult.unknown("the address is never probed"));
        }
        return ask(pool, address, false);
    }

    private CompletionStage<ControlResult> ask(PoolRuntime pool, Address address, boolean inService) {
        long began = ticker.micros();
        List<String> alive = urls.alive(urlsOf(pool));
        return askInTurn(address.endpoint(), alive, new ArrayList<>())
                .thenCompose(asked -> directly(asked, began).thenApply(passed -> {
                    long identity = EmbeddedGatekeeper.hash(address.id());
                    return weigh(new Round(identity, inService, asked, passed, pool.view.size()));
                }))
                .thenCompose(result -> retest(pool, address, result));
    }

    private CompletionStage<List<Asked>> askInTurn(Endpoint via, List<String> left, List<Asked> asked) {
        if (left.isEmpty()) {
            return CompletableFuture.completedFuture(asked);
        }
        String url = left.get(0);
        return patiently(prober.ask(via, url)).thenCompose(answer -> {
            asked.add(new Asked(url, answer));
            boolean enough = answer.passed() || answer.kind() == Kind.CREDENTIALS_REFUSED;
            return enough
                    ? CompletableFuture.completedFuture(asked)
                    : askInTurn(via, left.subList(1, left.size()), asked);
        });
    }

    private ControlResult weigh(Round round) {
        long now = ticker.micros();
        Verdict verdict = urls.verdict(round, now);
        announce(urls.learn(round, now));
        return new ControlResult(verdict, latency(round), evidence(round));
    }

    private static long latency(Round round) {
        return round.asked().stream()
                .map(Asked::answer)
                .filter(ControlAnswer::passed)
                .mapToLong(ControlAnswer::latencyMicros)
                .findFirst()
                .orElse(-1);
    }

    /** {@code http://198.51.100.1/ok timed out (204 in 12 ms directly)}. */
    private static String evidence(Round round) {
        if (round.asked().isEmpty()) {
            return "no control URL is alive";
        }
        StringBuilder text = new StringBuilder();
        for (Asked one : round.asked()) {
            text.append(text.isEmpty() ? "" : "; ")
                    .append(ControlUrl.nameOf(one.url()))
                    .append(' ')
                    .append(one.answer().detail());
            if (!one.answer().passed() && one.answer().kind() != Kind.CREDENTIALS_REFUSED) {
                text.append(
                        round.passedDirectly().contains(one.url()) ? " (passes directly)" : " (fails directly too)");
            }
        }
        return text.toString();
    }

    private void announce(List<ControlUrl> changes) {
        if (!changes.isEmpty()) {
            tellViews();
            changes.forEach(listener::controlUrl);
        }
    }

    /** A dead URL is given another chance on an address that works, or where there is no live one at all. */
    private CompletionStage<ControlResult> retest(PoolRuntime pool, Address address, ControlResult result) {
        boolean useful = result.verdict() == Verdict.PASSED || !urls.anyAlive(urlsOf(pool));
        String dead = useful ? urls.retest(urlsOf(pool), ticker.micros()).orElse(null) : null;
        if (dead == null) {
            return CompletableFuture.completedFuture(result);
        }
        return patiently(prober.ask(address.endpoint(), dead)).thenApply(answer -> {
            urls.retested(dead, answer, ticker.micros()).ifPresent(change -> announce(List.of(change)));
            return result;
        });
    }

    // ---- from our own side

    /** Of the URLs that failed, those that pass directly, now or since the probe began. */
    private CompletionStage<List<String>> directly(List<Asked> asked, long beganMicros) {
        CompletionStage<List<String>> all = CompletableFuture.completedFuture(new ArrayList<>());
        if (asked.stream().anyMatch(one -> one.answer().passed())) {
            return all;
        }
        for (Asked one : asked) {
            if (one.answer().kind() != Kind.CREDENTIALS_REFUSED) {
                all = all.thenCombine(latest(one.url(), beganMicros), (passed, answer) -> {
                    if (answer.passed()) {
                        passed.add(one.url());
                    }
                    return passed;
                });
            }
        }
        return all;
    }

    /** One fetch serves all who ask at the same moment: a hundred addresses that fail at once must not become a flood. */
    private CompletionStage<ControlAnswer> latest(String url, long beganMicros) {
        Direct known = direct.get(url);
        long now = ticker.micros();
        boolean fresh = known != null
                && (known.startedMicros() >= Math.max(beganMicros, now - SAME_MOMENT_MICROS)
                        || !known.answer().isDone());
        return fresh && known != null ? known.answer() : askDirectly(url, now).answer();
    }

    private Direct askDirectly(String url, long nowMicros) {
        CompletableFuture<ControlAnswer> answer = new CompletableFuture<>();
        Direct fetch = new Direct(nowMicros, answer);
        direct.put(url, fetch);
        patiently(prober.ask(Endpoint.DIRECT, url)).thenAccept(got -> {
            urls.direct(url, got, ticker.micros(), random).ifPresent(change -> announce(List.of(change)));
            answer.complete(got);
        });
        return fetch;
    }

    /** A prober that fails or falls silent is a fault of its own, and nobody's else. */
    private CompletionStage<ControlAnswer> patiently(CompletionStage<ControlAnswer> asked) {
        CompletableFuture<ControlAnswer> answer = new CompletableFuture<>();
        asked.whenComplete((got, failure) -> {
            if (failure == null) {
                answer.complete(got);
            } else {
                answer.complete(ControlAnswer.silent("could not be asked"));
            }
        });
        if (!answer.isDone()) {
            alarm.at(
                    ticker.micros() + PATIENCE_MICROS,
                    () -> answer.complete(ControlAnswer.silent("no answer in time")));
        }
        return answer;
    }
}
