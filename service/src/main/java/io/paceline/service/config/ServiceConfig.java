package io.paceline.service.config;

import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pace.TargetSettings;
import io.paceline.pool.PoolConfig;
import io.paceline.service.journal.JournalSettings;
import java.util.List;
import java.util.Objects;

/**
 * Everything that is configured, valid as a whole. Immutable.
 *
 * @param store {@code memory}
 * @param pools at least one, none of them empty, with unique names
 * @param robotsAgent the product token by which robots.txt knows us
 * @param journal how the store is kept on disk
 * @param lists what each source of addresses gave
 * @param warnings what works, but may not be meant
 * @param masking knows the values that must not be printed
 */
public record ServiceConfig(
        ApiConfig api,
        ProxyConfig proxy,
        String store,
        List<PoolConfig> pools,
        List<TargetSettings> targets,
        List<Rule> rules,
        String robotsAgent,
        JournalSettings journal,
        List<ListReport> lists,
        List<ConfigError> warnings,
        Masking masking) {

    public ServiceConfig {
        Objects.requireNonNull(api, "api");
        Objects.requireNonNull(proxy, "proxy");
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(journal, "journal");
        pools = List.copyOf(pools);
        targets = List.copyOf(targets);
        rules = List.copyOf(rules);
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

    /** The settings in effect as text for the log, without addresses; secrets and what came from them are masked. */
    public String describe() {
        return masking.mask(ConfigPrinter.print(this));
    }
}
