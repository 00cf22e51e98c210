package io.paceline.service.config;

import io.paceline.GateConfig;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pace.TargetSettings;
import io.paceline.pace.TenantBook;
import io.paceline.pace.TenantSettings;
import io.paceline.pool.PoolConfig;
import java.util.List;
import java.util.Objects;

/**
 * Everything that is configured, valid as a whole. Immutable.
 *
 * @param store where state is kept
 * @param pools at least one, none of them empty, with unique names
 * @param tenants their pools are among the pools
 * @param robotsAgent the product token by which robots.txt knows us
 * @param lists what each source of addresses gave
 * @param warnings what works, but may not be meant
 * @param masking knows the values that must not be printed
 */
public record ServiceConfig(
        ApiConfig api,
        ProxyConfig proxy,
        StoreChoice store,
        List<PoolConfig> pools,
        List<TargetSettings> targets,
        List<Rule> rules,
        List<TenantSettings> tenants,
        String robotsAgent,
        List<ListReport> lists,
        List<ConfigError> warnings,
        Masking masking) {

    public ServiceConfig {
        Objects.requireNonNull(api, "api");
        Objects.requireNonNull(proxy, "proxy");
        Objects.requireNonNull(store, "store");
        pools = List.copyOf(pools);
        targets = List.copyOf(targets);
        rules = List.copyOf(rules);
        tenants = List.copyOf(tenants);
        lists = List.copyOf(lists);
        warnings = List.copyOf(warnings);
        Objects.requireNonNull(masking, "masking");
    }

    public RuleBook ruleBook() {
        return RuleBook.of(rules);
    }

    public TargetBook targetBook() {
        return TargetBook.of(targets);
    }

    public TenantBook tenantBook() {
        return TenantBook.of(tenants);
    }

    /** What the gatekeeper goes by. */
    public GateConfig gateConfig() {
        return new GateConfig(pools, targetBook(), ruleBook(), tenantBook());
    }

    /** The settings in effect as text for the log, without addresses; secrets and what came from them are masked. */
    public String describe() {
        return masking.mask(ConfigPrinter.print(this));
    }
}
