package io.paceline.pace;

import java.util.concurrent.atomic.AtomicLong;

/**
 * One {@link Gcra} limit by itself, for the threads of one JVM: no lock, no thread, no clock; its whole state is one number.
 *
 * <p>For callers who need a pace and nothing else. Where several limits, a session and an address must be decided together,
 * ask a {@link io.paceline.Gatekeeper}. Times are microseconds of one clock that does not go back. Thread-safe.
 */
public final class GcraLimiter {
    /** Before any time that a clock can show, be it one with an origin of its own such as {@link System#nanoTime}. */
    private static final long LONG_AGO = Long.MIN_VALUE / 2;

    private final LimitSpec.Gcra spec;
    private final AtomicLong tat = new AtomicLong(LONG_AGO);

    public GcraLimiter(LimitSpec.Gcra spec) {
        this.spec = spec;
    }

    /**
     * Takes a permit if one may start now.
     *
     * @param cost at least 1
     * @return 0 where it was taken; else nothing was, and so many microseconds from now it may start at the earliest, if
     *     nobody is faster; {@link LimitSpec#NEVER} where the cost is above the burst
     * @throws IllegalArgumentException where the cost is below 1
     */
    public long tryTake(long nowMicros, int cost) {
        if (cost < 1) {
            throw new IllegalArgumentException("cost " + cost + " is not at least 1");
        }
        while (true) {
            long was = tat.get();
            long at = Gcra.startAt(was, nowMicros, spec, cost);
            if (at > nowMicros) {
                return at == LimitSpec.NEVER ? LimitSpec.NEVER : at - nowMicros;
            }
            if (tat.compareAndSet(was, Gcra.advance(was, nowMicros, spec, cost))) {
                return 0;
            }
        }
    }

    /** How many permits of cost 1 may start now. */
    public int freeNow(long nowMicros) {
        return Gcra.freeNow(tat.get(), nowMicros, spec);
    }
}
