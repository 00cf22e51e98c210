package io.paceline;

import io.paceline.pace.Plan;
import io.paceline.pace.TargetUrl;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One configuration at work: which pool, target and rules a URL has. Immutable but for its memory of answers, so that a
 * reload replaces it whole.
 */
final class Routes {
    /** Hosts remembered; beyond it the memory begins anew. It holds answers only, never the state of a limit. */
    private static final int MAX_REMEMBERED = 65_536;

    final GateConfig config;
    final Map<String, PoolRuntime> pools;
    private final PoolRuntime first;
    private final Map<Integer, PoolRuntime> byChain = new HashMap<>();
    private final Map<String, Route> byHost = new ConcurrentHashMap<>();
    private final Map<Long, String> targetNames = new ConcurrentHashMap<>();

    /** Where a URL leads. */
    record Route(Target target, Plan plan, PoolRuntime pool) {}

    Routes(GateConfig config, Map<String, PoolRuntime> pools) {
        this.config = config;
        this.pools = new LinkedHashMap<>(pools);
        pools.values().forEach(pool -> byChain.put(pool.chain, pool));
        this.first = pool(config.pools().get(0).settings().name());
    }

    Route of(TargetUrl url) {
        Route known = byHost.get(url.host());
        if (known != null) {
            return known;
        }
        Route route = find(url);
        boolean wholeHost = !route.plan().dependsOnPath() && !config.targets().dependsOnPath(url.host());
        if (wholeHost) {
            if (byHost.size() >= MAX_REMEMBERED) {
                byHost.clear();
            }
            byHost.put(url.host(), route);
        }
        return route;
    }

    private Route find(TargetUrl url) {
        Target target = config.targets().targetOf(url);
        String named = config.targets().poolOf(url);
        if (targetNames.size() >= MAX_REMEMBERED) {
            targetNames.clear();
        }
        targetNames.put(target.hash(), target.name());
        return new Route(target, config.rules().plan(url, target), named == null ? first : pool(named));
    }

    /** @throws IllegalArgumentException where there is no such pool */
    PoolRuntime pool(@Nullable String name) {
        if (name == null) {
            return first;
        }
        PoolRuntime pool = pools.get(name);
        if (pool == null) {
            throw new IllegalArgumentException(
                    "pool \"" + name + "\" does not exist; there is " + String.join(", ", pools.keySet()));
        }
        return pool;
    }

    /** The pool of a chain; null where a reload has removed it. */
    @Nullable
    PoolRuntime ofChain(int chain) {
        return byChain.get(chain);
    }

    /** The name of a target that was routed before, else its hash. */
    String targetName(long hash) {
        String name = targetNames.get(hash);
        return name == null ? Long.toHexString(hash) : name;
    }
}
