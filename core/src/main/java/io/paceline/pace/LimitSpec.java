package io.paceline.pace;

import java.time.ZoneId;
import java.util.Objects;

/** The numbers of one limit, as the store needs them to count; every change of state is arithmetic over these. */
public sealed interface LimitSpec {

    /** The start time of what can never start: it costs more than the limit ever has at once. */
    long NEVER = Long.MAX_VALUE;

    /** The highest cost that a permit may have: what the limit has at once when nobody has used any of it. */
    int mostAtOnce();

    /**
     * Generic cell rate algorithm: {@code burst} permits at once, then one every emission interval. Any window W holds at
     * most burst + (W - 1) / T permits.
     *
     * @param intervalMicros emission interval T: window / (limit - burst + 1), so that no window ever holds more than
     *     limit; window / limit for a token bucket
     * @param burst how many permits may start at one instant, at least 1
     */
    record Gcra(long intervalMicros, int burst) implements LimitSpec {
        public Gcra {
            if (intervalMicros < 1) {
                throw new IllegalArgumentException("intervalMicros " + intervalMicros + " is not above 0");
            }
            if (burst < 1) {
                throw new IllegalArgumentException("burst " + burst + " is not at least 1");
            }
        }

        @Override
        public int mostAtOnce() {
            return burst;
        }
    }

    /**
     * Sliding window: at most {@code limit} permits start in any window of that length.
     *
     * @param limit at least 1
     * @param windowMicros length of the window
     */
    record Window(int limit, long windowMicros) implements LimitSpec {
        public Window {
            if (limit < 1) {
                throw new IllegalArgumentException("limit " + limit + " is not at least 1");
            }
            if (windowMicros < 1) {
                throw new IllegalArgumentException("windowMicros " + windowMicros + " is not above 0");
            }
        }

        @Override
        public int mostAtOnce() {
            return limit;
        }
    }

    /**
     * Calendar windows: at most {@code limit} permits start between two boundaries; see {@link CalendarWindow}.
     *
     * @param limit at least 1
     * @param windowMicros a part of a day, a day, or seven days; see {@link CalendarWindow#fits}
     * @param zone whose midnight it is
     */
    record Calendar(int limit, long windowMicros, ZoneId zone) implements LimitSpec {
        public Calendar {
            Objects.requireNonNull(zone, "zone");
            if (limit < 1) {
                throw new IllegalArgumentException("limit " + limit + " is not at least 1");
            }
            if (!CalendarWindow.fits(windowMicros)) {
                throw new IllegalArgumentException("windowMicros " + windowMicros + " is no window of the calendar");
            }
        }

        @Override
        public int mostAtOnce() {
            return limit;
        }
    }

    /**
     * Concurrency: at most {@code max} leases live at once.
     *
     * @param max at least 1
     */
    record Concurrency(int max) implements LimitSpec {
        public Concurrency {
            if (max < 1) {
                throw new IllegalArgumentException("concurrency " + max + " is not at least 1");
            }
        }

        @Override
        public int mostAtOnce() {
            return max;
        }
    }

    /**
     * The target's own pace: what it asked for, what blame put on it, and where {@code adaptive} what it bears. The state is a
     * {@link PaceRow}.
     *
     * @param floor the slowest adaptive pace, in permits per second; 0 where it is not adaptive
     * @param ceiling the fastest
     */
    record Pace(double floor, double ceiling) implements LimitSpec {
        /** Hints and slow-downs alone. */
        public static final Pace NOT_ADAPTIVE = new Pace(0, 0);

        public Pace {
            if (floor < 0 || floor > ceiling || (floor == 0 && ceiling > 0)) {
                throw new IllegalArgumentException(
                        "floor " + floor + "/s is not above 0 and at most the ceiling of " + ceiling + "/s");
            }
        }

        public boolean adaptive() {
            return ceiling > 0;
        }

        /** Starts are kept apart, never counted together. */
        @Override
        public int mostAtOnce() {
            return 1;
        }
    }
}
