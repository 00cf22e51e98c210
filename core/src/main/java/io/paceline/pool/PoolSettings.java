package io.paceline.pool;

import io.paceline.health.HealthSettings;
import io.paceline.health.ProbeSettings;
import io.paceline.health.QuarantineSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is configured about a pool but its addresses.
 *
 * @param name unique among the pools
 * @param strategy how an address is chosen
 * @param tasks what is different for a request's {@code task}
 * @param maxLeases live leases per address; 1 = exclusive use
 * @param maxLeasesPerTarget live leases per address and target; at most {@code maxLeases}
 * @param leaseTtl how long a lease lives that nobody releases
 * @param probe active probes: without control URLs there are none
 * @param fallback the pool that serves when this one cannot, or null; its own fallback comes next
 */
public record PoolSettings(
        String name,
        Strategy strategy,
        Map<String, TaskSettings> tasks,
        int maxLeases,
        int maxLeasesPerTarget,
        Duration leaseTtl,
        SessionSettings session,
        HealthSettings health,
        QuarantineSettings quarantine,
        ProbeSettings probe,
        @Nullable String fallback) {

    public PoolSettings {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(strategy, "strategy");
        tasks = Map.copyOf(tasks);
        if (maxLeases < 1) {
            throw new IllegalArgumentException("max_leases " + maxLeases + " is not at least 1");
        }
        if (maxLeasesPerTarget < 1) {
            throw new IllegalArgumentException("max_leases_per_target " + maxLeasesPerTarget + " is not at least 1");
        }
        if (leaseTtl.isZero() || leaseTtl.isNegative()) {
            throw new IllegalArgumentException("lease_ttl " + leaseTtl + " is not above 0");
        }
        Objects.requireNonNull(session, "session");
        Objects.requireNonNull(health, "health");
        Objects.requireNonNull(quarantine, "quarantine");
        Objects.requireNonNull(probe, "probe");
    }

    /** A pool without active probes and without a fallback. */
    public PoolSettings(
            String name,
            Strategy strategy,
            Map<String, TaskSettings> tasks,
            int maxLeases,
            int maxLeasesPerTarget,
            Duration leaseTtl,
            SessionSettings session,
            HealthSettings health,
            QuarantineSettings quarantine) {
        this(
                name,
                strategy,
                tasks,
                maxLeases,
                maxLeasesPerTarget,
                leaseTtl,
                session,
                health,
                quarantine,
                ProbeSettings.defaults(),
                null);
    }

    /** The same, probed otherwise. */
    public PoolSettings withProbe(ProbeSettings other) {
        return with(other, fallback);
    }

    /** The same with a fallback, or with none. */
    public PoolSettings withFallback(@Nullable String pool) {
        return with(probe, pool);
    }

    private PoolSettings with(ProbeSettings otherProbe, @Nullable String otherFallback) {
        return new PoolSettings(
                name,
                strategy,
                tasks,
                maxLeases,
                maxLeasesPerTarget,
                leaseTtl,
                session,
                health,
                quarantine,
                otherProbe,
                otherFallback);
    }

    /** A pool as it is when nothing is configured. */
    public static PoolSettings defaults(String name) {
        return new PoolSettings(
                name,
                Strategy.WEIGHTED,
                Map.of(),
                10,
                10,
                Duration.ofSeconds(60),
                SessionSettings.defaults(),
                HealthSettings.defaults(),
                QuarantineSettings.defaults());
    }
}
