package io.paceline.service.config;

import io.paceline.pace.Algorithm;
import io.paceline.pace.HostPattern;
import io.paceline.pace.OnLimit;
import io.paceline.pace.Per;
import io.paceline.pace.Rate;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.Sustained;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads {@code rules}. */
final class RuleReader {

    private static final String EXAMPLE = "rules: [{pattern: \"*\", limit: 30, window: 1m}]";
    private static final int MAX_CONCURRENCY = 1_000_000;

    private RuleReader() {}

    static List<Rule> read(Value rules) {
        List<Rule> read = new ArrayList<>();
        Map<String, Integer> lines = new HashMap<>();
        boolean clean = true;
        for (Value element : rules.list(EXAMPLE)) {
            Optional<Rule> rule = section(element).flatMap(RuleReader::rule);
            if (rule.isEmpty()) {
                clean = false;
                continue;
            }
            Integer before = lines.putIfAbsent(rule.get().name(), element.line());
            if (before != null) {
                clean = false;
                element.errorAsIs("two rules are called \"" + rule.get().name() + "\", the first in line " + before
                        + ": give each its own name, and name: to those without one");
            }
            read.add(rule.get());
        }
        if (clean) {
            checkTogether(rules, read);
        }
        return read;
    }

    private static Optional<Section> section(Value element) {
        if (!element.isMapping()) {
            element.errorAsIs("a rule is " + element.kind() + " where a mapping is expected: write " + EXAMPLE);
        }
        return element.isMapping() ? element.section("rules[]") : Optional.empty();
    }

    private static void checkTogether(Value rules, List<Rule> read) {
        try {
            RuleBook.of(read);
        } catch (IllegalArgumentException unfit) {
            rules.errorAsIs(String.valueOf(unfit.getMessage()));
        }
    }

    private static Optional<Rule> rule(Section section) {
        try (section) {
            boolean patternGiven = section.value("pattern").isPresent();
            if (!patternGiven) {
                section.error("pattern", "a rule has no pattern: write pattern: \"*\" for every host");
            }
            Optional<HostPattern> pattern = section.value("pattern").flatMap(value -> value.parsed(HostPattern::parse));
            Rule.Builder builder = Rule.builder(pattern.orElseGet(() -> HostPattern.parse("*")))
                    .name(section.text("name").orElse(null))
                    .limit(section.value("limit").flatMap(RuleReader::limit).orElse(null))
                    .window(section.value("window").flatMap(Value::duration).orElse(null))
                    .burst(count(section, "burst", Rate.MAX_LIMIT).orElse(null))
                    .algorithm(section.value("algorithm")
                            .flatMap(value -> value.word(
                                    words(Algorithm.values(), Algorithm::word),
                                    List.of("token-bucket", "fixed-window")))
                            .orElse(null))
                    .concurrency(count(section, "concurrency", MAX_CONCURRENCY).orElse(null))
                    .priority(section.integer("priority", 0, Integer.MIN_VALUE, Integer.MAX_VALUE))
                    .onLimit(
                            section.word("on_limit", OnLimit.REJECT, words(OnLimit.values(), OnLimit::word), "reserve"))
                    .maxWait(section.value("max_wait").flatMap(Value::duration).orElse(null))
                    .per(section.value("per").flatMap(RuleReader::per).orElse(Per.TARGET))
                    .always(section.flag("always", false))
                    .dryRun(section.flag("dry_run", false));
            return pattern.isEmpty() || section.failed() ? Optional.empty() : built(section, builder);
        }
    }

    private static Optional<Rule> built(Section section, Rule.Builder builder) {
        try {
            Rule rule = builder.build();
            Rate rate = rule.rate();
            if (rate != null) {
                Sustained.of(rate).warning().ifPresent(warning -> section.warning("burst", warning));
            }
            return Optional.of(rule);
        } catch (IllegalArgumentException unfit) {
            section.error(unfit);
            return Optional.empty();
        }
    }

    /** {@code limit: 10/s} is how neighbours write it. */
    private static Optional<Integer> limit(Value value) {
        if (value.isScalar() && value.text().orElse("").matches("[0-9]+ */ *[0-9]*[a-z]+")) {
            String[] parts = value.text().orElseThrow().split(" */ *", 2);
            String window = Character.isDigit(parts[1].charAt(0)) ? parts[1] : "1" + parts[1];
            value.errorAsIs("limit is a number and the window a key of its own: write limit: " + parts[0] + ", window: "
                    + window);
            return Optional.empty();
        }
        return value.integer(1, Rate.MAX_LIMIT, 30);
    }

    private static Optional<Integer> count(Section section, String key, int max) {
        return section.value(key).flatMap(value -> value.integer(1, max, 4));
    }

    private static Optional<Per> per(Value value) {
        if (!value.isScalar()) {
            value.error("with several words is not supported by this version: write per: target or per: rule");
            return Optional.empty();
        }
        return value.word(words(Per.values(), Per::word), List.of("address", "session", "client", "tenant", "global"));
    }

    private static <T> Map<String, T> words(T[] values, Function<T, String> word) {
        Map<String, T> words = new LinkedHashMap<>();
        for (T value : values) {
            words.put(word.apply(value), value);
        }
        return words;
    }

    /** What a rule gives, for people. */
    static String sustained(Rule rule) {
        Rate rate = rule.rate();
        Integer concurrency = rule.concurrency();
        String text = rate == null ? "" : Sustained.of(rate).sentence();
        if (concurrency != null) {
            text += (text.isEmpty() ? "" : "; ") + "at most " + concurrency + " at once";
        }
        Duration wait = rule.maxWait();
        return wait.isZero() ? text : text + "; waits up to " + DurationText.format(wait);
    }
}
