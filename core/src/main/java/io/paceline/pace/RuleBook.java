package io.paceline.pace;

import io.paceline.Target;
import io.paceline.pace.RuleMatch.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All rules, and which of them hold for a request.
 *
 * <p>Of the rules that match, one wins how often and one how many at once: the highest priority number, then the most
 * specific pattern, then the earliest in the file. {@code always} rules apply on top, dry runs only count. Where no rule
 * competes in either contest, the default pace holds; where one of them has a winner, the other stays open.
 *
 * <p>Immutable and thread-safe; no answer depends on the order of a hash table.
 */
public final class RuleBook {
    /** As many buckets as one atomic step of a store checks. */
    public static final int MAX_CHARGES = 8;

    /** The rule that holds where none is configured: one request a second, two at once. */
    public static final Rule DEFAULT_PACE = Rule.builder(HostPattern.parse("*"))
            .name("default-pace")
            .limit(1)
            .window(Duration.ofSeconds(1))
            .burst(1)
            .concurrency(2)
            .onLimit(OnLimit.WAIT)
            .maxWait(Rule.DEFAULT_MAX_WAIT)
            .build();

    /** Two buckets are the winners'. */
    private static final int MAX_EXTRAS = MAX_CHARGES - 2;

    private static final RuleBook EMPTY = new RuleBook(List.of());

    /** A rule with its place in the file. */
    private record Ranked(Rule rule, int order) {
        boolean competes() {
            return !rule.always() && !rule.dryRun();
        }
    }

    private static final Comparator<Ranked> STRONGEST_FIRST = Comparator.comparingInt(
                    (Ranked ranked) -> -ranked.rule.priority())
            .thenComparingInt(ranked -> -ranked.rule.pattern().specificity())
            .thenComparingInt(Ranked::order);

    private final List<Rule> rules;
    private final PatternIndex<Ranked> index;

    private RuleBook(List<Rule> rules) {
        this.rules = List.copyOf(rules);
        List<Ranked> ranked = new ArrayList<>(rules.size());
        for (Rule rule : rules) {
            ranked.add(new Ranked(rule, ranked.size()));
        }
        index = new PatternIndex<>(ranked, entry -> entry.rule.pattern());
    }

    /**
     * A book of the rules in file order.
     *
     * @throws IllegalArgumentException where two have one name, or more than six {@code always} rules and dry runs could
     *     hold for one request
     */
    public static RuleBook of(List<Rule> rules) {
        checkNames(rules);
        ExtrasBound.check(rules, MAX_EXTRAS);
        return rules.isEmpty() ? EMPTY : new RuleBook(rules);
    }

    /** No rule: the default pace for everyone. */
    public static RuleBook empty() {
        return EMPTY;
    }

    /** A book of these rules, and of this one's after them. */
    RuleBook after(List<Rule> first) {
        if (first.isEmpty()) {
            return this;
        }
        List<Rule> all = new ArrayList<>(first);
        all.addAll(rules);
        return of(all);
    }

    private static void checkNames(Collection<Rule> rules) {
        Map<String, Rule> byName = new HashMap<>();
        for (Rule rule : rules) {
            if (Quota.isName(rule.name())) {
                throw new IllegalArgumentException("name '" + rule.name()
                        + "' is taken: names that begin with quota. are those of tenants' quotas");
            }
            if (rule.name().equals(DEFAULT_PACE.name())) {
                throw new IllegalArgumentException("name '" + rule.name()
                        + "' is taken by the pace that holds where no rule does: choose another");
            }
            Rule twin = byName.putIfAbsent(rule.name(), rule);
            if (twin != null) {
                throw new IllegalArgumentException("two rules are called '" + rule.name() + "' (patterns '"
                        + twin.pattern() + "' and '" + rule.pattern() + "'): give each a name of its own");
            }
        }
    }

    /** In file order. */
    public List<Rule> rules() {
        return rules;
    }

    /** The buckets that a request for the URL, which belongs to the target, must pass. */
    public Plan plan(TargetUrl url, Target target) {
        List<Charge> charges = new ArrayList<>(4);
        Map<String, String> headers = Map.of();
        for (RuleMatch match : decide(url, target)) {
            if (match.charge() != null) {
                charges.add(match.charge());
            }
            if (match.contest() == Contest.RATE && match.standing() == Standing.BINDS) {
                headers = match.rule().headers();
            }
        }
        return new Plan(charges, dependsOnPath(url.host()), headers);
    }

