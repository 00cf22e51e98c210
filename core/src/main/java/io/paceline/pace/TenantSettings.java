package io.paceline.pace;

import java.util.List;
import java.util.Objects;

/**
 * One user of the gatekeeper among several: one entry of {@code tenants}.
 *
 * @param name by which its tokens name it
 * @param pools the ones that serve it, at least one; the first where neither request nor target names one of them
 * @param rules those that hold for it alone, beside those for everybody
 * @param quota how much it may use
 * @param prices what it pays
 */
public record TenantSettings(String name, List<String> pools, List<Rule> rules, Quota quota, Prices prices) {
    public TenantSettings {
        Names.check("name", name);
        pools = List.copyOf(pools);
        rules = List.copyOf(rules);
        Objects.requireNonNull(quota, "quota");
        Objects.requireNonNull(prices, "prices");
        if (pools.isEmpty()) {
            throw new IllegalArgumentException("pools of tenant " + name + " is empty: name the pools that serve it");
        }
    }

    /**
     * The rules for this tenant's requests: its own, by names that begin with its own, then everybody's. Where two are alike
     * in priority and pattern, its own wins.
     *
     * @throws IllegalArgumentException where they do not fit together
     */
    public RuleBook ruleBook(RuleBook everybodys) {
        return everybodys.after(namedRules());
    }

    /** Its own rules by the names that refusals and metrics call them by. */
    public List<Rule> namedRules() {
        return rules.stream().map(rule -> rule.named(name + "/" + rule.name())).toList();
    }

    /** The plan with the tenant's quotas. */
    public Plan limit(Plan plan) {
        Plan limited = plan;
        for (Charge charge : quota.charges(name)) {
            limited = limited.with(charge);
        }
        return limited;
    }
}
