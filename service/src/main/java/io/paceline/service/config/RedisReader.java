package io.paceline.service.config;

import io.paceline.redis.RedisSettings;
import io.paceline.redis.degraded.Division;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code redis}: how a shared store is used, wherever it is. */
final class RedisReader {
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(10);
    /** Going on alone counts on it: a call must be over before others take an instance for silent. */
    private static final Duration LONGEST_TIMEOUT = Duration.ofMillis(200);

    private final String prefix;
    private final Duration timeout;
    private final Division division;
    private final @Nullable Value at;

    private RedisReader(String prefix, Duration timeout, Division division, @Nullable Value at) {
        this.prefix = prefix;
        this.timeout = timeout;
        this.division = division;
        this.at = at;
    }

    static RedisReader defaults() {
        return new RedisReader(RedisSettings.DEFAULT_PREFIX, RedisSettings.DEFAULT_TIMEOUT, Division.BROKER, null);
    }

    static RedisReader read(Value redis) {
        return redis.section("redis")
                .map(section -> {
                    try (section) {
                        String prefix = section.value("prefix")
                                .flatMap(value -> value.text().filter(text -> fits(value, text)))
                                .orElse(RedisSettings.DEFAULT_PREFIX);
                        Duration timeout = section.value("timeout")
                                .flatMap(value -> value.duration().filter(time -> fits(value, time)))
                                .orElse(RedisSettings.DEFAULT_TIMEOUT);
                        Division division = section.value("division")
                                .flatMap(value -> value.word(words(), List.of()))
                                .orElse(Division.BROKER);
                        return new RedisReader(prefix, timeout, division, redis);
                    }
                })
                .orElseGet(RedisReader::defaults);
    }

    private static boolean fits(Value value, String prefix) {
        boolean fits = RedisSettings.isPrefix(prefix);
        if (!fits) {
            value.error("is not 1 to 64 of letters, digits, '_', '-', '.' and ':': write prefix: "
                    + RedisSettings.DEFAULT_PREFIX);
        }
        return fits;
    }

    private static boolean fits(Value value, Duration timeout) {
        boolean fits = timeout.compareTo(SHORTEST_TIMEOUT) >= 0 && timeout.compareTo(LONGEST_TIMEOUT) <= 0;
        if (!fits) {
            value.error("is not between 10ms and 200ms: write timeout: 100ms");
        }
        return fits;
    }

    private static Map<String, Division> words() {
        Map<String, Division> words = new LinkedHashMap<>();
        for (Division division : Division.values()) {
            words.put(division.word(), division);
        }
        return words;
    }

    /** The store as it was chosen, used so. */
    StoreChoice of(StoreChoice chosen) {
        RedisSettings redis = chosen.redis();
        if (redis == null) {
            if (at != null) {
                at.warning("redis says how a shared store is used, and the store is memory: write store:"
                        + " redis://host:6379, or leave redis out");
            }
            return chosen;
        }
        return new StoreChoice(new RedisSettings(redis.uri(), prefix, timeout, redis.queue()), division);
    }
}
