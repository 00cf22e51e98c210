package io.paceline.pace;

/**
 * The starts of one key, counted against a limit in some window. All times are microseconds. Not thread-safe: the store owns
 * it, under its lock.
 */
public sealed interface StartCounter permits SlidingWindow, FixedWindow {

    LimitSpec spec();

    /** The most that start in a window. */
    int limit();

    /** The earliest start, {@code now} or later; {@link LimitSpec#NEVER} where the cost is above the limit. */
    long startAt(long now, int cost);

    /** Charges a start at a time that {@link #startAt} gave. */
    void take(long at, int cost);

    /** Gives a start back; false, and nothing done, where that is no longer possible. */
    boolean giveBack(long at, int cost);

    /** How many permits of cost 1 may start now. */
    int freeNow(long now);

    /** Permits that are held against the key, or more: at once, without a look at the time. */
    int heldAtMost();

    /** The time from which on this is as good as new and may be forgotten; {@link Long#MIN_VALUE} where it is new. */
    long idleAt();

    /** The state as numbers, for {@link #load}; what they mean is the counter's own business. */
    long[] save();

    /** Takes over the numbers that {@link #save} of a counter with an equal spec gave. */
    void load(long[] numbers);
}
