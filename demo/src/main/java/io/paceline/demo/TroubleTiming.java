package io.paceline.demo;

/**
 * When a trouble comes and goes, in seconds of the crawl.
 *
 * @param begins first
 * @param worsens when its second half comes, for a trouble that has one
 * @param ends no earlier than this; but not before Paceline has found out
 * @param wellBy how long the return of everybody is awaited
 * @param latest whatever happens, the crawl ends here
 */
record TroubleTiming(double begins, double worsens, double ends, double wellBy, double latest) {
    static final int MIN_SECONDS = 15;

    /** How much longer than asked for a crawl may last, on a machine on which nothing comes to pass in time. */
    private static final double PATIENCE = 1.5;

    /** @throws IllegalArgumentException where the time is too short to show anything, or longer than anybody would watch */
    static TroubleTiming of(int seconds) {
        if (seconds < MIN_SECONDS || seconds > Timing.MAX_SECONDS) {
            throw new IllegalArgumentException("--seconds " + seconds + " is not between " + MIN_SECONDS + " and "
                    + Timing.MAX_SECONDS + ": the trouble must come, be found out, and go");
        }
        return new TroubleTiming(0.2 * seconds, 0.25 * seconds, 0.5 * seconds, seconds, PATIENCE * seconds);
    }
}
