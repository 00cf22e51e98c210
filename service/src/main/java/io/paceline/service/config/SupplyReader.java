package io.paceline.service.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code pools[].supply}. */
final class SupplyReader {

    private static final String EXAMPLE =
            "supply: {below: 20, url: \"https://provider.example.net/buy?n={missing}\", items: \"/data/*/proxy\","
                    + " every: 5m, budget: 100/day}";
    private static final int MOST_BELOW = 1_000_000;
    private static final Duration DEFAULT_EVERY = Duration.ofMinutes(5);
    private static final Duration LEAST_EVERY = Duration.ofSeconds(1);
    private static final Pattern BUDGET = Pattern.compile("([1-9][0-9]{0,8}) */ *(minute|hour|day|week)");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]*)\\}");

    /** What a template may name. */
    static final List<String> PLACEHOLDERS = List.of("missing", "pool", "below", "in_service");

    private SupplyReader() {}

    private record Budget(int most, Duration period) {}

    static Optional<SupplyConfig> read(Section supply, String pool) {
        try (supply) {
            for (String key : List.of("below", "url", "budget")) {
                if (supply.value(key).isEmpty()) {
                    supply.error(key, key + " is missing: write " + EXAMPLE);
                }
            }
            Optional<Integer> below = supply.value("below").flatMap(value -> value.integer(1, MOST_BELOW, 20));
            Optional<String> url = supply.value("url").flatMap(value -> value.parsed(SupplyReader::template));
            Optional<String> items = supply.value("items").flatMap(value -> value.parsed(SupplyReader::pointer));
            Duration every = supply.duration("every", DEFAULT_EVERY);
            if (every.compareTo(LEAST_EVERY) < 0) {
                supply.error("every", "every " + DurationText.format(every) + " is below 1s: write every: 5m");
            }
            Optional<Budget> budget = supply.value("budget").flatMap(value -> value.parsed(SupplyReader::budget));
            if (supply.failed() || below.isEmpty() || url.isEmpty() || budget.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(new SupplyConfig(
                    pool,
                    below.get(),
                    new Secret(url.get()),
                    WebUrl.shown(url.get()),
                    items.orElse(null),
                    every,
                    budget.get().most(),
                    budget.get().period()));
        }
    }

    /** The template itself is never quoted: it may hold a key. */
    private static String template(String text) {
        Matcher placeholder = PLACEHOLDER.matcher(text);
        StringBuilder filled = new StringBuilder();
        while (placeholder.find()) {
            String name = placeholder.group(1);
            if (!PLACEHOLDERS.contains(name)) {
                throw new IllegalArgumentException("supply.url has {" + name + "}, which stands for nothing: "
                        + Nearest.to(name, PLACEHOLDERS)
                                .map(near -> "did you mean {" + near + "}?")
                                .orElse("there are {" + String.join("}, {", PLACEHOLDERS) + "}"));
            }
            placeholder.appendReplacement(filled, "1");
        }
        WebUrl.check(placeholder.appendTail(filled).toString(), "supply.url");
        return text;
    }

    private static String pointer(String text) {
        if (text.startsWith("/")) {
            return text;
        }
        throw new IllegalArgumentException("items \"" + text
                + "\" is no JSON pointer: it begins with a slash, and * stands for every item: write items:"
                + " \"/data/*/proxy\"");
    }

    private static Budget budget(String text) {
        Matcher budget = BUDGET.matcher(text);
        if (!budget.matches()) {
            throw new IllegalArgumentException("budget \"" + text
                    + "\" is no number of addresses in a time: write budget: 100/day, with minute, hour, day or week");
        }
        Duration period = switch (budget.group(2)) {
            case "minute" -> Duration.ofMinutes(1);
            case "hour" -> Duration.ofHours(1);
            case "day" -> Duration.ofDays(1);
            default -> Duration.ofDays(7);
        };
        return new Budget(Integer.parseInt(budget.group(1)), period);
    }
}