    /** Every rule that matches, with its standing in each contest and why; those that are charged first. */
    public List<RuleMatch> explain(TargetUrl url, Target target) {
        return decide(url, target);
    }

    /** The rules that say nothing about the URL, in file order, with why. A look for a person: it scans them all. */
    public List<RuleMatch> silent(TargetUrl url) {
        List<RuleMatch> silent = new ArrayList<>();
        for (Rule rule : rules) {
            if (!rule.pattern().matches(url)) {
                Contest contest = rule.rate() != null ? Contest.RATE : Contest.CONCURRENCY;
                silent.add(new RuleMatch(
                        rule, contest, Standing.SILENT, rule.pattern().whyNot(url), null));
            }
        }
        return silent;
    }

    private List<RuleMatch> decide(TargetUrl url, Target target) {
        List<Ranked> matching = index.matching(url);
        matching.sort(STRONGEST_FIRST);
        Ranked rate = winner(matching, Contest.RATE);
        Ranked concurrency = winner(matching, Contest.CONCURRENCY);
        List<RuleMatch> matches = new ArrayList<>(matching.size() + 1);
        if (rate == null && concurrency == null) {
            addDefaultPace(target, matches);
        }
        addWinner(rate, Contest.RATE, target, matches);
        addWinner(concurrency, Contest.CONCURRENCY, target, matches);
        addExtras(matching, target, matches);
        addLosers(matching, rate, Contest.RATE, matches);
        addLosers(matching, concurrency, Contest.CONCURRENCY, matches);
        return matches;
    }

    private static boolean speaksAbout(Rule rule, Contest contest) {
        return contest == Contest.RATE ? rule.rate() != null : rule.concurrency() != null;
    }

    private static @Nullable Ranked winner(List<Ranked> strongestFirst, Contest contest) {
        for (Ranked ranked : strongestFirst) {
            if (ranked.competes() && speaksAbout(ranked.rule, contest)) {
                return ranked;
            }
        }
        return null;
    }

    private static void addDefaultPace(Target target, List<RuleMatch> matches) {
        for (Contest contest : Contest.values()) {
            matches.add(new RuleMatch(
                    DEFAULT_PACE,
                    contest,
                    Standing.BINDS,
                    "no rule competes for this host, so the default pace holds",
                    DEFAULT_PACE.charge(contest, target)));
        }
    }

    private static void addWinner(@Nullable Ranked winner, Contest contest, Target target, List<RuleMatch> matches) {
        if (winner != null) {
            Rule rule = winner.rule;
            matches.add(new RuleMatch(
                    rule, contest, Standing.BINDS, "the strongest that matches", rule.charge(contest, target)));
        }
    }

    private static void addExtras(List<Ranked> matching, Target target, List<RuleMatch> matches) {
        for (Standing standing : List.of(Standing.ALWAYS, Standing.OBSERVES)) {
            for (Ranked ranked : matching) {
                Rule rule = ranked.rule;
                if (ranked.competes() || rule.dryRun() != (standing == Standing.OBSERVES)) {
                    continue;
                }
                for (Contest contest : Contest.values()) {
                    if (speaksAbout(rule, contest)) {
                        String why = rule.dryRun() ? "dry_run: it only counts" : "always: it applies on top";
                        matches.add(new RuleMatch(rule, contest, standing, why, rule.charge(contest, target)));
                    }
                }
            }
        }
    }

    private static void addLosers(
            List<Ranked> matching, @Nullable Ranked winner, Contest contest, List<RuleMatch> matches) {
        if (winner == null) {
            return;
        }
        for (Ranked ranked : matching) {
            if (ranked.order != winner.order && ranked.competes() && speaksAbout(ranked.rule, contest)) {
                matches.add(new RuleMatch(ranked.rule, contest, Standing.LOST, whyLost(ranked, winner), null));
            }
        }
    }

    private static String whyLost(Ranked loser, Ranked winner) {
        String to = "lost to '" + winner.rule.name() + "': ";
        if (loser.rule.priority() != winner.rule.priority()) {
            return to + "priority " + winner.rule.priority() + " over " + loser.rule.priority();
        }
        if (loser.rule.pattern().specificity() != winner.rule.pattern().specificity()) {
            return to + winner.rule.pattern() + " is more specific than " + loser.rule.pattern();
        }
        return to + "it stands earlier in the file";
    }

    /** Whether the plans of this canonical host also depend on scheme, port or path. */
    public boolean dependsOnPath(String host) {
        return index.dependsOnPath(host);
    }
}
