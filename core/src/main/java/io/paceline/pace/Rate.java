package io.paceline.pace;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * So many permits in a window of time: never more in <em>any</em> window of that length, unless an algorithm was asked for
 * that promises less ({@link #worstCase}).
 *
 * @param limit at least 1, at most {@value #MAX_LIMIT}
 * @param window at least a millisecond, at most 31 days; a window of the calendar for {@link Algorithm#FIXED_WINDOW}
 * @param burst how many may go at once; null for all of them. Needs {@link Algorithm#GCRA} or {@link Algorithm#TOKEN_BUCKET}
 * @param algorithm how it is counted
 * @param zone whose midnight a fixed window goes by; null for UTC, and for every other algorithm
 */
public record Rate(
        int limit,
        Duration window,
        @Nullable Integer burst,
        Algorithm algorithm,
        @Nullable ZoneId zone) {
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
        if (burst != null) {
            checkBurst(burst, limit, algorithm);
        }
        if (algorithm == Algorithm.FIXED_WINDOW && !CalendarWindow.fits(Durations.micros(window))) {
            throw new IllegalArgumentException("window " + Durations.words(window) + " is none of the calendar: a"
                    + " fixed-window divides a day evenly (1m, 1h, 6h), or is 1d, or 7d from Monday on");
        }
        if (zone != null && algorithm != Algorithm.FIXED_WINDOW) {
            throw new IllegalArgumentException("zone " + zone.getId() + " means nothing to a " + algorithm.word()
                    + ": leave it out, or write algorithm: fixed-window");
        }
    }

    private static void checkBurst(int burst, int limit, Algorithm algorithm) {
        switch (algorithm) {
            case SLIDING_WINDOW, FIXED_WINDOW ->
                throw new IllegalArgumentException("burst " + burst + " means nothing to a " + algorithm.word()
                        + ": leave it out, or write algorithm: gcra");
            case GCRA -> {
                if (burst < 1 || burst > limit) {
                    throw new IllegalArgumentException(
                            "burst " + burst + " is not between 1 and the limit of " + limit);
                }
            }
            case TOKEN_BUCKET -> {
                if (burst < 1 || burst > MAX_LIMIT) {
                    throw new IllegalArgumentException("burst " + burst + " is not between 1 and " + MAX_LIMIT);
                }
            }
        }
    }

    /** The whole limit at once, counted by a sliding window. */
    public static Rate of(int limit, Duration window) {
        return new Rate(limit, window, null, Algorithm.SLIDING_WINDOW, null);
    }

    /** At most {@code burst} at once and the rest spaced, counted by GCRA. */
    public static Rate of(int limit, Duration window, int burst) {
        return new Rate(limit, window, burst, Algorithm.GCRA, null);
    }

    /** The limit refilled evenly, of which {@code burst} may be saved up. */
    public static Rate tokenBucket(int limit, Duration window, int burst) {
        return new Rate(limit, window, burst, Algorithm.TOKEN_BUCKET, null);
    }

    /** A quota for each window of the calendar. */
    public static Rate fixedWindow(int limit, Duration window, ZoneId zone) {
        return new Rate(limit, window, null, Algorithm.FIXED_WINDOW, zone);
    }

    /** What the store counts by. */
    public LimitSpec spec() {
        long windowMicros = Durations.micros(window);
        return switch (algorithm) {
            case SLIDING_WINDOW -> new LimitSpec.Window(limit, windowMicros);
            case GCRA -> new LimitSpec.Gcra(intervalMicros(windowMicros, limit, atOnce()), atOnce());
            case TOKEN_BUCKET -> new LimitSpec.Gcra(intervalMicros(windowMicros, limit, 1), atOnce());
            case FIXED_WINDOW -> new LimitSpec.Calendar(limit, windowMicros, zone == null ? ZoneOffset.UTC : zone);
        };
    }

    private int atOnce() {
        return burst == null ? limit : burst;
    }

    /**
     * The most permits that any window of this length can hold: the limit, but for the two that say otherwise. A token
     * bucket lets {@code burst} go and refills at most limit - 1 before such a window is over; a fixed window's limit may
     * be used at the end of one and again at the beginning of the next (where clocks go forward inside, once more).
     */
    public int worstCase() {
        return switch (algorithm) {
            case SLIDING_WINDOW, GCRA -> limit;
            case TOKEN_BUCKET -> limit + atOnce() - 1;
            case FIXED_WINDOW -> 2 * limit;
        };
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
