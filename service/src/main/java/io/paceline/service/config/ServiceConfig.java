package io.paceline.service.config;

import io.paceline.GateConfig;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pace.TargetSettings;
import io.paceline.pace.TenantBook;
import io.paceline.pace.TenantSettings;
import io.paceline.pool.PoolConfig;
import io.paceline.service.journal.JournalSettings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Everything that is configured, valid as a whole. Immutable.
 *
 * @param store where state is kept
 * @param pools at least one, with unique names and the addresses of files and lines; empty only where others are fetched
 * @param tenants their pools are among the pools
 * @param robotsAgent the product token by which robots.txt knows us
 * @param journal how the store is kept on disk
 * @param lists what each source of addresses gave
 * @param warnings what works, but may not be meant
 * @param masking knows the values that must not be printed
 * @param urlLists lists of addresses that are fetched while the service runs
 * @param supplies who is asked for more addresses, at most one for each pool
 * @param files what all this was read from
 * @param ids names the addresses, those that come later too
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
        JournalSettings journal,
        List<ListReport> lists,
        List<ConfigError> warnings,
        Masking masking,
        List<UrlList> urlLists,
        List<SupplyConfig> supplies,
        ReloadConfig reload,
        Map<Path, FileStamp> files,
        AddressIds ids) {

    public ServiceConfig {
        Objects.requireNonNull(api, "api");
        Objects.requireNonNull(proxy, "proxy");
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(journal, "journal");
        pools = List.copyOf(pools);
        targets = List.copyOf(targets);
        rules = List.copyOf(rules);
        tenants = List.copyOf(tenants);
        lists = List.copyOf(lists);
        warnings = List.copyOf(warnings);
        Objects.requireNonNull(masking, "masking");
        urlLists = List.copyOf(urlLists);
        supplies = List.copyOf(supplies);
        Objects.requireNonNull(reload, "reload");
        files = Map.copyOf(files);
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

    /** The same, but what cannot change while the service runs is as in the configuration that it was started with. */
    public ServiceConfig keeping(ServiceConfig started) {
        boolean open = api.tokens().isEmpty();
        List<TokenConfig> tokens = open == started.api.tokens().isEmpty() ? api.tokens() : started.api.tokens();
        ApiConfig kept = new ApiConfig(started.api.listen(), started.api.refusalAs200(), tokens);
        return with(kept, proxy.keeping(started.proxy), started.store, pools, started.robotsAgent, files);
    }

    /** The same, from no file that anybody would look at again. */
    public ServiceConfig withoutFiles() {
        return with(api, proxy, store, pools, robotsAgent, Map.of());
    }

    /** The same with the addresses of this moment. */
    public ServiceConfig withPools(List<PoolConfig> others) {
        return with(api, proxy, store, others, robotsAgent, files);
    }

    private ServiceConfig with(
            ApiConfig newApi,
            ProxyConfig newProxy,
            StoreChoice newStore,
            List<PoolConfig> newPools,
            String newAgent,
            Map<Path, FileStamp> newFiles) {
        return new ServiceConfig(
                newApi, newProxy, newStore, newPools, targets, rules, tenants, newAgent, journal, lists, warnings,
                masking, urlLists, supplies, reload, newFiles, ids);
    }

    /** The settings in effect as text for the log, without addresses; secrets and what came from them are masked. */
    public String describe() {
        return String.join("\n", described().values());
    }

    /** The lines of {@link #describe} by what each is about: {@code pool default}, {@code rule example-com}. */
    public Map<String, String> described() {
        Map<String, String> lines = new LinkedHashMap<>();
        ConfigPrinter.lines(this).forEach((about, line) -> lines.put(masking.mask(about), masking.mask(line)));
        return lines;
    }
}
