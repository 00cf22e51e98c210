package io.paceline.pace;

/**
 * The starts of one key, counted so that no window of the spec's length ever holds more than its limit.
 *
 * <p>All times are microseconds. Start times never decrease, so a start in the future can be reserved. Not thread-safe:
 * the store owns it, under its lock. At most 600 bytes.
 */
public abstract sealed class SlidingWindow implements StartCounter permits StartRing, StartCounts {
    /** Up to this limit every start is remembered. */
    public static final int MAX_EXACT = 64;

    /** Before any clock, and far enough from the end of the numbers to add to. */
    static final long LONG_AGO = Long.MIN_VALUE / 4;

    final LimitSpec.Window spec;

    SlidingWindow(LimitSpec.Window spec) {
        this.spec = spec;
    }

    /** The counter that fits: an exact ring up to {@link #MAX_EXACT}, sub-windows above. */
    public static SlidingWindow of(LimitSpec.Window spec) {
        return spec.limit() <= MAX_EXACT ? new StartRing(spec) : new StartCounts(spec);
    }

    @Override
    public final LimitSpec.Window spec() {
        return spec;
    }

    @Override
    public final int limit() {
        return spec.limit();
    }

    /** Gives a start back; false, and nothing done, where somebody has reserved behind it or it is forgotten. */
    @Override
    public abstract boolean giveBack(long at, int cost);

    /** After a clock was set back: no start is kept further ahead than the longest wait. */
    public abstract void clamp(long now, long maxWaitMicros);

    final void checkCost(int cost) {
        if (cost < 1) {
            throw new IllegalArgumentException("cost " + cost + " is not at least 1");
        }
    }
}
