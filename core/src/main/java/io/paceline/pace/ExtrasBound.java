package io.paceline.pace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Refuses rules of which more could apply to one request, besides the winners, than a store checks in one step.
 *
 * <p>The bound is on the safe side: regexes and patterns for every host count everywhere, paths are not looked at. Hosts
 * named by patterns that match one request are suffixes of one another, so it is enough to look at each host named.
 */
final class ExtrasBound {
    private ExtrasBound() {}

    static void check(List<Rule> rules, int max) {
        List<Rule> everywhere = new ArrayList<>();
        Map<String, List<Rule>> exact = new HashMap<>();
        Map<String, List<Rule>> under = new HashMap<>();
        Set<String> hosts = new LinkedHashSet<>();
        for (Rule rule : rules) {
            if (!rule.always() && !rule.dryRun()) {
                continue;
            }
            HostPattern host = PatternIndex.hostPart(rule.pattern());
            if (host instanceof HostPattern.Exact one) {
                exact.computeIfAbsent(one.host(), key -> new ArrayList<>()).add(rule);
                hosts.add(one.host());
            } else if (host instanceof HostPattern.Under many) {
                under.computeIfAbsent(many.suffix(), key -> new ArrayList<>()).add(rule);
                hosts.add(many.suffix());
            } else {
                everywhere.add(rule);
            }
        }
        checkOne(everywhere, max);
        for (String host : hosts) {
            List<Rule> together = new ArrayList<>(everywhere);
            together.addAll(exact.getOrDefault(host, List.of()));
            for (String name = host; ; name = name.substring(name.indexOf('.') + 1)) {
                together.addAll(under.getOrDefault(name, List.of()));
                if (name.indexOf('.') < 0) {
                    break;
                }
            }
            checkOne(together, max);
        }
    }

    private static void checkOne(List<Rule> together, int max) {
        int charges = together.stream()
                .mapToInt(rule -> rule.rate() != null && rule.concurrency() != null ? 2 : 1)
                .sum();
        if (charges > max) {
            String names = together.stream().map(Rule::name).limit(20).collect(Collectors.joining(", "));
            throw new IllegalArgumentException("more than " + max + " limits of always and dry_run rules could hold for"
                    + " one request (" + names + "): narrow their patterns, or take some out");
        }
    }
}
