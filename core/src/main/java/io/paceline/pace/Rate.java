package io.paceline.pace;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * So many permits in a window of time: never more in <em>any</em> window of that length.
 *
 * @param limit at least 1, at most {@value #MAX_LIMIT}
 * @param window at least a millisecond, at most 31 days
 * @param burst how many may go at once; null for all of them
 * @param algorithm {@code burst} needs {@link Algorithm#GCRA}
 */
public record Rate(int limit, Duration window, @Nullable Integer burst, Algorithm algorithm) {
    /** Keeps burst x interval, in microseconds, within a long. */
    public static final int MAX_LIMIT = 1_000_000;

    private static final Duration MIN_WINDOW = Duration.ofMillis(1);
    private static final Duration MAX_WINDOW = Duration.ofDays(31);

    public Rate {
        Objects.requireNonNull(algorithm, "algorithm");
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit " + limit + " is not between 1 and " + MAX_LIMIT);
        }
        if (window.compareTo(MIN_WINDOW) < 0 || window.compareTo(MAX_WINDOW) > 0) {
            throw new IllegalArgumentException("window " + Durations.words(window)
                    + " is not between 1ms and 31 days: write it with a unit, as 1m");
        }
        if (burst != null && (burst < 1 || burst > limit)) {
            throw new IllegalArgumentException("burst " + burst + " is not between 1 and the limit of " + limit);
        }
        if (burst != null && algorithm == Algorithm.SLIDING_WINDOW) {
            throw new IllegalArgumentException(
                    "burst " + burst + " means nothing to a sliding-window: leave it out, or write algorithm: gcra");
        }
    }

    /** The whole limit at once, counted by a sliding window. */
    public static Rate of(int limit, Duration window) {
        return new Rate(limit, window, null, Algorithm.SLIDING_WINDOW);
    }

    /** At most {@code burst} at once and the rest spaced, counted by GCRA. */
    public static Rate of(int limit, Duration window, int burst) {
        return new Rate(limit, window, burst, Algorithm.GCRA);
    }

    /** What the store counts by. */
    public LimitSpec spec() {
        long windowMicros = Durations.micros(window);
        if (algorithm == Algorithm.SLIDING_WINDOW) {
            return new LimitSpec.Window(limit, windowMicros);
        }
        int atOnce = burst == null ? limit : burst;
        return new LimitSpec.Gcra(intervalMicros(windowMicros, limit, atOnce), atOnce);
    }

    /**
     * T = window / (limit - burst + 1), rounded up. After b at once the others follow T apart, so the first and the last
     * of L + 1 starts are at least (L + 1 - b) x T >= window apart: no window holds more than L.
     */
    private static long intervalMicros(long windowMicros, int limit, int burst) {
        long spaced = limit - burst + 1L;
        return (windowMicros + spaced - 1) / spaced;
    }
}
