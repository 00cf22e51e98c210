package io.paceline.demo;

/**
 * When a trouble comes and goes, in seconds of the crawl.
 *
 * @param begins when it comes
 * @param ends when it goes at the earliest: it stays until it was found out
 * @param givenUp when it goes even if it was not
 * @param latest when the crawl ends, whether all is well again or not
 */
record TroubleTiming(double begins, double ends, double givenUp, double latest) {
    static final int MIN_SECONDS = 20;

    /** A control URL is found dead within 13 s, and alive again within 12 s; two die one after the other. */
    static final int USUAL_SECONDS = 40;

    /** @throws IllegalArgumentException where the time is too short to show anything, or longer than anybody would watch */
    static TroubleTiming of(int seconds) {
        if (seconds < MIN_SECONDS || seconds > Timing.MAX_SECONDS) {
            throw new IllegalArgumentException("--seconds " + seconds + " is not between " + MIN_SECONDS + " and "
                    + Timing.MAX_SECONDS + ": the trouble must come, be found out, and go");
        }
        return new TroubleTiming(0.2 * seconds, 0.45 * seconds, 0.75 * seconds, seconds);
    }
}
