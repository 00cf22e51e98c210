package io.paceline;

import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pace.TenantBook;
import io.paceline.pace.TenantSettings;
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
 * @param tenants their pools are among these
 */
public record GateConfig(List<PoolConfig> pools, TargetBook targets, RuleBook rules, TenantBook tenants) {
    /** Without tenants: everybody uses everything. */
    public GateConfig(List<PoolConfig> pools, TargetBook targets, RuleBook rules) {
        this(pools, targets, rules, TenantBook.empty());
    }

    public GateConfig {
        pools = List.copyOf(pools);
        if (pools.isEmpty()) {
            throw new IllegalArgumentException("pools: at least one is needed");
        }
        Map<String, PoolSettings> settings = new LinkedHashMap<>();
        pools.forEach(pool -> settings.putIfAbsent(pool.settings().name(), pool.settings()));
        settings.values().forEach(pool -> Fallbacks.check(pool, settings));
        for (TenantSettings tenant : tenants.tenants()) {
            tenant.ruleBook(rules);
            for (String pool : tenant.pools()) {
                if (!settings.containsKey(pool)) {
                    throw new IllegalArgumentException("tenant " + tenant.name() + " names the pool \"" + pool
                            + "\", which does not exist; there is " + String.join(", ", settings.keySet()));
                }
            }
        }
    }
}
