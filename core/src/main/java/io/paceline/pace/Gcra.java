package io.paceline.pace;

/**
 * Generic cell rate algorithm in its virtual-scheduling form (ITU-T I.371): one number a key, the theoretical arrival
 * time (TAT) of the next permit under an even pace.
 *
 * <p>A permit may start up to (burst - cost) intervals before its own arrival time. All times are microseconds; the state
 * of a key that was never charged is {@link #FRESH}. Start times never decrease, whatever the costs, so a start in the
 * future can be reserved: it is charged at once and the next one queues behind.
 */
public final class Gcra {
    /** The state of a key that was never charged, or is as good as that. */
    public static final long FRESH = 0;

    private Gcra() {}

    /** The earliest start, {@code now} or later; {@link LimitSpec#NEVER} where the cost is above the burst. */
    public static long startAt(long tat, long now, LimitSpec.Gcra spec, int cost) {
        if (cost > spec.burst()) {
            return LimitSpec.NEVER;
        }
        return Math.max(now, tat - (spec.burst() - cost) * spec.intervalMicros());
    }

    /** The state after a permit that starts at {@code at}, a time that {@link #startAt} gave. */
    public static long advance(long tat, long at, LimitSpec.Gcra spec, int cost) {
        return Math.max(tat, at) + cost * spec.intervalMicros();
    }

    /**
     * The state after a permit was given back that left {@code tatLeft}: unchanged where somebody has reserved behind it,
     * since his start time is told already.
     */
    public static long giveBack(long tat, long tatLeft, LimitSpec.Gcra spec, int cost) {
        return tat == tatLeft ? tat - cost * spec.intervalMicros() : tat;
    }

    /** How many permits of cost 1 may start now. */
    public static int freeNow(long tat, long now, LimitSpec.Gcra spec) {
        long ahead = Math.max(0, tat - now);
        long free = (spec.burst() * spec.intervalMicros() - ahead) / spec.intervalMicros();
        return (int) Math.max(0, free);
    }

    /**
     * A stored state after a clock was set back: never further ahead than a full burst behind the longest wait, which is
     * the furthest that an honest clock leaves it.
     */
    public static long clamp(long tat, long now, LimitSpec.Gcra spec, long maxWaitMicros) {
        return Math.min(tat, now + spec.burst() * spec.intervalMicros() + maxWaitMicros);
    }
}
