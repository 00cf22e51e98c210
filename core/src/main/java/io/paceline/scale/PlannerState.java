package io.paceline.scale;

/**
 * Everything that the planner remembers; plain values, so that a scaler that restarts goes on where it was.
 *
 * @param lastMicros when it decided last; {@link #NEVER} at first
 * @param history counters of the last ten minutes
 * @param serviceSeconds smoothed slot-seconds per attempt; 0 until measured
 * @param window needs of the last moments
 * @param breaker whether most attempts fail
 * @param trial whether the last growth has shown its worth
 * @param blindMicros since when the queue cannot be read; {@link #NEVER} while it can
 * @param grownBacklog tasks waiting or in flight at the last growth: while its workers start, only more than that is new
 * @param lastWish workers wished for last
 */
public record PlannerState(
        long lastMicros,
        History history,
        double serviceSeconds,
        DownWindow window,
        Breaker breaker,
        GainTrial trial,
        long blindMicros,
        int grownBacklog,
        int lastWish) {

    static final long NEVER = Long.MIN_VALUE;

    static final PlannerState INITIAL =
            new PlannerState(NEVER, History.EMPTY, 0, DownWindow.EMPTY, Breaker.CLOSED, GainTrial.FREE, NEVER, 0, 0);

    /** Gaps above so many periods are time that nobody watched, or a clock that jumped. */
    private static final int GAP_PERIODS = 4;

    /**
     * Time in which the scaler did not watch is not counted: all memories move along, so that a clock that jumps
     * (either way) or a scaler that stood still neither ages nor rejuvenates them. The window for going down starts anew.
     */
    PlannerState rebased(long nowMicros, long periodMicros) {
        long gap = nowMicros - lastMicros;
        if (lastMicros == NEVER || (gap >= 0 && gap <= GAP_PERIODS * periodMicros)) {
            return this;
        }
        long shift = gap - periodMicros;
        return new PlannerState(
                nowMicros - periodMicros,
                history.shifted(shift),
                serviceSeconds,
                DownWindow.EMPTY,
                breaker.shifted(shift),
                trial.shifted(shift),
                blindMicros == NEVER ? NEVER : blindMicros + shift,
                grownBacklog,
                lastWish);
    }

    /** One line of text from which {@link #parse} makes the same state: fields in order, split by {@code ;}. */
    public String toLine() {
        return String.join(
                ";",
                Long.toString(lastMicros),
                history.toText(),
                Double.toString(serviceSeconds),
                window.toText(),
                breaker.toText(),
                trial.toText(),
                Long.toString(blindMicros),
                Integer.toString(grownBacklog),
                Integer.toString(lastWish));
    }

    /**
     * Reads what {@link #toLine} wrote.
     *
     * @throws IllegalArgumentException where the line is another thing; start from {@link Planner#initial} then
     */
    public static PlannerState parse(String line) {
        String[] p = line.split(";", -1);
        if (p.length != 9) {
            throw new IllegalArgumentException("a planner's state has 9 fields, this line has " + p.length);
        }
        try {
            return new PlannerState(
                    Long.parseLong(p[0]),
                    History.parse(p[1]),
                    Double.parseDouble(p[2]),
                    DownWindow.parse(p[3]),
                    Breaker.parse(p[4]),
                    GainTrial.parse(p[5]),
                    Long.parseLong(p[6]),
                    Integer.parseInt(p[7]),
                    Integer.parseInt(p[8]));
        } catch (IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("a field of the planner's state is cut off", e);
        }
    }
}
