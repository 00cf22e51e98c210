package io.paceline.service.config;

import io.paceline.pace.HostPattern;
import io.paceline.pace.TargetSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code targets}. */
final class TargetReader {

    private static final String EXAMPLE = "targets: [{match: \".example.com\", name: example, pool: default}]";

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

    private static Optional<TargetSettings> target(Section section, Set<String> pools) {
        try (section) {
            if (section.value("match").isEmpty()) {
                section.error("match", "a target has no match: write match: \"*\" for every host");
            }
            Optional<HostPattern> match = section.value("match").flatMap(value -> value.parsed(HostPattern::parse));
            Optional<String> name = section.text("name");
            Optional<String> pool = section.text("pool");
            Optional<Map<String, String>> prefer = PreferReader.read(section);
            // What this version does anyway may be said.
            section.word("robots", "ignore", Map.of("ignore", "ignore"), "obey");
            section.word("hints", "target", Map.of("target", "target"), "address");
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
                return Optional.of(
                        new TargetSettings(match.get(), name.orElse(null), pool.orElse(null), prefer.orElse(null)));
            } catch (IllegalArgumentException unfit) {
                section.error(unfit);
                return Optional.empty();
            }
        }
    }
}
