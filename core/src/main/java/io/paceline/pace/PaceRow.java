package io.paceline.pace;

/**
 * What the fleet knows of one target's pace, beside the rules: the pause that the target asked for, the slow-down that
 * blame put on it, and what its adaptive pace has learned. The store keeps one for each target (for a cell too, where
 * {@code hints: address}), replaces it by compare-and-set on the epoch, and counts {@code wins} and {@code growthMicros}.
 *
 * <p>The three causes do not touch each other: a success ends no slow-down and shortens no pause.
 *
 * @param epoch how often the row was replaced
 * @param sinceMicros when the last step of back-off was taken: what was granted up to then belongs to that step
 * @param blockedUntilMicros nothing starts before
 * @param step how many refusals in a row have led here: n of the back-off
 * @param wins successes of requests granted since the last step
 * @param slowIntervalMicros the least time between two starts that blame asks for; 0 where it does not
 * @param peak the adaptive pace at the last refusal, in permits per second; 0 before the first one (start-up)
 * @param growthMicros how long, since then, the adaptive pace has been what held requests back
 */
public record PaceRow(
        int epoch,
        long sinceMicros,
        long blockedUntilMicros,
        int step,
        int wins,
        long slowIntervalMicros,
        double peak,
        long growthMicros) {

    /** Of a target of which nothing is known. */
    public static final PaceRow FRESH = new PaceRow(0, Long.MIN_VALUE, 0, 0, 0, 0, 0, 0);

    public PaceRow {
        if (step < 0 || slowIntervalMicros < 0 || peak < 0 || growthMicros < 0) {
            throw new IllegalArgumentException("negative: step " + step + ", slowIntervalMicros " + slowIntervalMicros
                    + ", peak " + peak + ", growthMicros " + growthMicros);
        }
    }

    /** With a slow-down to one start in so many microseconds, or, with 0, without one. Back-off goes on as it was. */
    public PaceRow slowedTo(long intervalMicros) {
        return new PaceRow(epoch + 1, sinceMicros, blockedUntilMicros, step, wins, intervalMicros, peak, growthMicros);
    }

    /** With a longer pause that is no further step: a late answer of the same event, or an announcement. */
    PaceRow blockedUntil(long untilMicros) {
        return new PaceRow(epoch + 1, sinceMicros, untilMicros, step, wins, slowIntervalMicros, peak, growthMicros);
    }

    /** With the counters of another row of the same event, which went on counting. */
    public PaceRow counting(int countedWins, long countedGrowthMicros) {
        return new PaceRow(
                epoch,
                sinceMicros,
                blockedUntilMicros,
                step,
                countedWins,
                slowIntervalMicros,
                peak,
                countedGrowthMicros);
    }
}
