package io.paceline.service.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.paceline.Outcome;
import io.paceline.Reason;
import io.paceline.health.ControlResult;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The counters of one pool, found once and then incremented without a look-up by name. Thread-safe. */
final class PoolMeters {

    private static final String UNKNOWN_KIND = "unknown";

    /** Kinds are a configuration's tags: few, but written by people. */
    private static final int MAX_KINDS = 16;

    private final MeterRegistry registry;
    private final String pool;
    private final Counter granted;
    private final Counter reserved;
    private final Map<Reason, Counter> refused = new EnumMap<>(Reason.class);
    private final ConcurrentHashMap<String, Map<Outcome.Kind, Counter>> outcomes = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Counter> quarantines = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Timer> requests = new ConcurrentHashMap<>();

    PoolMeters(MeterRegistry registry, String pool) {
        this.registry = registry;
        this.pool = pool;
        this.granted = acquire("granted");
        this.reserved = acquire("reserved");
        for (Reason reason : Reason.values()) {
            refused.put(reason, acquire(reason.word()));
        }
    }

    private Counter acquire(String result) {
        return Counter.builder("paceline.acquire")
                .description("Answers to acquire: granted permits, reserved tickets, refusals by reason")
                .tag("pool", pool)
                .tag("result", result)
                .register(registry);
    }

    void granted(int permits) {
        granted.increment(permits);
    }

    void reserved() {
        reserved.increment();
    }

    void refused(Reason reason) {
        increment(refused.get(reason));
    }

    /** @param target a bounded label */
    void outcome(String target, Outcome.Kind kind) {
        Map<Outcome.Kind, Counter> ofTarget = outcomes.get(target);
        if (ofTarget == null) {
            ofTarget = outcomes.computeIfAbsent(target, this::outcomes);
        }
        increment(ofTarget.get(kind));
    }

    private Map<Outcome.Kind, Counter> outcomes(String target) {
        Map<Outcome.Kind, Counter> counters = new EnumMap<>(Outcome.Kind.class);
        for (Outcome.Kind kind : Outcome.Kind.values()) {
            Counter counter = Counter.builder("paceline.outcomes")
                    .description("How leases ended")
                    .tag("pool", pool)
                    .tag("target", target)
                    .tag("outcome", kind.word())
                    .register(registry);
            counters.put(kind, counter);
        }
        return counters;
    }

    /** The maps hold every constant. */
    private static void increment(@Nullable Counter counter) {
        if (counter != null) {
            counter.increment();
        }
    }

    /** @param cause a word of the code's own: few */
    void quarantined(String cause) {
        quarantines
                .computeIfAbsent(
                        cause,
                        word -> Counter.builder("paceline.quarantine.entries")
                                .description("Addresses and cells that were taken out of service")
                                .tag("pool", pool)
                                .tag("cause", word)
                                .register(registry))
                .increment();
    }

    /** An active probe; few a second, so that the registry may look its meters up. */
    void probed(ControlResult result) {
        Counter.builder("paceline.probes")
                .description("Active probes by what they said about the address")
                .tag("pool", pool)
                .tag("result", result.verdict().name().toLowerCase(Locale.ROOT))
                .register(registry)
                .increment();
        if (result.latencyMicros() >= 0) {
            Timer.builder("paceline.probe")
                    .description("From asking a control URL through an address to the head of its answer")
                    .tag("pool", pool)
                    .serviceLevelObjectives(Buckets.REQUEST)
                    .register(registry)
                    .record(result.latencyMicros(), TimeUnit.MICROSECONDS);
        }
    }

    /** The time of one request through an address of the kind, or of null. */
    Timer requests(@Nullable String kind) {
        String label = kind == null ? UNKNOWN_KIND : kind;
        Timer timer = requests.get(label);
        if (timer != null) {
            return timer;
        }
        String bounded = requests.size() < MAX_KINDS ? label : BoundedLabels.OTHER;
        return requests.computeIfAbsent(
                bounded,
                name -> Timer.builder("paceline.request")
                        .description("From sending through an address to the first octet of the answer, as reported")
                        .tag("pool", pool)
                        .tag("kind", name)
                        .serviceLevelObjectives(Buckets.REQUEST)
                        .register(registry));
    }
}
