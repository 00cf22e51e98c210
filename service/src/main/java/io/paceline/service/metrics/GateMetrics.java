package io.paceline.service.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.paceline.Decision;
import io.paceline.GateListener;
import io.paceline.Outcome;
import io.paceline.Request;
import io.paceline.Transition;
import io.paceline.health.ControlResult;
import io.paceline.health.Verdict;
import io.paceline.health.Verdict.Guilty;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Counts what the gatekeeper did.
 *
 * <p>It runs inside every acquire and release: meters are found once and kept, no text is built, nothing waits.
 * Thread-safe.
 */
public final class GateMetrics implements GateListener {

    /** How many targets beside the configured ones get series of their own. */
    private static final int TARGET_ROOM = 100;

    /** A call that was answered sooner was not held: it was decided at once, if slowly. */
    private static final long LEAST_WAIT_MICROS = 5_000;

    /** Causes of transitions that follow from a verdict on the address or the cell itself. */
    private static final Set<String> BY_BLAME = Set.of("failures", "relapse", "dead", "capped");

    private final MeterRegistry registry;
    private final Function<String, @Nullable String> kindOf;
    private final BoundedLabels targets;
    private final Timer acquire;
    private final Timer wait;
    private final ConcurrentHashMap<String, PoolMeters> pools = new ConcurrentHashMap<>();
    private final WordCounters ruleRefusals;
    private final WordCounters dryRunRefusals;
    private final WordCounters nearLimits;
    private final WordCounters expired;
    private final WordCounters panics;
    private final WordCounters migrations;
    private final WordCounters storeErrors;
    private final WordCounters blamed;

    /**
     * @param configuredTargets names that always have a label of their own
     * @param kindOf the tag {@code kind} of the address with this id, or null
     */
    public GateMetrics(
            MeterRegistry registry, Collection<String> configuredTargets, Function<String, @Nullable String> kindOf) {
        this.registry = registry;
        this.kindOf = kindOf;
        this.targets = new BoundedLabels(configuredTargets, TARGET_ROOM);
        this.ruleRefusals = words("paceline.rule.refusals", "Refusals by the rule that refused", "rule");
        this.dryRunRefusals = words("paceline.rule.dry.run.refusals", "What a dry-run rule would have refused", "rule");
        this.nearLimits = words(
                "paceline.rule.near.limit", "Times that a bucket of the rule came to four fifths of its limit", "rule");
        this.expired = words("paceline.leases.expired", "Leases that nobody released in time", "pool");
        this.panics = words("paceline.panic.leases", "Leases on addresses in quarantine, since nobody served", "pool");
        this.migrations = words(
                "paceline.session.migrations",
                "Permits that told of a session's move, by the pool it moved to",
                "pool");
        this.blamed = words("paceline.blame", "Verdicts by who was found guilty of failures", "verdict");
        this.storeErrors = words("paceline.store.errors", "Calls to the store that failed", "op");
        this.acquire = Timer.builder("paceline.acquire")
                .description("From acquire to its answer, held calls included")
                .serviceLevelObjectives(Buckets.ACQUIRE)
                .register(registry);
        this.wait = Timer.builder("paceline.wait")
                .description("How long permits had to wait for their slot, by tickets and by held calls; no zero waits")
                .serviceLevelObjectives(Buckets.WAIT)
                .register(registry);
    }

    @Override
    public void decided(Request request, String pool, Decision decision, long startedAtMicros, long answeredAtMicros) {
        long micros = answeredAtMicros - startedAtMicros;
        acquire.record(micros, TimeUnit.MICROSECONDS);
        if (decision instanceof Decision.Granted granted) {
            pool(pool).granted(granted.leases().size());
            if (granted.lease().panic()) {
                panics.increment(pool, granted.leases().size());
            }
            if (granted.lease().migrated()) {
                migrations.increment(pool);
            }
            if (micros >= LEAST_WAIT_MICROS) {
                wait.record(micros, TimeUnit.MICROSECONDS);
            }
        } else if (decision instanceof Decision.Reserved reserved) {
            pool(pool).reserved();
            wait.record(reserved.startAtMicros() - answeredAtMicros, TimeUnit.MICROSECONDS);
        } else if (decision instanceof Decision.Refused refused) {
            pool(pool).refused(refused.reason());
            if (refused.rule() != null) {
                ruleRefusals.increment(refused.rule());
            }
        }
    }

    @Override
    public void settled(String pool, String addressId, String target, Outcome outcome, boolean trained) {
        PoolMeters meters = pool(pool);
        meters.outcome(targets.label(target), outcome.kind());
        if (outcome.latencyMicros() >= 0) {
            meters.requests(kindOf.apply(addressId)).record(outcome.latencyMicros(), TimeUnit.MICROSECONDS);
        }
    }

    @Override
    public void expired(String pool, String addressId) {
        expired.increment(pool);
    }

    @Override
    public void transition(Transition transition) {
        boolean byPeople = !transition.from().hold().equals(transition.to().hold());
        if (!byPeople && transition.to().ejected()) {
            pool(transition.pool()).quarantined(transition.cause());
        }
        if (!byPeople && BY_BLAME.contains(transition.cause())) {
            blamed.increment((transition.target() == null ? Guilty.ADDRESS : Guilty.CELL).word());
        }
    }

    @Override
    public void verdict(String pool, Guilty guilty, String name, @Nullable Verdict verdict) {
        if (verdict != null) {
            blamed.increment(guilty.word());
        }
    }

    @Override
    public void probed(String pool, String addressId, ControlResult result) {
        pool(pool).probed(result);
    }

    @Override
    public void dryRunRefusal(String rule) {
        dryRunRefusals.increment(rule);
    }

    @Override
    public void nearLimit(String rule, String target) {
        nearLimits.increment(rule);
    }

    @Override
    public void storeError(String operation, Throwable cause) {
        storeErrors.increment(operation);
    }

    private PoolMeters pool(String name) {
        PoolMeters meters = pools.get(name);
        return meters != null ? meters : pools.computeIfAbsent(name, absent -> new PoolMeters(registry, absent));
    }

    private WordCounters words(String name, String description, String label) {
        return new WordCounters(registry, name, description, label);
    }
}
