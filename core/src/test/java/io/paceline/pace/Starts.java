package io.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/** The log of permits that really started: the judge of every algorithm's promise. */
final class Starts {
    private final List<Long> times = new ArrayList<>();

    void add(long at, int cost) {
        for (int i = 0; i < cost; i++) {
            times.add(at);
        }
    }

    void remove(long at, int cost) {
        for (int i = 0; i < cost; i++) {
            assertThat(times.remove(Long.valueOf(at))).isTrue();
        }
    }

    int count() {
        return times.size();
    }

    /** In order of time, the (limit + 1)th start after any start is a whole window later: no window holds more. */
    void assertNeverMoreThan(int limit, long windowMicros) {
        List<Long> sorted = times.stream().sorted().toList();
        for (int i = limit; i < sorted.size(); i++) {
            assertThat(sorted.get(i) - sorted.get(i - limit))
                    .as("starts %d and %d", i - limit, i)
                    .isGreaterThanOrEqualTo(windowMicros);
        }
    }
}
