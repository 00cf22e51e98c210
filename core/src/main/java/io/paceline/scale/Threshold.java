package io.paceline.scale;

import java.time.Duration;

/**
 * The policy for those who want it simple: one step up when the queue is long, one down when it is short.
 *
 * <pre>
 * waiting  | errors &lt;= 10 %                                         | errors &gt; 10 %
 * above 50 | one up; two up where the backlog needs more than 5 min | one down
 * 10 to 50 | stay                                                   | one down
 * below 10 | one down                                               | one down
 * </pre>
 *
 * A step only towards ceil(depth / tasks per worker), and none within the cooldown of the last. Its weaknesses are
 * known and are what {@link Planner} answers: docs/scaler.md lists them.
 */
public final class Threshold implements Policy<Threshold.State> {

    /** What the backlog may need before two workers are added at once. */
    private static final double LONG_BACKLOG_SECONDS = 300;

    private final ScalerSettings settings;
    private final Options options;

    public Threshold(ScalerSettings settings, Options options) {
        this.settings = settings;
        this.options = options;
    }

    /**
     * The numbers of the table.
     *
     * @param upAbove waiting tasks above which it grows
     * @param downBelow waiting tasks below which it shrinks
     * @param cooldown time without a step after a step
     * @param errorRate share of failed attempts above which it never grows, 0 to 1
     */
    public record Options(int upAbove, int downBelow, Duration cooldown, double errorRate) {

        private static final Options DEFAULTS = new Options(50, 10, Duration.ofMinutes(2), 0.1);

        public Options {
            if (downBelow < 0 || upAbove < downBelow) {
                throw new IllegalArgumentException("threshold.up_above " + upAbove
                        + " must not be below threshold.down_below " + downBelow + ", and neither below 0");
            }
            if (cooldown.isNegative()) {
                throw new IllegalArgumentException("threshold.cooldown " + cooldown + " is negative");
            }
            if (!(errorRate >= 0 && errorRate <= 1)) {
                throw new IllegalArgumentException("threshold.error_rate " + errorRate + " is not between 0 and 1");
            }
        }

        public static Options defaults() {
            return DEFAULTS;
        }
    }

    /** When the last step was, and the counters since. */
    public record State(long lastStepMicros, History history) {

        private static final long NEVER = Long.MIN_VALUE / 2;

        /** One line of text from which {@link #parse} makes the same state. */
        public String toLine() {
            return lastStepMicros + ";" + history.toText();
        }

        public static State parse(String line) {
            String[] parts = line.split(";", -1);
            return new State(Long.parseLong(parts[0]), History.parse(parts[1]));
        }
    }

    @Override
    public String name() {
        return "threshold";
    }

    @Override
    public State initial() {
        return new State(State.NEVER, History.EMPTY);
    }

    @Override
    public Step<State> step(Snapshot snapshot, FleetView fleet, State state) {
        long now = snapshot.nowMicros();
        History history = state.history().with(snapshot.tally(), now);
        int current = fleet.present();
        Figure<Integer> demand = snapshot.demand();
        Wish wish = demand.quality(now, settings.maxAgeMicros()).usable()
                ? wish(demand.orElse(0), snapshot.inFlight().orElse(0), current, history)
                : new Wish(current, "blind", "the queue could not be read: stay");
        if (demand instanceof Figure.AtLeast<Integer> && wish.workers() < current) {
            wish = new Wish(current, "partial", "the queue was counted only in part: never down");
        }
        if (wish.workers() == current) {
            return new Step<>(wish, new State(state.lastStepMicros(), history));
        }
        if (now - state.lastStepMicros() < Micros.of(options.cooldown())) {
            Wish held = new Wish(current, "cooldown", "the last step was less than " + options.cooldown() + " ago");
            return new Step<>(held, new State(state.lastStepMicros(), history));
        }
        return new Step<>(wish, new State(now, history));
    }

    private Wish wish(int waiting, int inFlight, int current, History history) {
        double errors = history.failures().share();
        if (errors > options.errorRate()) {
            return new Wish(
                    Math.max(settings.min(), current - 1), "errors", Text.percent(errors) + " of attempts fail");
        }
        int k = settings.tasksPerWorker();
        int wanted = (waiting + inFlight + k - 1) / k;
        if (waiting > options.upAbove() && wanted > current) {
            double perSecond = history.finishedPerSecond(5 * Micros.MINUTE);
            boolean urgent = waiting > perSecond * LONG_BACKLOG_SECONDS;
            return new Wish(current + (urgent ? 2 : 1), "backlog", waiting + " tasks wait");
        }
        if (waiting < options.downBelow() && wanted < current) {
            return new Wish(Math.max(settings.min(), current - 1), "short", "only " + waiting + " tasks wait");
        }
        return new Wish(current, "steady", waiting + " tasks wait");
    }
}
