package io.paceline.pace;

/**
 * The starts of one key, counted so that no window of the spec's length ever holds more than its limit.
 *
 * <p>All times are microseconds. Start times never decrease, so a start in the future can be reserved. Not thread-safe:
 * the store owns it, under its lock. At most 600 bytes.
 */
public abstract sealed class SlidingWindow permits StartRing, StartCounts {
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

    public final LimitSpec.Window spec() {
        return spec;
    }

    /** The earliest start, {@code now} or later; {@link LimitSpec#NEVER} where the cost is above the limit. */
    public abstract long startAt(long now, int cost);

    /** Charges a start at a time that {@link #startAt} gave. */
    public abstract void take(long at, int cost);

    /** Gives a start back; false, and nothing done, where somebody has reserved behind it or it is forgotten. */
    public abstract boolean giveBack(long at, int cost);

    /** How many permits of cost 1 may start now. */
    public abstract int freeNow(long now);

    /** Permits that are held against the key, or more: at once, without a look at the time. */
    public abstract int heldAtMost();

    /** The time from which on this is as good as new and may be forgotten; {@link Long#MIN_VALUE} where it is new. */
    public abstract long idleAt();

    /** After a clock was set back: no start is kept further ahead than the longest wait. */
    public abstract void clamp(long now, long maxWaitMicros);

    /** The state as numbers, for {@link #load}; what they mean is this class's own business. */
    public abstract long[] save();

    /** Takes over the numbers that {@link #save} of a window with an equal spec gave. */
    public abstract void load(long[] numbers);

    final void checkCost(int cost) {
        if (cost < 1) {
            throw new IllegalArgumentException("cost " + cost + " is not at least 1");
        }
    }
}
