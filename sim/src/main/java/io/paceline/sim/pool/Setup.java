package io.paceline.sim.pool;

import io.paceline.pace.HostPattern;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pool.PoolSettings;
import io.paceline.pool.SessionSettings;
import io.paceline.store.DelayedStore;
import io.paceline.store.OnAddressDeath;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How Paceline is configured and run in a scenario.
 *
 * @param settings of its one pool
 * @param rules all rate rules
 * @param instances gatekeepers over the one store
 * @param network what stands between them and the store; null for nothing
 * @param maxWait how long a request waits for an address
 */
record Setup(
        PoolSettings settings, RuleBook rules, int instances, DelayedStore.@Nullable Faults network, Duration maxWait) {

    /** Everything at its default; a rule that no scenario's load comes near. */
    static final Setup DEFAULTS = new Setup(
            PoolSettings.defaults("default"), limit(1_000, Duration.ofSeconds(10)), 1, null, Duration.ofSeconds(2));

    /** The same with sessions that do this when their address is lost. */
    Setup withSessions(OnAddressDeath death) {
        SessionSettings usual = settings.session();
        SessionSettings sessions = new SessionSettings(usual.ttl(), usual.mode(), death);
        PoolSettings pool = new PoolSettings(
                settings.name(),
                settings.strategy(),
                settings.tasks(),
                settings.maxLeases(),
                settings.maxLeasesPerTarget(),
                settings.leaseTtl(),
                sessions,
                settings.health(),
                settings.quarantine(),
                settings.probe(),
                settings.fallback());
        return new Setup(pool, rules, instances, network, maxWait);
    }

    static RuleBook limit(int starts, Duration window) {
        return RuleBook.of(List.of(Rule.builder(HostPattern.parse("*"))
                .name("all")
                .limit(starts)
                .window(window)
                .build()));
    }
}
