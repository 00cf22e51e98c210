package io.paceline.service.config;

import io.paceline.pace.HintScope;
import io.paceline.pace.HostPattern;
import io.paceline.pace.LimitSpec.Pace;
import io.paceline.pace.RobotsMode;
import io.paceline.pace.TargetSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads {@code targets}. */
final class TargetReader {

    private static final String EXAMPLE = "targets: [{match: \".example.com\", name: example, pool: default}]";

    private static final Map<String, HintScope> HINTS =
            Map.of("target", HintScope.TARGET, "address", HintScope.ADDRESS);
    private static final Map<String, RobotsMode> ROBOTS =
            Arrays.stream(RobotsMode.values()).collect(Collectors.toMap(RobotsMode::word, mode -> mode));
    private static final Pattern RATE = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?)/([smhd])");
    private static final Map<String, Double> SECONDS = Map.of("s", 1.0, "m", 60.0, "h", 3_600.0, "d", 86_400.0);
    private static final int MOST_PER_SECOND = 100_000;
    /** What an adaptive pace is kept between where nothing else is written. */
    private static final double FLOOR = 0.1;

    private static final double CEILING = 5;

    private TargetReader() {}

    static List<TargetSettings> read(Value targets, Set<String> pools) {
        List<TargetSettings> read = new ArrayList<>();
        for (Value element : targets.list(EXAMPLE)) {
            if (!element.isMapping()) {
                element.errorAsIs("a target is " + element.kind() + " where a mapping is expected: write " + EXAMPLE);
                continue;
            }
            element.section("targets[]")
                    .flatMap(section -> target(section, pools))
                    .ifPresent(read::add);
        }
        return read;
    }

    /** {@code adaptive: false} says that no wider entry's pace holds here. */
    private static Optional<Pace> pace(Section section) {
        try (section) {
            boolean adaptive = section.flag("adaptive", true);
            double floor =
                    section.value("floor").flatMap(TargetReader::perSecond).orElse(FLOOR);
            double ceiling =
                    section.value("ceiling").flatMap(TargetReader::perSecond).orElse(Math.max(CEILING, floor));
            if (!adaptive) {
                return Optional.of(Pace.NOT_ADAPTIVE);
            }
            try {
                return Optional.of(new Pace(floor, ceiling));
            } catch (IllegalArgumentException unfit) {
                section.error(unfit);
                return Optional.empty();
            }
        }
    }

    /** A rate such as {@code 0.1/s} or {@code 30/m}, in permits per second. */
    private static Optional<Double> perSecond(Value value) {
        return value.parsed(text -> {
            Matcher rate = RATE.matcher(text);
            if (rate.matches()) {
                double perSecond = Double.parseDouble(rate.group(1)) / SECONDS.getOrDefault(rate.group(2), 1.0);
                if (perSecond > 0 && perSecond <= MOST_PER_SECOND) {
                    return perSecond;
                }
            }
            throw new IllegalArgumentException("the rate \"" + text + "\" is none between 0 and " + MOST_PER_SECOND
                    + "/s: write a number per s, m, h or d, such as 0.5/s or 30/m");
        });
    }

    private static Optional<TargetSettings> target(Section section, Set<String> pools) {
        try (section) {
            if (section.value("match").isEmpty()) {
                section.error("match", "a target has no match: write match: \"*\" for every host");
            }
            Optional<HostPattern> match = section.value("match").flatMap(value -> value.parsed(HostPattern::parse));
            Optional<String> name = section.text("name");
            Optional<String> pool = section.text("pool");
            Optional<Map<String, String>> prefer = PreferReader.read(section);
            RobotsMode robots = section.value("robots")
                    .flatMap(value -> value.word(ROBOTS, List.of()))
                    .orElse(null);
            HintScope hints = section.value("hints")
                    .flatMap(value -> value.word(HINTS, List.of()))
                    .orElse(null);
            Map<String, String> headers = HeadersReader.readWithUserAgent(section);
            Pace pace = section.section("pace").flatMap(TargetReader::pace).orElse(null);
            if (pool.isPresent() && !pools.contains(pool.get())) {
                String near = Nearest.to(pool.get(), pools)
                        .map(word -> "did you mean \"" + word + "\"?")
                        .orElse("there are " + String.join(", ", pools));
                section.error("pool", "no pool is called \"" + pool.get() + "\": " + near);
            }
            if (match.isEmpty()) {
                return Optional.empty();
            }
            try {
                return Optional.of(new TargetSettings(
                        match.get(),
                        name.orElse(null),
                        pool.orElse(null),
                        prefer.orElse(null),
                        robots,
                        hints,
                        pace,
                        headers));
            } catch (IllegalArgumentException unfit) {
                section.error(unfit);
                return Optional.empty();
            }
        }
    }
}
