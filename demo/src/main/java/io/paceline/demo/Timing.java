package io.paceline.demo;

import java.time.Duration;

/**
 * How the seconds that the user grants are spent.
 *
 * @param total for the three crawls; getting ready fits into it too, unless the machine is busy with other things
 * @param work how long Paceline's rules make the crawl of one run last
 * @param tryTimeout how long one try may go without an answer
 */
record Timing(Duration total, Duration work, Duration tryTimeout) {
    static final int MIN_SECONDS = 10;
    static final int MAX_SECONDS = 600;

    private static final int RUNS = 3;

    /** Starting and stopping proxies, sites and gatekeepers. */
    private static final double OVERHEAD_SECONDS = 1.5;

    /** What the {@link WarmUp} takes of the time on an idle machine. */
    private static final double WARM_UP_SHARE = 0.1;

    /** What is left of a run's share covers the last time-outs, and processors that others use too. */
    private static final double WORK_SHARE = 0.7;

    private static final double TRY_SHARE = 0.25;
    private static final double LONGEST_TRY_SECONDS = 2;

    /** @throws IllegalArgumentException where the time is too short to show anything, or longer than anybody would watch */
    static Timing of(int seconds) {
        if (seconds < MIN_SECONDS || seconds > MAX_SECONDS) {
            throw new IllegalArgumentException(
                    "--seconds " + seconds + " is not between " + MIN_SECONDS + " and " + MAX_SECONDS
                            + ": three crawls share them, and each needs a few to learn which proxies are no good");
        }
        double share = (seconds * (1 - WARM_UP_SHARE) - OVERHEAD_SECONDS) / RUNS;
        return new Timing(
                Duration.ofSeconds(seconds),
                millis(share * WORK_SHARE),
                millis(Math.min(LONGEST_TRY_SECONDS, share * TRY_SHARE)));
    }

    private static Duration millis(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1_000));
    }

    /** How many events of a rate fall into the work. */
    int events(double perSecond) {
        return (int) Math.round(perSecond * work.toMillis() / 1_000);
    }
}
