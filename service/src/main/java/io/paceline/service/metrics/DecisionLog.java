package io.paceline.service.metrics;

import io.paceline.Decision;
import io.paceline.GateListener;
import io.paceline.Lease;
import io.paceline.Pause;
import io.paceline.Request;
import io.paceline.Ticker;
import io.paceline.Transition;
import io.paceline.health.ControlResult;
import io.paceline.health.ControlUrl;
import io.paceline.health.Standing;
import io.paceline.health.Verdict;
import io.paceline.health.Verdict.Guilty;
import io.paceline.pace.LatencyWatch;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a line for each decision that a person would ask about: {@code quarantined a17 for 62s: 5 failures in a row}.
 *
 * <p>Refusals are counted, not logged, unless the log is at debug; session keys and client ids appear as pseudonyms
 * alone. Thread-safe.
 */
public final class DecisionLog implements GateListener {

    private static final Logger LOG = LoggerFactory.getLogger("io.paceline.decisions");

    /** A store that is away fails every call: one line in this time says it. */
    private static final long STORE_ERROR_PAUSE_MICROS = 10_000_000;

    private static final long PANIC_PAUSE_MICROS = 10_000_000;

    private final Ticker ticker;
    private final Pseudonyms pseudonyms;
    private final AtomicLong nextStoreError = new AtomicLong(Long.MIN_VALUE);
    private final AtomicLong nextPanic = new AtomicLong(Long.MIN_VALUE);

    public DecisionLog(Ticker ticker, Pseudonyms pseudonyms) {
        this.ticker = ticker;
        this.pseudonyms = pseudonyms;
    }

    @Override
    public void decided(Request request, String pool, Decision decision, long startedAtMicros, long answeredAtMicros) {
        if (decision instanceof Decision.Granted granted && granted.lease().panic()) {
            panic(pool, granted.lease());
        }
        if (LOG.isDebugEnabled() && decision instanceof Decision.Refused refused) {
            LOG.debug(
                    "refused {} (client {}, session {}): {} {}",
                    refused.reason().word(),
                    pseudonyms.of(request.clientId()),
                    pseudonyms.ofSession(request.tenant(), request.session()),
                    refused.rule() == null ? "" : refused.rule(),
                    refused.message());
        }
    }

    private void panic(String pool, Lease lease) {
        if (due(nextPanic, PANIC_PAUSE_MICROS)) {
            LOG.warn(
                    "panic in pool {}: nobody is in service, so {} is leased though it is in quarantine",
                    pool,
                    lease.address().id());
        }
    }

    /** True once in a while: what happens at every request is told once for many. */
    private boolean due(AtomicLong next, long pauseMicros) {
        long now = ticker.micros();
        long at = next.get();
        return now >= at && next.compareAndSet(at, now + pauseMicros);
    }

    @Override
    public void transition(Transition transition) {
        LOG.info("{}", line(transition, ticker.micros()));
    }

    @Override
    public void paused(Pause pause) {
        LOG.info("{}", pause.line());
    }

    @Override
    public void slowed(String target, double perSecond, LatencyWatch watch) {
        LOG.info(
                "{} answers in {} ms, {} ms is usual: its pace falls to {}/s",
                target,
                Math.round(watch.recentMicros() / 1_000),
                Math.round(watch.normMicros() / 1_000),
                String.format(Locale.ROOT, "%.2f", perSecond));
    }

    @Override
    public void verdict(String pool, Guilty guilty, String name, @Nullable Verdict verdict) {
        String who = VerdictText.who(guilty, name);
        if (verdict == null) {
            LOG.info("{} is well again: {}", who, VerdictText.wellAgain(pool, guilty));
        } else {
            LOG.warn("{} is guilty: {}", who, VerdictText.why(pool, verdict));
        }
    }

    @Override
    public void controlUrl(ControlUrl url) {
        if (url.alive()) {
            LOG.info("control URL {} is alive again: {}", url.name(), url.reason());
        } else {
            LOG.warn("control URL {} is dead: {}; nobody is judged by it", url.name(), url.reason());
        }
    }

    @Override
    public void probed(String pool, String addressId, ControlResult result) {
        if (LOG.isDebugEnabled()) {
            LOG.debug("probe of {}: {}: {}", addressId, result.verdict(), result.evidence());
        }
    }

    /** {@code quarantined a17 on example.com for 62s: 5 failures in a row (relapse 1)}. */
    static String line(Transition transition, long nowMicros) {
        Standing to = transition.to();
        long until = to.hold().isNone() ? to.untilMicros() : to.hold().banUntilMicros();
        long leftMicros = until == 0 ? 0 : until - nowMicros;
        return word(to)
                + " "
                + transition.addressId()
                + (transition.target() == null ? "" : " on " + transition.target())
                + (leftMicros <= 0 ? "" : " for " + duration(leftMicros))
                + ": "
                + transition.reason();
    }

    /** The state, but for probing: a reader wants to know which half of it. */
    private static String word(Standing to) {
        if (to.halfOpen()) {
            return "half-open";
        }
        return to.hold().isNone() && to.slowStarting() ? "slow start of" : to.word();
    }

    private static String duration(long micros) {
        if (micros < 10_000_000) {
            return String.format(Locale.ROOT, "%.1fs", micros / 1e6);
        }
        return Math.round(micros / 1e6) + "s";
    }

    @Override
    public void storeError(String operation, Throwable cause) {
        if (due(nextStoreError, STORE_ERROR_PAUSE_MICROS)) {
            LOG.warn("the store failed at {}: {}", operation, String.valueOf(cause.getMessage()));
        }
    }
}
