package io.paceline.scale;

/**
 * What the worker calculator is asked; {@link Double#NaN} stands for what the person did not say.
 *
 * @param tasksPerMinute arrivals at the peak, above 0
 * @param secondsPerTask time that one task takes, above 0
 * @param tasksPerWorker tasks that one worker runs at once, at least 1
 * @param costPerHour what a worker costs an hour, or NaN
 * @param budgetPerHour what an hour may cost, or NaN
 * @param slots tasks that the provider allows at once, or 0
 * @param troughTasksPerMinute arrivals in the quietest hours, or NaN
 * @param cpuPercent CPU of a worker while the queue grows, or NaN
 * @param memoryPercent memory of a worker while the queue grows, or NaN
 */
public record PlanQuestion(
        double tasksPerMinute,
        double secondsPerTask,
        int tasksPerWorker,
        double costPerHour,
        double budgetPerHour,
        int slots,
        double troughTasksPerMinute,
        double cpuPercent,
        double memoryPercent) {

    /** Above it the numbers are a slip of the keyboard, and counts would not fit. */
    private static final double MOST = 1e9;

    public PlanQuestion {
        above("tasks-per-minute", tasksPerMinute);
        above("seconds-per-task", secondsPerTask);
        if (tasksPerWorker < 1) {
            throw new IllegalArgumentException("tasks-per-worker must be 1 or more, not " + tasksPerWorker);
        }
        if (!Double.isNaN(costPerHour)) {
            above("cost-per-hour", costPerHour);
        }
        atLeastZero("budget-per-hour", budgetPerHour);
        if (slots < 0) {
            throw new IllegalArgumentException("slots must be 1 or more, not " + slots);
        }
        atLeastZero("trough-tasks-per-minute", troughTasksPerMinute);
        if (troughTasksPerMinute > tasksPerMinute) {
            throw new IllegalArgumentException("trough-tasks-per-minute " + troughTasksPerMinute
                    + " is above tasks-per-minute " + tasksPerMinute + ", which is the peak");
        }
        percent("cpu", cpuPercent);
        percent("memory", memoryPercent);
        if (Double.isNaN(costPerHour) && !Double.isNaN(budgetPerHour)) {
            throw new IllegalArgumentException("budget-per-hour needs cost-per-hour beside it");
        }
        if (tasksPerMinute / 60 * secondsPerTask > MOST) {
            throw new IllegalArgumentException("tasks-per-minute times seconds-per-task is more than " + (long) MOST
                    + " tasks at once: check both");
        }
    }

    private static void above(String name, double value) {
        if (!(value > 0 && value <= MOST)) {
            throw new IllegalArgumentException(name + " must be above 0 and at most " + (long) MOST + ", not " + value);
        }
    }

    private static void atLeastZero(String name, double value) {
        if (value < 0 || value > MOST) {
            throw new IllegalArgumentException(name + " must be 0 to " + (long) MOST + ", not " + value);
        }
    }

    private static void percent(String name, double value) {
        if (value < 0 || value > 100) {
            throw new IllegalArgumentException(name + " must be 0 to 100 percent, not " + value);
        }
    }
}
