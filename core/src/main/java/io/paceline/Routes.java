package io.paceline;

import io.paceline.pace.Charge;
import io.paceline.pace.HintScope;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.Plan;
import io.paceline.pace.RobotsMode;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetPace;
import io.paceline.pace.TargetPolicy;
import io.paceline.pace.TargetUrl;
import io.paceline.pace.TenantSettings;
import io.paceline.pool.Fallbacks;
import io.paceline.pool.PoolSettings;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One configuration at work: which pool, target and rules a URL has. Immutable but for its memory of answers, so that a
 * reload replaces it whole. A tenant that is configured has routes of its own: fewer pools, more rules, the same targets.
 */
final class Routes {
    /** Hosts remembered; beyond it the memory begins anew. It holds answers only, never the state of a limit. */
    static final int MAX_REMEMBERED = 65_536;

    /** Places for what was written or asked lately; two that fall on one place take turns. A power of two. */
    private static final int ORIGINS = 1_024;

    /** Origins with the same ending of this length, and as long, share a place. */
    private static final int TOLD_APART_BY = 20;

    /** Where a host begins, or has begun: {@code https://} is that long, {@code http://} a character less. */
    private static final int AFTER_SCHEME = 8;

    /** Longer ones are not remembered, and none with user info, which may hold a password. */
    private static final int LONGEST_ORIGIN = 300;

    final GateConfig config;
    final Map<String, PoolRuntime> pools;
    private final PoolRuntime first;
    private final RuleBook rules;
    /** Whose routes these are; null for everybody's. */
    private final @Nullable TenantSettings tenant;

    private final Map<String, Routes> byTenant = new HashMap<>();
    private final Map<String, List<PoolRuntime>> fallbacks;
    private final Map<Integer, PoolRuntime> byChain = new HashMap<>();
    private final Map<String, Route> byHost = new ConcurrentHashMap<>();
    private final Map<Long, String> targetNames;
    private final Map<Long, OwnPace> ownPaces;
    /** Answers by the origin as it is written: found again without reading the host anew. */
    private final @Nullable Written[] byOrigin = new @Nullable Written[ORIGINS];
    /** Targets by the low bits of their hash: the names that outcomes ask for. */
    private final @Nullable Target[] recent;

    /**
     * Where a URL leads.
     *
     * @param plan every bucket, the target's own pace as the last
     * @param pace that last one
     * @param pausesAddresses whether what the target asks for is meant for the one address that was told
     * @param prefer tags of the addresses that come first
     * @param robots what the site's robots.txt is to us
     * @param headers fields that requests should carry: the rule's, then the target's
     */
    record Route(
            Target target,
            Plan plan,
            Charge pace,
            boolean pausesAddresses,
            PoolRuntime pool,
            Map<String, String> prefer,
            RobotsMode robots,
            Map<String, String> headers) {
        /** The same with one limit more. */
        Route limitedBy(Charge charge) {
            return new Route(target, plan.with(charge), pace, pausesAddresses, pool, prefer, robots, headers);
        }
    }

    /** How a target's pace is kept, by its hash. */
    record OwnPace(LimitSpec.Pace spec, boolean pausesAddresses) {
        static final OwnPace ORDINARY = new OwnPace(LimitSpec.Pace.NOT_ADAPTIVE, false);
    }

    /** An origin as it was written, {@code https://www.example.com}, all of whose paths lead one way. */
    private record Written(String origin, Route route) {}

    Routes(GateConfig config, Map<String, PoolRuntime> pools) {
        this.config = config;
        this.rules = config.rules();
        this.tenant = null;
        this.pools = new LinkedHashMap<>(pools);
        pools.values().forEach(pool -> byChain.put(pool.chain, pool));
        this.fallbacks = fallbacks(config, this.pools);
        this.first = pool(config.pools().get(0).settings().name());
        this.targetNames = new ConcurrentHashMap<>();
        this.ownPaces = new ConcurrentHashMap<>();
        this.recent = new @Nullable Target[ORIGINS];
        config.tenants().tenants().forEach(one -> byTenant.put(one.name(), new Routes(this, one)));
    }

    /** What is learned of targets belongs to everybody: outcomes ask for it, of whosever request. */
    private Routes(Routes everybodys, TenantSettings tenant) {
        this.config = everybodys.config;
        this.rules = tenant.ruleBook(everybodys.rules);
        this.tenant = tenant;
        this.pools = new LinkedHashMap<>();
        tenant.pools().forEach(name -> pools.put(name, everybodys.pool(name)));
        pools.values().forEach(pool -> byChain.put(pool.chain, pool));
        this.fallbacks = fallbacks(config, this.pools);
        this.first = pool(tenant.pools().get(0));
        this.targetNames = everybodys.targetNames;
        this.ownPaces = everybodys.ownPaces;
        this.recent = everybodys.recent;
    }

    /** The routes of a tenant; everybody's where nothing is configured of it. */
    Routes of(Request request) {
        return ofTenant(request.tenant());
    }

    Routes ofTenant(String name) {
        return byTenant.isEmpty() ? this : byTenant.getOrDefault(name, this);
    }

    /** Whose routes these are; null for everybody's. */
    @Nullable
    TenantSettings tenant() {
        return tenant;
    }

