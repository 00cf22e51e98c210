package io.paceline.scale;

/**
 * What the counters say about the work: arrivals, seconds per task, failures.
 *
 * @param perSecond10 first-time arrivals per second over ten minutes
 * @param perSecond1 the same over one minute
 * @param surgePerSecond the lower of the last two readings' rates: one burst is over when it is seen, a surge goes on
 * @param serviceSeconds slot-seconds that one attempt takes
 * @param startupSeconds from asked for to ready, 90th percentile
 * @param failures the latest attempts
 */
record Estimates(
        double perSecond10,
        double perSecond1,
        double surgePerSecond,
        double serviceSeconds,
        double startupSeconds,
        History.Failures failures) {

    /** Weight of one new reading of the service time; at 15 s a period it forgets half in about half a minute. */
    private static final double SMOOTHING = 0.3;

    /** Above it attempts end early or hang for reasons of their own, and their length says nothing. */
    private static final double FREEZE_ABOVE = 0.20;

    private static final double PRIOR_ATTEMPTS = 8;

    private static final long SERVICE_WINDOW = 5 * Micros.MINUTE;

    static Estimates of(History history, double lastServiceSeconds, double startupSeconds) {
        History.Failures failures = history.failures();
        return new Estimates(
                history.arrivalsPerSecond(History.SPAN),
                history.arrivalsPerSecond(Micros.MINUTE),
                history.sustainedArrivalsPerSecond(),
                service(history, lastServiceSeconds, failures),
                startupSeconds,
                failures);
    }

    /**
     * Busy slot-seconds over finished attempts. Unfinished work counts in the numerator, so a stall shows before its
     * first attempt ends; the last estimate counts as a few attempts more, so that a fleet which has just begun, with
     * much begun and little finished, does not look slow.
     */
    private static double service(History history, double last, History.Failures failures) {
        double busy = history.busySlotSeconds(SERVICE_WINDOW);
        if (failures.share() > FREEZE_ABOVE || busy <= 0) {
            return last;
        }
        double measured = (busy + PRIOR_ATTEMPTS * last) / (history.finished(SERVICE_WINDOW) + PRIOR_ATTEMPTS);
        return last + SMOOTHING * (measured - last);
    }

    /** Arrivals have more than doubled: those that come while workers start must be counted in. */
    boolean surging() {
        return Math.min(perSecond1, surgePerSecond) > 2 * perSecond10;
    }
}
