package io.paceline.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntBiFunction;

/**
 * All constraints in their order; each that binds leaves a record of what was wanted and what it allowed.
 *
 * <p>First what lifts (minimum, calendar), then what people ordered (freeze, pause), then what nothing passes: refusals,
 * maximum, slots, budget. The hard ones count every worker that is paid for, also those that drain.
 */
final class Brakes {

    private static final List<Constraint> SOFT = List.of(
            new Simple(
                    "min",
                    (wanted, s) -> Math.max(wanted, s.settings().min()),
                    s -> "never below the minimum of " + s.settings().min()),
            new Simple(
                    "schedule",
                    (wanted, s) -> Math.max(wanted, scheduled(s)),
                    s -> "the calendar asks for " + scheduled(s)),
            new Simple(
                    "frozen",
                    (wanted, s) -> s.orders().frozen() ? s.orders().frozenAt() : wanted,
                    s -> "frozen at " + s.orders().frozenAt()),
            new Simple("up_paused", Brakes::withoutUp, s -> "growing is paused"),
            new Simple("down_paused", Brakes::withoutDown, s -> "shrinking is paused"),
            new Simple(
                    "refused",
                    (wanted, s) -> s.refusals().full(s.nowMicros())
                            ? Math.min(wanted, s.fleet().present())
                            : wanted,
                    s -> "the fleet has no slot available"));

    private static final List<Constraint> HARD = List.of(
            new Simple(
                    "max",
                    (wanted, s) -> Math.min(wanted, s.settings().max()),
                    s -> "never above the maximum of " + s.settings().max()),
            new Simple(
                    "slots",
                    (wanted, s) ->
                            Math.min(wanted, s.settings().slots() / s.settings().tasksPerWorker()),
                    s -> s.settings().slots() + " slots feed "
                            + s.settings().slots() / s.settings().tasksPerWorker() + " workers of "
                            + s.settings().tasksPerWorker()),
            new Simple(
                    "budget",
                    (wanted, s) -> Math.min(wanted, s.settings().budget().affordable()),
                    s -> "an hour's budget pays for " + s.settings().budget().affordable()),
            new Simple(
                    "hour_spent",
                    (wanted, s) ->
                            Math.min(wanted, s.ledger().allowed(s.settings().budget(), s.nowMicros())),
                    s -> "the last hour's spending leaves room for "
                            + s.ledger().allowed(s.settings().budget(), s.nowMicros())),
            new Simple(
                    "shared_budget",
                    (wanted, s) ->
                            Math.min(wanted, s.shared().allowed(s.settings().min())),
                    s -> "other fleets leave " + s.shared().allowed(s.settings().min()) + " of the common budget"));

    private Brakes() {}

    /** What is left of a wish, what bound it, and the most workers that may be paid for in all. */
    record Braked(int allowed, int ceiling, List<ScaleDecision.Brake> brakes) {}

    static Braked apply(int wanted, Constraint.Situation situation) {
        List<ScaleDecision.Brake> applied = new ArrayList<>();
        int count = through(SOFT, wanted, situation, applied);
        int allowed = through(HARD, count, situation, applied);
        int ceiling = through(HARD, Integer.MAX_VALUE, situation, new ArrayList<>());
        return new Braked(allowed, ceiling, List.copyOf(applied));
    }

    private static int through(
            List<Constraint> constraints, int wanted, Constraint.Situation s, List<ScaleDecision.Brake> applied) {
        int count = wanted;
        for (Constraint constraint : constraints) {
            int allowed = constraint.allow(count, s);
            if (allowed != count) {
                applied.add(new ScaleDecision.Brake(constraint.rule(), count, allowed, constraint.why(s)));
            }
            count = allowed;
        }
        return count;
    }

    private static int scheduled(Constraint.Situation s) {
        return s.settings().schedules().stream()
                .mapToInt(schedule -> schedule.minAt(s.nowMicros()))
                .max()
                .orElse(0);
    }

    private static int withoutUp(int wanted, Constraint.Situation s) {
        boolean paused = s.orders().upPaused() && !s.orders().frozen();
        return paused ? Math.min(wanted, s.fleet().present()) : wanted;
    }

    private static int withoutDown(int wanted, Constraint.Situation s) {
        boolean paused = s.orders().downPaused() && !s.orders().frozen();
        return paused ? Math.max(wanted, s.fleet().present()) : wanted;
    }

    /** A constraint from its parts. */
    private record Simple(String rule, ToIntBiFunction<Integer, Situation> limit, Function<Situation, String> reason)
            implements Constraint {

        @Override
        public int allow(int wanted, Situation situation) {
            return limit.applyAsInt(wanted, situation);
        }

        @Override
        public String why(Situation situation) {
            return reason.apply(situation);
        }
    }
}
