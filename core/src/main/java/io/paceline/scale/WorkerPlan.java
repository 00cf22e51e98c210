package io.paceline.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The answer of the worker calculator.
 *
 * <p>Little's law, tasks at once = arrivals x time per task, is a fleet that is busy all the time and whose queue therefore
 * grows without end at the first bad minute. So a second number carries headroom: R + 0.5*sqrt(R) slots, the square-root
 * staffing rule (Halfin and Whitt 1981), and that one is recommended.
 *
 * @param busySlots tasks at once at the peak, R
 * @param workers workers that R fills
 * @param slots tasks that these workers run at once
 * @param recommendedWorkers workers with headroom
 * @param recommendedSlots tasks that those run at once
 * @param hourlyCost of the recommended workers; NaN where no cost was given
 * @param maxAffordableWorkers what the budget pays for; -1 where none was given
 * @param maxWorkersBySlots what the provider's slots feed; -1 where none were given
 * @param advice sentences for people
 */
public record WorkerPlan(
        double busySlots,
        int workers,
        int slots,
        int recommendedWorkers,
        int recommendedSlots,
        double hourlyCost,
        int maxAffordableWorkers,
        int maxWorkersBySlots,
        List<String> advice) {

    public static final int NOT_ASKED = -1;

    /** Below it a fleet sized for the peak costs little more than one that follows the load. */
    private static final double AUTOSCALING_PAYS_FROM = 3;

    private static final double BUSY_PERCENT = 80;
    private static final double HAIR = 1e-9;

    public WorkerPlan {
        advice = List.copyOf(advice);
    }

    public static WorkerPlan of(PlanQuestion q) {
        double busy = q.tasksPerMinute() * q.secondsPerTask() / 60;
        int k = q.tasksPerWorker();
        int workers = ceil(busy / k);
        int recommended = ceil((busy + 0.5 * Math.sqrt(busy)) / k);
        int affordable = Double.isNaN(q.budgetPerHour())
                ? NOT_ASKED
                : new Budget(q.budgetPerHour(), q.costPerHour()).affordable();
        int bySlots = q.slots() == 0 ? NOT_ASKED : q.slots() / k;
        WorkerPlan plan = new WorkerPlan(
                busy,
                workers,
                saturated((long) workers * k),
                recommended,
                saturated((long) recommended * k),
                recommended * q.costPerHour(),
                affordable,
                bySlots,
                List.of());
        return plan.withAdvice(q);
    }

    private WorkerPlan withAdvice(PlanQuestion q) {
        List<String> said = new ArrayList<>();
        if (recommendedWorkers > workers) {
            said.add(workers + " workers would be busy all the time, and the queue would grow at every peak: plan for "
                    + recommendedWorkers + ".");
        } else {
            said.add("The last worker is only partly filled: " + workers + " workers already have the headroom.");
        }
        limits(said, q);
        outOrUp(said, q);
        pays(said, q);
        return new WorkerPlan(
                busySlots,
                workers,
                slots,
                recommendedWorkers,
                recommendedSlots,
                hourlyCost,
                maxAffordableWorkers,
                maxWorkersBySlots,
                said);
    }

    private void limits(List<String> said, PlanQuestion q) {
        if (maxAffordableWorkers != NOT_ASKED && maxAffordableWorkers < recommendedWorkers) {
            said.add("The budget pays for " + maxAffordableWorkers + " workers, " + recommendedWorkers
                    + " are recommended: the queue will "
                    + (maxAffordableWorkers < workers ? "grow." : "be late at peaks."));
        }
        if (maxWorkersBySlots != NOT_ASKED && maxWorkersBySlots < recommendedWorkers) {
            said.add(q.slots() + " slots feed " + maxWorkersBySlots + " workers of " + q.tasksPerWorker() + " tasks, "
                    + recommendedWorkers + " are recommended: buy " + recommendedSlots
                    + " slots; more workers would only fail with \"no slot available\".");
        }
    }

    private static void outOrUp(List<String> said, PlanQuestion q) {
        if (Double.isNaN(q.cpuPercent()) && Double.isNaN(q.memoryPercent())) {
            said.add(
                    "Scale out or up? Look at a worker while the queue grows (--cpu, --memory): both low means more tasks"
                            + " per worker, one near its end means more workers.");
            return;
        }
        boolean cpu = q.cpuPercent() >= BUSY_PERCENT;
        boolean memory = q.memoryPercent() >= BUSY_PERCENT;
        if (cpu) {
            said.add("Scale out: a worker's CPU is used up, more tasks per worker would only slow each other.");
        }
        if (memory) {
            said.add(
                    "Scale up: a worker's memory is nearly full; give it more, or fewer tasks per worker and more workers.");
        }
        if (!cpu && !memory) {
            said.add(
                    "Scale up first: workers have CPU and memory to spare while tasks wait; raise tasks per worker, which"
                            + " costs nothing, before adding workers.");
        }
    }

    private static void pays(List<String> said, PlanQuestion q) {
        double trough = q.troughTasksPerMinute();
        if (Double.isNaN(trough)) {
            said.add("Autoscaling pays where the peak is at least 3 times the trough; below that run the recommended"
                    + " number all day (--trough-tasks-per-minute tells).");
            return;
        }
        double ratio = q.tasksPerMinute() / trough;
        String times = trough == 0 ? "The trough is empty" : String.format(Locale.ROOT, "Peak/trough is %.1f", ratio);
        said.add(
                ratio < AUTOSCALING_PAYS_FROM
                        ? times + ", below 3: autoscaling does not pay, run the recommended number all day."
                        : times + ": autoscaling pays.");
    }

    private static int ceil(double value) {
        return (int) Math.max(1, Math.ceil(value - HAIR));
    }

    private static int saturated(long value) {
        return (int) Math.min(Integer.MAX_VALUE, value);
    }
}
