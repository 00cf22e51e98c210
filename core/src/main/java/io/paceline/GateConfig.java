package io.paceline;

import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pool.Fallbacks;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that a {@link Gatekeeper} goes by: validated as a whole, swapped at once.
 *
 * @param pools the first is the one that serves where neither request nor target names one; their fallbacks are among them
 *     and lead in no circle
 */
public record GateConfig(List<PoolConfig> pools, TargetBook targets, RuleBook rules) {
    public GateConfig {
        pools = List.copyOf(pools);
        if (pools.isEmpty()) {
            throw new IllegalArgumentException("pools: at least one is needed");
        }
        Map<String, PoolSettings> settings = new LinkedHashMap<>();
        pools.forEach(pool -> settings.putIfAbsent(pool.settings().name(), pool.settings()));
        settings.values().forEach(pool -> Fallbacks.check(pool, settings));
    }
}
