package io.paceline.service.events;

import io.paceline.Decision;
import io.paceline.GateListener;
import io.paceline.Reason;
import io.paceline.Request;
import io.paceline.Ticker;
import io.paceline.Transition;
import io.paceline.health.ControlUrl;
import io.paceline.health.Standing;
import io.paceline.health.Verdict;
import io.paceline.health.Verdict.Guilty;
import io.paceline.pace.BadTargetException;
import io.paceline.pace.TargetUrl;
import io.paceline.service.events.Event.Kind;
import io.paceline.service.metrics.Pseudonyms;
import io.paceline.service.metrics.VerdictText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes what the gatekeeper did to the {@link EventLog}: one method a kind of event.
 *
 * <p>A refusal by a rate rule is no event: it is what rules are for. The others are, but one of a sort (pool, host, reason, tenant)
 * in ten seconds, with the number of those that followed the last one: an outage must not wash the log away. Session
 * keys appear as pseudonyms. Thread-safe.
 */
public final class Events implements GateListener {

    private static final long PAUSE_MICROS = 10_000_000;

    /** Sorts of refusals that are remembered at once; beyond it all are forgotten and may be told again. */
    private static final int MAX_SORTS = 1_000;

    private final EventLog log;
    private final Ticker ticker;
    private final Pseudonyms pseudonyms;
    private final Map<String, Quiet> told = new LinkedHashMap<>();

    private static final class Quiet {
        private long untilMicros;
        private long more;
    }

    public Events(EventLog log, Ticker ticker, Pseudonyms pseudonyms) {
        this.log = log;
        this.ticker = ticker;
        this.pseudonyms = pseudonyms;
    }

    @Override
    public void transition(Transition transition) {
        Standing to = transition.to();
        Map<String, String> details = new LinkedHashMap<>();
        details.put("from", transition.from().word());
        details.put("to", to.word());
        details.put("cause", transition.cause());
        details.put("relapses", Integer.toString(to.relapses()));
        long until = to.hold().isNone() ? to.untilMicros() : to.hold().banUntilMicros();
        if (until != 0) {
            details.put("until", time(until));
        }
        log.add(
                Kind.TRANSITION,
                transition.pool(),
                transition.addressId(),
                transition.target(),
                word(to),
                transition.reason(),
                details);
    }

    /** The state, but for probing: a reader wants to know which half of it. */
    static String word(Standing to) {
        if (to.halfOpen()) {
            return "half_open";
        }
        return to.hold().isNone() && to.slowStarting() ? "slow_start" : to.word();
    }

    @Override
    public void verdict(String pool, Guilty guilty, String name, @Nullable Verdict verdict) {
        Map<String, String> details = new LinkedHashMap<>();
        details.put("guilty", guilty.word());
        details.put("name", name);
        if (verdict != null) {
            details.put(verdict.captchas() ? "captchas" : "failures", Integer.toString(verdict.faults()));
            details.put("outcomes", Integer.toString(verdict.outcomes()));
            details.put("normal", figure(verdict.normal()));
            details.put("others_failures", Integer.toString(verdict.othersFaults()));
            details.put("others_outcomes", Integer.toString(verdict.othersOutcomes()));
            details.put("addresses", Integer.toString(verdict.addresses()));
            details.put("score", figure(verdict.score()));
            details.put("threshold", figure(verdict.threshold()));
        }
        String who = VerdictText.who(guilty, name);
        log.add(
                Kind.VERDICT,
                pool,
                null,
                guilty == Guilty.TARGET ? name : null,
                verdict == null ? "well_again" : "guilty",
                verdict == null
                        ? who + " is well again: " + VerdictText.wellAgain(pool, guilty)
                        : who + " is guilty: " + VerdictText.why(pool, verdict),
                details);
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, "%.4g", value);
    }

    @Override
    public void controlUrl(ControlUrl url) {
        Map<String, String> details = new LinkedHashMap<>();
        details.put("url", url.name());
        details.put("since", time(url.sinceMicros()));
        log.add(Kind.CONTROL_URL, null, null, null, url.alive() ? "alive" : "dead", url.reason(), details);
    }

    @Override
    public void decided(Request request, String pool, Decision decision, long startedAtMicros, long answeredAtMicros) {
        if (!(decision instanceof Decision.Refused refused) || refused.reason() == Reason.RATE_LIMITED) {
            return;
        }
        String host = host(request);
        long more = more(pool + ' ' + host + ' ' + refused.reason() + ' ' + refused.rule() + ' ' + request.tenant());
        if (more < 0) {
            return;
        }
        Map<String, String> details = new LinkedHashMap<>();
        put(details, "rule", refused.rule());
        put(details, "session", session(request));
        put(details, "client", request.clientId().isEmpty() ? null : pseudonyms.of(request.clientId()));
        if (refused.waitMicros() >= 0) {
            details.put("wait_seconds", Long.toString((refused.waitMicros() + 999_999) / 1_000_000));
        }
        if (more > 0) {
            details.put("like_it_before", Long.toString(more));
        }
        boolean session = refused.reason() == Reason.SESSION_ENDED || refused.reason() == Reason.SESSION_PAUSED;
        log.add(
                session ? Kind.SESSION : Kind.REFUSAL,
                pool,
                null,
                host,
                request.tenant(),
                refused.reason().word(),
                refused.message(),
                details);
    }

    @Override
    public void storeError(String operation, Throwable cause) {
        long more = more("store");
        if (more >= 0) {
            Map<String, String> details = new LinkedHashMap<>();
            details.put("operation", operation);
            if (more > 0) {
                details.put("like_it_before", Long.toString(more));
            }
            log.add(Kind.STORE, null, null, null, "store_failed", String.valueOf(cause.getMessage()), details);
        }
    }

    /** A configuration is in force from now on. */
    public void configured(String what, String reason, Map<String, String> details) {
        log.add(Kind.CONFIGURATION, null, null, null, what, reason, details);
    }

    /** How many of this sort came since the last that was told; -1 where this one is not to be told yet. */
    private synchronized long more(String sort) {
        long now = ticker.micros();
        Quiet quiet = told.get(sort);
        if (quiet == null) {
            if (told.size() >= MAX_SORTS) {
                told.clear();
            }
            quiet = new Quiet();
            told.put(sort, quiet);
        } else if (now < quiet.untilMicros) {
            quiet.more++;
            return -1;
        }
        long more = quiet.more;
        quiet.more = 0;
        quiet.untilMicros = now + PAUSE_MICROS;
        return more;
    }

    /** The host that was asked for: never its path or query, which may hold secrets. */
    private static @Nullable String host(Request request) {
        try {
            return TargetUrl.parseLoosely(request.target()).host();
        } catch (BadTargetException e) {
            return null;
        }
    }

    private @Nullable String session(Request request) {
        return request.session() == null ? null : pseudonyms.ofSession(request.tenant(), request.session());
    }

    private static void put(Map<String, String> details, String name, @Nullable String value) {
        if (value != null) {
            details.put(name, value);
        }
    }

    private static String time(long micros) {
        return Instant.EPOCH
                .plus(Math.floorDiv(micros, 1_000L), ChronoUnit.MILLIS)
                .toString();
    }
}
