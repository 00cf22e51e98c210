package io.paceline.scale;

/**
 * Counters that only grow, read together: a rate is the difference of two tallies, so a lost reading loses nothing.
 *
 * @param arrivals tasks that came in for the first time; retries are not arrivals
 * @param finished attempts that ended, well or not
 * @param failed attempts that ended badly for a reason of ours or of the addresses
 * @param throttled attempts answered by 429 or 503 with Retry-After: a matter of pace, no reason to shrink or grow
 * @param targetErrors attempts that the target itself failed (5xx): a matter of the target
 * @param deaths workers that ended without being asked
 * @param busySlotSeconds seconds that slots spent on tasks, those still running included
 */
public record Tally(
        long arrivals,
        long finished,
        long failed,
        long throttled,
        long targetErrors,
        long deaths,
        double busySlotSeconds) {

    public static final Tally ZERO = new Tally(0, 0, 0, 0, 0, 0, 0);

    /** Whether a counter stands lower than before: the source was restarted or lies, and differences mean nothing. */
    boolean wentBackFrom(Tally earlier) {
        return arrivals < earlier.arrivals
                || finished < earlier.finished
                || failed < earlier.failed
                || throttled < earlier.throttled
                || targetErrors < earlier.targetErrors
                || deaths < earlier.deaths
                || busySlotSeconds < earlier.busySlotSeconds;
    }
}
