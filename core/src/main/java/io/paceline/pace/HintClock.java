package io.paceline.pace;

/**
 * When refused callers are told to come back: the first exactly when the limit opens, each further one an interval later.
 * Told all the same instant, a thousand callers would fight for one permit, again and again.
 *
 * <p>Advisory: it admits nothing. Static functions over one number a key, {@code S}; times are microseconds.
 */
public final class HintClock {
    /** The state of a key of which nobody was refused yet. */
    public static final long FRESH = Long.MIN_VALUE / 4;

    /** A caller who asks again and again without waiting must not push the others' hints away for ever: start over. */
    static final int MAX_AHEAD = 1_024;

    /** Nobody knows when a lease ends; as a guess for spreading callers, one lives a second. */
    private static final long GUESSED_LEASE_MICROS = 1_000_000;

    /** How fast a target goes on after its pause is for its rules to say; callers are told to come back so far apart. */
    private static final long GUESSED_PACE_MICROS = 200_000;

    private HintClock() {}

    /** The new state, which is also the time to tell: {@code max(S + T, at)}. */
    public static long next(long state, long at, LimitSpec spec) {
        long interval = intervalMicros(spec);
        long hint = Math.max(state + interval, at);
        return hint - at > MAX_AHEAD * interval ? at : hint;
    }

    /** The mean time between two permits of a limit that is always asked for. */
    public static long intervalMicros(LimitSpec spec) {
        if (spec instanceof LimitSpec.Gcra gcra) {
            return gcra.intervalMicros();
        }
        if (spec instanceof LimitSpec.Window window) {
            return Math.max(1, window.windowMicros() / window.limit());
        }
        if (spec instanceof LimitSpec.Calendar calendar) {
            return Math.max(1, calendar.windowMicros() / calendar.limit());
        }
        if (spec instanceof LimitSpec.Pace) {
            return GUESSED_PACE_MICROS;
        }
        return Math.max(1, GUESSED_LEASE_MICROS / ((LimitSpec.Concurrency) spec).max());
    }
}