    /**
     * Where a URL leads that a request names, read loosely.
     *
     * @throws io.paceline.pace.BadTargetException where it is no URL
     */
    Route of(String url) {
        // Behind the two slashes of a scheme; where a query ends the origin sooner, nothing is remembered that long.
        int slash = url.indexOf('/', AFTER_SCHEME);
        int end = slash < 0 ? url.length() : slash;
        Written written = byOrigin[placeOf(url, end)];
        if (written != null && written.origin.length() == end && url.startsWith(written.origin)) {
            TargetUrl.checkPathLoosely(url, end);
            return written.route;
        }
        TargetUrl read = TargetUrl.parseLoosely(url);
        Route route = of(read);
        boolean plain = end <= LONGEST_ORIGIN && end == TargetUrl.originEnd(url) && url.lastIndexOf('@', end) < 0;
        if (plain && byHost.containsKey(read.host())) {
            byOrigin[placeOf(url, end)] = new Written(url.substring(0, end), route);
        }
        return route;
    }

    /**
     * The target that a person means: a name that is configured, else where a URL or host leads.
     *
     * @throws io.paceline.pace.BadTargetException where it is none of these
     */
    Target named(String text) {
        if (!config.targets().names().contains(text)) {
            return of(text).target();
        }
        Target target = Target.of(text);
        targetNames.put(target.hash(), target.name());
        return target;
    }

    private static int placeOf(String text, int end) {
        int hash = end;
        for (int i = Math.max(0, end - TOLD_APART_BY); i < end; i++) {
            hash = 31 * hash + text.charAt(i);
        }
        return (hash ^ (hash >>> 16)) & (ORIGINS - 1);
    }

    private Route of(TargetUrl url) {
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
        recent[(int) target.hash() & (ORIGINS - 1)] = target;
        Plan ruled = rules.plan(url, target);
        Plan plan = tenant == null ? ruled : tenant.limit(ruled);
        TargetPolicy policy = config.targets().policyOf(url);
        Charge pace = TargetPace.charge(target, policy.pace(), ruled);
        boolean pausesAddresses = policy.hints() == HintScope.ADDRESS;
        remember(target, pace, pausesAddresses);
        return new Route(
                target,
                plan.with(pace),
                pace,
                pausesAddresses,
                named == null || !pools.containsKey(named) ? first : pool(named),
                config.targets().preferOf(url),
                policy.robots(),
                ruled.suggesting(policy.headers()));
    }

    /** Most targets have no pace of their own: only those that do are remembered, for outcomes that ask by hash. */
    private void remember(Target target, Charge pace, boolean pausesAddresses) {
        LimitSpec.Pace spec = (LimitSpec.Pace) pace.spec();
        if (pausesAddresses || spec.adaptive()) {
            if (ownPaces.size() >= MAX_REMEMBERED) {
                ownPaces.clear();
            }
            ownPaces.put(target.hash(), new OwnPace(spec, pausesAddresses));
        }
    }

    /** Whether any target that was asked for has a pace of its own. */
    boolean hasOwnPaces() {
        return !ownPaces.isEmpty();
    }

    /** How a target takes hints; the ordinary way where it was not routed before. */
    OwnPace paceOf(long target) {
        OwnPace own = ownPaces.get(target);
        return own == null ? OwnPace.ORDINARY : own;
    }

    /** @throws IllegalArgumentException where there is no such pool */
    PoolRuntime pool(@Nullable String name) {
        if (name == null) {
            return first;
        }
        PoolRuntime pool = pools.get(name);
        if (pool == null) {
            String there = String.join(", ", pools.keySet());
            throw new IllegalArgumentException(
                    tenant == null
                            ? "pool \"" + name + "\" does not exist; there is " + there
                            : "pool \"" + name + "\" is none of tenant " + tenant.name() + "; it has " + there);
        }
        return pool;
    }

    /** The pools that serve when this one cannot, in order. */
    List<PoolRuntime> fallbacks(PoolRuntime pool) {
        return fallbacks.getOrDefault(pool.name, List.of());
    }

    private static Map<String, List<PoolRuntime>> fallbacks(GateConfig config, Map<String, PoolRuntime> pools) {
        Map<String, PoolSettings> settings = new LinkedHashMap<>();
        config.pools().forEach(pool -> settings.put(pool.settings().name(), pool.settings()));
        Map<String, List<PoolRuntime>> fallbacks = new HashMap<>();
        for (PoolSettings pool : settings.values()) {
            List<String> names = Fallbacks.of(pool, settings);
            if (!names.isEmpty()) {
                fallbacks.put(
                        pool.name(),
                        names.stream().map(pools::get).filter(Objects::nonNull).toList());
            }
        }
        return fallbacks;
    }

    /** The pool of a chain; null where a reload has removed it. */
    @Nullable
    PoolRuntime ofChain(int chain) {
        return chain == first.chain ? first : byChain.get(chain);
    }

    /** The names of the targets that were routed lately, by hash. */
    Map<Long, String> targetNames() {
        return new TreeMap<>(targetNames);
    }

    /** The name of a target that was routed before, else its hash. */
    String targetName(long hash) {
        Target latest = recent[(int) hash & (ORIGINS - 1)];
        if (latest != null && latest.hash() == hash) {
            return latest.name();
        }
        String name = targetNames.get(hash);
        return name == null ? Long.toHexString(hash) : name;
    }
}
