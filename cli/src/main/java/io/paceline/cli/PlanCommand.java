package io.paceline.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.paceline.scale.PlanQuestion;
import io.paceline.scale.WorkerPlan;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code plan}: how many workers a load needs, what they cost, and whether autoscaling pays. */
@Command(name = "plan", description = "The worker calculator: workers, slots, cost and advice for a load.")
final class PlanCommand implements Runnable {

    @Option(names = "--tasks-per-minute", required = true, paramLabel = "N", description = "Arrivals at the peak.")
    private double tasksPerMinute;

    @Option(names = "--seconds-per-task", required = true, paramLabel = "S", description = "Time of one task.")
    private double secondsPerTask;

    @Option(
            names = "--tasks-per-worker",
            required = true,
            paramLabel = "K",
            description = "Tasks that one worker runs at once.")
    private int tasksPerWorker;

    @Option(names = "--cost-per-hour", paramLabel = "C", description = "What one worker costs an hour.")
    private double costPerHour = Double.NaN;

    @Option(names = "--budget-per-hour", paramLabel = "B", description = "What an hour may cost.")
    private double budgetPerHour = Double.NaN;

    @Option(names = "--slots", paramLabel = "N", description = "Tasks at once that your provider allows.")
    private int slots;

    @Option(
            names = "--trough-tasks-per-minute",
            paramLabel = "N",
            description = "Arrivals in the quietest hours: does autoscaling pay?")
    private double trough = Double.NaN;

    @Option(names = "--cpu", paramLabel = "PERCENT", description = "CPU of a worker while the queue grows.")
    private double cpu = Double.NaN;

    @Option(names = "--memory", paramLabel = "PERCENT", description = "Memory of a worker while the queue grows.")
    private double memory = Double.NaN;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        WorkerPlan plan = plan();
        if (json) {
            out.println(asJson(plan).toPrettyString());
        } else {
            print(plan, out);
        }
    }

    private WorkerPlan plan() {
        if (spec.commandLine().getParseResult().hasMatchedOption("--slots") && slots < 1) {
            throw Failure.input("slots must be 1 or more, not " + slots);
        }
        try {
            return WorkerPlan.of(new PlanQuestion(
                    tasksPerMinute,
                    secondsPerTask,
                    tasksPerWorker,
                    costPerHour,
                    budgetPerHour,
                    slots,
                    trough,
                    cpu,
                    memory));
        } catch (IllegalArgumentException e) {
            throw Failure.input(String.valueOf(e.getMessage()));
        }
    }

    private static void print(WorkerPlan plan, PrintWriter out) {
        line(out, "busy at the peak", String.format(Locale.ROOT, "%.1f tasks at once", plan.busySlots()));
        line(out, "workers", plan.workers() + ", " + plan.slots() + " slots (all busy, no headroom)");
        line(out, "recommended", plan.recommendedWorkers() + ", " + plan.recommendedSlots() + " slots (with headroom)");
        if (!Double.isNaN(plan.hourlyCost())) {
            line(out, "cost per hour", String.format(Locale.ROOT, "%.2f for the recommended", plan.hourlyCost()));
        }
        if (plan.maxAffordableWorkers() != WorkerPlan.NOT_ASKED) {
            line(out, "budget pays for", plan.maxAffordableWorkers() + " workers");
        }
        if (plan.maxWorkersBySlots() != WorkerPlan.NOT_ASKED) {
            line(out, "slots feed", plan.maxWorkersBySlots() + " workers");
        }
        plan.advice().forEach(sentence -> out.println("- " + sentence));
    }

    private static void line(PrintWriter out, String name, String value) {
        out.println(String.format(Locale.ROOT, "%-18s%s", name, value));
    }

    private static ObjectNode asJson(WorkerPlan plan) {
        ObjectNode node = new ObjectMapper().createObjectNode();
        node.put("busy_slots", plan.busySlots());
        node.put("workers", plan.workers());
        node.put("slots", plan.slots());
        node.put("recommended_workers", plan.recommendedWorkers());
        node.put("recommended_slots", plan.recommendedSlots());
        if (Double.isNaN(plan.hourlyCost())) {
            node.putNull("cost_per_hour");
        } else {
            node.put("cost_per_hour", Math.round(plan.hourlyCost() * 1e6) / 1e6);
        }
        put(node, "max_affordable_workers", plan.maxAffordableWorkers());
        put(node, "max_workers_by_slots", plan.maxWorkersBySlots());
        plan.advice().forEach(node.putArray("advice")::add);
        return node;
    }

    private static void put(ObjectNode node, String name, int value) {
        if (value == WorkerPlan.NOT_ASKED) {
            node.putNull(name);
        } else {
            node.put(name, value);
        }
    }
}
