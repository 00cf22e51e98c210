package io.paceline.scale;

/**
 * After growing: did the new workers get more done? If not, the provider is full, and more workers only slow each other.
 *
 * <p>Without it a full provider runs away with the fleet: tasks slow down, the measured seconds per task rise, and a
 * longer task asks for more workers.
 *
 * <pre>
 * phase   | growth                        | time to judge                                    | wait over
 * free    | running                       |                                                  |
 * running | running (part of the trial)   | gain, or the queue shrinks: free; else held      |
 * held    | refused: back where it began  |                                                  | free, but cautious
 * </pre>
 *
 * A gain is a quarter of what was promised: completions in proportion to workers. Each failure in a row doubles the wait
 * (300 s at first, an hour at most), and after one the next trial adds a quarter of the workers only.
 *
 * @param from workers before the growth
 * @param rateBefore good completions a second before it
 * @param backlogBefore tasks that waited before it
 * @param untilMicros when to judge, or when the wait is over
 * @param waitMicros how long the next wait will be
 */
record GainTrial(Phase phase, int from, double rateBefore, int backlogBefore, long untilMicros, long waitMicros) {

    /** Where a trial stands. */
    enum Phase {
        FREE,
        RUNNING,
        HELD
    }

    private static final long FIRST_WAIT = 300 * Micros.SECOND;
    private static final long LONGEST_WAIT = Micros.HOUR;
    private static final double SHARE_OF_PROMISE = 0.25;
    private static final double CAUTIOUS_STEP = 0.25;

    static final GainTrial FREE = new GainTrial(Phase.FREE, 0, 0, 0, 0, FIRST_WAIT);

    /** What is known at one step. */
    record Facts(long nowMicros, int current, int backlog, History history, Estimates estimates) {

        /** Long enough for new workers to start, finish their first tasks and be seen doing so. */
        long judgeAtMicros() {
            double seconds = estimates.startupSeconds() + 1.5 * estimates.serviceSeconds() + 60;
            return nowMicros + Math.min(Micros.of(seconds), 15 * Micros.MINUTE);
        }

        /** Completions per second, over at least a minute and one task's time. */
        double rate() {
            return history.goodPerSecond(Math.max(Micros.MINUTE, Micros.of(estimates.serviceSeconds())));
        }
    }

    /** Judges a running trial whose time has come, and ends a wait that is over. */
    GainTrial review(Facts facts) {
        if (phase == Phase.FREE || facts.nowMicros < untilMicros) {
            return this;
        }
        if (phase == Phase.HELD) {
            return new GainTrial(Phase.FREE, 0, 0, 0, 0, waitMicros);
        }
        boolean grew = facts.current > from;
        double promised = rateBefore * (facts.current / (double) from - 1);
        boolean gained = facts.rate() - rateBefore >= SHARE_OF_PROMISE * promised;
        boolean shrinking = facts.backlog < backlogBefore;
        if (!grew || gained || shrinking) {
            return FREE;
        }
        return new GainTrial(
                Phase.HELD, from, 0, 0, facts.nowMicros + waitMicros, Math.min(LONGEST_WAIT, 2 * waitMicros));
    }

    /** The most workers that may run now. */
    int cap(int current) {
        if (phase == Phase.HELD) {
            return from;
        }
        if (phase == Phase.FREE && cautious()) {
            return current + Math.max(1, (int) (current * CAUTIOUS_STEP));
        }
        return phase == Phase.RUNNING && cautious() ? current : Integer.MAX_VALUE;
    }

    /** The fleet grows now. */
    GainTrial grown(Facts facts) {
        if (phase != Phase.FREE || facts.current == 0) {
            return this;
        }
        return new GainTrial(
                Phase.RUNNING, facts.current, facts.rate(), facts.backlog, facts.judgeAtMicros(), waitMicros);
    }

    private boolean cautious() {
        return waitMicros > FIRST_WAIT;
    }

    GainTrial shifted(long micros) {
        return new GainTrial(phase, from, rateBefore, backlogBefore, untilMicros + micros, waitMicros);
    }

    String toText() {
        return phase + "," + from + "," + rateBefore + "," + backlogBefore + "," + untilMicros + "," + waitMicros;
    }

    static GainTrial parse(String text) {
        String[] p = text.split(",");
        return new GainTrial(
                Phase.valueOf(p[0]),
                Integer.parseInt(p[1]),
                Double.parseDouble(p[2]),
                Integer.parseInt(p[3]),
                Long.parseLong(p[4]),
                Long.parseLong(p[5]));
    }
}
