package io.paceline.scale;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * What people set for one autoscaler; impossible combinations are refused with both numbers.
 *
 * @param goal the wait or the deadline to plan for
 * @param min fewest workers
 * @param max most workers, those that drain included
 * @param tasksPerWorker tasks that one worker runs at once
 * @param slots tasks that the provider allows at once over all workers; {@link #NO_SLOT_LIMIT} where it names none
 * @param budget money per hour
 * @param fallback workers to have at least once the queue could not be read for three minutes
 * @param period time between two decisions
 * @param startup guess of the time from asked for to ready, until it is measured
 * @param serviceGuess guess of the time that one task takes, until it is measured
 * @param schedules calendar minimums
 * @param dryRun decide and record, but act never
 */
public record ScalerSettings(
        Goal goal,
        int min,
        int max,
        int tasksPerWorker,
        int slots,
        Budget budget,
        int fallback,
        Duration period,
        Duration startup,
        Duration serviceGuess,
        List<Schedule> schedules,
        boolean dryRun) {

    public static final int NO_SLOT_LIMIT = Integer.MAX_VALUE;

    private static final ScalerSettings DEFAULTS = new ScalerSettings(
            new Goal.Wait(Duration.ofMinutes(5)),
            2,
            20,
            10,
            NO_SLOT_LIMIT,
            Budget.UNLIMITED,
            2,
            Duration.ofSeconds(15),
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            List.of(),
            false);

    public ScalerSettings {
        Objects.requireNonNull(goal, "goal");
        Objects.requireNonNull(budget, "budget");
        schedules = List.copyOf(schedules);
        check(min >= 0, "scaler.min " + min + " is below 0");
        check(max >= 1, "scaler.max " + max + " is below 1");
        check(min <= max, "scaler.min " + min + " is above scaler.max " + max);
        check(tasksPerWorker >= 1, "scaler.tasks_per_worker " + tasksPerWorker + " is below 1");
        check(
                slots / tasksPerWorker >= Math.max(1, min),
                "scaler.slots " + slots + " do not feed " + Math.max(1, min) + " workers of " + tasksPerWorker
                        + " tasks each: raise slots or lower scaler.min");
        check(
                budget.affordable() >= min,
                "scaler.budget affords " + budget.affordable() + " workers, scaler.min is " + min);
        check(fallback >= 0, "scaler.fallback " + fallback + " is below 0");
        positive("scaler.period", period);
        positive("scaler.startup", startup);
        positive("scaler.service_guess", serviceGuess);
    }

    public static ScalerSettings defaults() {
        return DEFAULTS;
    }

    public ScalerSettings withGoal(Goal newGoal) {
        return new ScalerSettings(
                newGoal,
                min,
                max,
                tasksPerWorker,
                slots,
                budget,
                fallback,
                period,
                startup,
                serviceGuess,
                schedules,
                dryRun);
    }

    public ScalerSettings withWorkers(int newMin, int newMax) {
        return new ScalerSettings(
                goal,
                newMin,
                newMax,
                tasksPerWorker,
                slots,
                budget,
                fallback,
                period,
                startup,
                serviceGuess,
                schedules,
                dryRun);
    }

    public ScalerSettings withTasksPerWorker(int tasks) {
        return new ScalerSettings(
                goal, min, max, tasks, slots, budget, fallback, period, startup, serviceGuess, schedules, dryRun);
    }

    public ScalerSettings withSlots(int newSlots) {
        return new ScalerSettings(
                goal,
                min,
                max,
                tasksPerWorker,
                newSlots,
                budget,
                fallback,
                period,
                startup,
                serviceGuess,
                schedules,
                dryRun);
    }

    public ScalerSettings withBudget(Budget newBudget) {
        return new ScalerSettings(
                goal,
                min,
                max,
                tasksPerWorker,
                slots,
                newBudget,
                fallback,
                period,
                startup,
                serviceGuess,
                schedules,
                dryRun);
    }

    public ScalerSettings withFallback(int workers) {
        return new ScalerSettings(
                goal,
                min,
                max,
                tasksPerWorker,
                slots,
                budget,
                workers,
                period,
                startup,
                serviceGuess,
                schedules,
                dryRun);
    }

    /** The three times: between decisions, guessed start-up, guessed time of one task. */
    public ScalerSettings withTimes(Duration newPeriod, Duration newStartup, Duration newServiceGuess) {
        return new ScalerSettings(
                goal,
                min,
                max,
                tasksPerWorker,
                slots,
                budget,
                fallback,
                newPeriod,
                newStartup,
                newServiceGuess,
                schedules,
                dryRun);
    }

    public ScalerSettings withSchedules(List<Schedule> newSchedules) {
        return new ScalerSettings(
                goal,
                min,
                max,
                tasksPerWorker,
                slots,
                budget,
                fallback,
                period,
                startup,
                serviceGuess,
                newSchedules,
                dryRun);
    }

    public ScalerSettings withDryRun(boolean dry) {
        return new ScalerSettings(
                goal, min, max, tasksPerWorker, slots, budget, fallback, period, startup, serviceGuess, schedules, dry);
    }

    long periodMicros() {
        return Micros.of(period);
    }

    /** How old a figure may be: two periods. */
    long maxAgeMicros() {
        return 2 * periodMicros();
    }

    private static void check(boolean right, String otherwise) {
        if (!right) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    private static void positive(String name, Duration value) {
        check(!value.isZero() && !value.isNegative(), name + " " + value + " is not above 0");
    }
}
