package io.paceline.health;

/**
 * The row of an address or of a cell as a store returns it: what was decided, and what was counted since.
 *
 * @param standing the decision in force
 * @param outcomes outcomes in the window, at most {@link #WINDOW}
 * @param successes successes among them
 * @param failStreak failures in a row, a burst inside one instant counted once
 * @param winStreak successes in a row
 * @param wins successes since the standing last changed
 * @param latencyMicros average latency of successes, recent ones weighing more; 0 where unknown
 * @param live leases that have neither been settled nor expired
 * @param trail the last outcomes one by one
 * @param latency of an address: percentiles, and how they compare with its norm
 * @param revision grows with each change of the row: of two copies the one with the higher number is the newer
 */
public record SubjectRow(
        Standing standing,
        int outcomes,
        int successes,
        int failStreak,
        int winStreak,
        int wins,
        long latencyMicros,
        int live,
        Trail trail,
        Latency latency,
        int revision) {

    /** A row of which only the counts are known. */
    public SubjectRow(
            Standing standing,
            int outcomes,
            int successes,
            int failStreak,
            int winStreak,
            int wins,
            long latencyMicros,
            int live,
            int revision) {
        this(standing, outcomes, successes, failStreak, winStreak, wins, latencyMicros, live, Trail.NONE, revision);
    }

    /** A row of which no percentiles are known: a cell's. */
    public SubjectRow(
            Standing standing,
            int outcomes,
            int successes,
            int failStreak,
            int winStreak,
            int wins,
            long latencyMicros,
            int live,
            Trail trail,
            int revision) {
        this(
                standing,
                outcomes,
                successes,
                failStreak,
                winStreak,
                wins,
                latencyMicros,
                live,
                trail,
                Latency.NONE,
                revision);
    }

    /** The same counts under another standing and revision. */
    public SubjectRow as(Standing other, int otherRevision) {
        return new SubjectRow(
                other,
                outcomes,
                successes,
                failStreak,
                winStreak,
                wins,
                latencyMicros,
                live,
                trail,
                latency,
                otherRevision);
    }

    /** How many outcomes a window remembers. */
    public static final int WINDOW = 50;

    /** Success rate over the window, drawn towards 1 while little is known: (successes + 2) / (outcomes + 2). */
    public double successRate() {
        return successRate(successes, outcomes);
    }

    /** The same of a window of which only these are known. */
    public static double successRate(int successes, int outcomes) {
        return (successes + 2.0) / (outcomes + 2.0);
    }
}
