package io.paceline.service.config;

import io.paceline.pace.Algorithm;
import io.paceline.pace.HostPattern;
import io.paceline.pace.OnLimit;
import io.paceline.pace.Per;
import io.paceline.pace.Rate;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.Scope;
import io.paceline.pace.Sustained;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
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
            if (section.value("pattern").isEmpty()) {
                section.error("pattern", "a rule has no pattern: write pattern: \"*\" for every host");
            }
            Optional<HostPattern> pattern = section.value("pattern").flatMap(value -> value.parsed(HostPattern::parse));
            Optional<Integer> limit = section.value("limit").flatMap(RuleReader::limit);
            Optional<Integer> burst = count(section, "burst", Rate.MAX_LIMIT);
            Optional<Algorithm> algorithm = section.value("algorithm")
                    .flatMap(value -> value.word(words(Algorithm.values(), Algorithm::word), List.of()));
            boolean saves = algorithm.equals(Optional.of(Algorithm.TOKEN_BUCKET));
            if (limit.isPresent() && burst.isPresent() && burst.get() > limit.get() && !saves) {
                section.error(
                        "burst",
                        "burst " + burst.get() + " is above limit " + limit.get() + ": write burst: " + limit.get()
                                + " at most, or raise limit");
            }
            Rule.Builder builder = Rule.builder(pattern.orElseGet(() -> HostPattern.parse("*")))
                    .name(section.text("name").orElse(null))
                    .limit(limit.orElse(null))
                    .window(section.value("window").flatMap(Value::duration).orElse(null))
                    .burst(burst.orElse(null))
                    .algorithm(algorithm.orElse(null))
                    .zone(section.value("zone").flatMap(RuleReader::zone).orElse(null))
                    .concurrency(count(section, "concurrency", MAX_CONCURRENCY).orElse(null))
                    .priority(section.integer("priority", 0, Integer.MIN_VALUE, Integer.MAX_VALUE))
                    .onLimit(section.word("on_limit", OnLimit.REJECT, words(OnLimit.values(), OnLimit::word)))
                    .maxWait(section.value("max_wait").flatMap(Value::duration).orElse(null))
                    .per(section.value("per").flatMap(RuleReader::per).orElse(Scope.TARGET))
                    .always(section.flag("always", false))
                    .dryRun(section.flag("dry_run", false))
                    .headers(HeadersReader.read(section));
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

    static Optional<ZoneId> zone(Value value) {
        return value.parsed(text -> {
            try {
                return ZoneId.of(text);
            } catch (DateTimeException unknown) {
                throw new IllegalArgumentException(
                        "zone \"" + text + "\" is no time zone: write one as Europe/Berlin or UTC", unknown);
            }
        });
    }

    /** {@code per: target}, or {@code per: [target, address]}. */
    private static Optional<Scope> per(Value value) {
        if (value.isMapping()) {
            value.error("is a mapping where a word or a list is expected: write per: [target, address]");
            return Optional.empty();
        }
        List<Value> elements = value.isScalar() ? List.of(value) : value.list("per: [target, address]");
        List<Per> words = new ArrayList<>();
        for (Value element : elements) {
            Optional<Per> word = element.word(words(Per.values(), Per::word), List.of());
            if (word.isEmpty()) {
                return Optional.empty();
            }
            words.add(word.get());
        }
        try {
            return Optional.of(Scope.of(words));
        } catch (IllegalArgumentException unfit) {
            value.errorAsIs(String.valueOf(unfit.getMessage()));
            return Optional.empty();
        }
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
        if (wait.isZero()) {
            return text;
        }
        String does = rule.onLimit() == OnLimit.RESERVE ? "; gives tickets up to " : "; waits up to ";
        return text + does + DurationText.format(wait) + (rule.onLimit() == OnLimit.RESERVE ? " ahead" : "");
    }
}
