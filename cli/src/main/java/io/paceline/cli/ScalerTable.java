package io.paceline.cli;

import io.paceline.sim.scaler.PolicyReport;
import io.paceline.sim.scaler.ScenarioReport;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The report of {@code simulate scaler} for people: a table per scenario, the best of each column with a star. */
final class ScalerTable {

    private static final int NAME_WIDTH = 11;

    /** One column; less is better in all of them. */
    private record Column(String head, int width, String format, double scale, ToDoubleFunction<PolicyReport> value) {}

    private static final List<Column> COLUMNS = List.of(
            new Column("worker-h", 10, "%.2f", 1, PolicyReport::workerHours),
            new Column("late %", 8, "%.2f", 100, PolicyReport::sloMissRate),
            new Column("wait p50", 10, "%.0f", 1, PolicyReport::waitP50Seconds),
            new Column("p95", 7, "%.0f", 1, PolicyReport::waitP95Seconds),
            new Column("max", 7, "%.0f", 1, PolicyReport::waitMaxSeconds),
            new Column("actions", 9, "%.1f", 1, PolicyReport::actions),
            new Column("flips", 8, "%.1f", 1, PolicyReport::flips),
            new Column("peak", 7, "%.1f", 1, PolicyReport::peak),
            new Column("over", 7, "%.1f", 1, PolicyReport::surplus),
            new Column("wasted", 9, "%.1f", 1, PolicyReport::wastedAttempts),
            new Column("dead", 7, "%.1f", 1, PolicyReport::deadLettered),
            new Column("re-run", 8, "%.1f", 1, PolicyReport::reruns),
            new Column("breaches", 10, "%.0f", 1, PolicyReport::capBreaches),
            new Column("recover", 9, "%.0f", 1, PolicyReport::recoverySeconds),
            new Column("finished", 10, "%.0f", 1, PolicyReport::finishedAt));

    private ScalerTable() {}

    static void print(List<ScenarioReport> reports, PrintWriter out) {
        for (ScenarioReport report : reports) {
            out.println(report.name() + (report.heldOut() ? " (held out)" : "") + ": " + report.story() + "; "
                    + Words.count(report.seeds(), "seed"));
            table(report.policies(), out);
            out.println();
        }
        sums(reports, out);
        out.println("Means over the seeds; breaches are sums. late: waited beyond the target, or not done when due."
                + " Times in seconds. over: most workers without a task to take. * best of its column.");
    }

    private static void table(List<PolicyReport> policies, PrintWriter out) {
        StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "  %-" + NAME_WIDTH + "s", "policy"));
        COLUMNS.forEach(c -> head.append(String.format(Locale.ROOT, "%" + c.width + "s ", c.head)));
        out.println(head.toString().stripTrailing());
        for (PolicyReport policy : policies) {
            StringBuilder row =
                    new StringBuilder(String.format(Locale.ROOT, "  %-" + NAME_WIDTH + "s", policy.policy()));
            COLUMNS.forEach(c -> row.append(cell(c, policy, policies)));
            out.println(row.toString().stripTrailing());
        }
    }

    private static String cell(Column column, PolicyReport policy, List<PolicyReport> all) {
        String shown = shown(column, policy);
        List<String> others = all.stream().map(p -> shown(column, p)).distinct().collect(Collectors.toList());
        double least = all.stream().mapToDouble(column.value).min().orElse(Double.NaN);
        boolean best = others.size() > 1 && column.value.applyAsDouble(policy) == least;
        return String.format(Locale.ROOT, "%" + column.width + "s%s", shown, best ? "*" : " ");
    }

    private static String shown(Column column, PolicyReport policy) {
        double value = column.value.applyAsDouble(policy);
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, column.format, value * column.scale);
    }

    /** What the exam asks first: over the scenarios that are not held out. */
    private static void sums(List<ScenarioReport> reports, PrintWriter out) {
        List<ScenarioReport> summed = reports.stream().filter(r -> !r.heldOut()).toList();
        if (summed.size() < 2) {
            return;
        }
        out.println("sums over " + summed.size() + " scenarios; late: mean over those with a wait target in the exam");
        out.println(String.format(
                Locale.ROOT, "  %-11s%10s %9s %8s %10s", "policy", "worker-h", "actions", "late %", "breaches"));
        for (int i = 0; i < summed.get(0).policies().size(); i++) {
            int at = i;
            List<PolicyReport> own =
                    summed.stream().map(r -> r.policies().get(at)).toList();
            double late = summed.stream()
                    .filter(ScenarioReport::countsForWaits)
                    .mapToDouble(r -> r.policies().get(at).sloMissRate())
                    .average()
                    .orElse(Double.NaN);
            out.println(String.format(
                    Locale.ROOT,
                    "  %-11s%10.1f %9.1f %8s %10d",
                    own.get(0).policy(),
                    own.stream().mapToDouble(PolicyReport::workerHours).sum(),
                    own.stream().mapToDouble(PolicyReport::actions).sum(),
                    Double.isNaN(late) ? "-" : String.format(Locale.ROOT, "%.2f", late * 100),
                    own.stream().mapToInt(PolicyReport::capBreaches).sum()));
        }
        out.println();
    }
}
