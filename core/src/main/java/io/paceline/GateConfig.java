package io.paceline;

import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pool.PoolConfig;
import java.util.List;

/**
 * All that a {@link Gatekeeper} goes by: validated as a whole, swapped at once.
 *
 * @param pools the first is the one that serves where neither request nor target names one
 */
public record GateConfig(List<PoolConfig> pools, TargetBook targets, RuleBook rules) {
    public GateConfig {
        pools = List.copyOf(pools);
        if (pools.isEmpty()) {
            throw new IllegalArgumentException("pools: at least one is needed");
        }
    }
}
