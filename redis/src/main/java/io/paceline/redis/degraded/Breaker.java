package io.paceline.redis.degraded;

import java.util.random.RandomGenerator;

/**
 * Whether calls may go to the shared store: a value, replaced with each result.
 *
 * <pre>
 *   closed     calls go through; {@link #THRESHOLD} failures in a row open it
 *   open       no call goes through, until a time that each failed try moves on, at growing, random intervals
 *   half-open  that time has come: one try, which a success closes it by
 * </pre>
 *
 * @param failures in a row
 * @param tries of the open breaker that have failed
 * @param retryAtMicros when the next try may be made; 0 while it is closed
 */
record Breaker(int failures, int tries, long retryAtMicros) {
    /** A lost packet is no outage, and three time-outs of 100 ms are soon over. */
    static final int THRESHOLD = 3;

    static final long FIRST_WAIT_MICROS = 100_000;
    static final long LONGEST_WAIT_MICROS = 1_000_000;

    static final Breaker CLOSED = new Breaker(0, 0, 0);

    boolean isClosed() {
        return retryAtMicros == 0;
    }

    boolean mayTry(long nowMicros) {
        return nowMicros >= retryAtMicros;
    }

    /** After a call that failed or was not answered in time. */
    Breaker failed(long nowMicros, RandomGenerator random) {
        if (isClosed() && failures + 1 < THRESHOLD) {
            return new Breaker(failures + 1, 0, 0);
        }
        return isClosed()
                ? opened(nowMicros, random)
                : new Breaker(failures, tries + 1, wait(tries + 1, nowMicros, random));
    }

    /** Opened whatever was counted: the store answers, and is not what it was. */
    Breaker opened(long nowMicros, RandomGenerator random) {
        return new Breaker(failures + 1, 0, wait(0, nowMicros, random));
    }

    /** Half of the wait is chance: instances that lost the store together do not come back together. */
    private static long wait(int failedTries, long nowMicros, RandomGenerator random) {
        long longest = Math.min(LONGEST_WAIT_MICROS, FIRST_WAIT_MICROS << Math.min(failedTries, 10));
        return nowMicros + longest / 2 + random.nextLong(longest / 2 + 1);
    }
}
