package io.paceline.cli;

import io.paceline.sim.pool.Contestant;
import io.paceline.sim.pool.PolicyReport;
import io.paceline.sim.pool.ScenarioReport;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The report of {@code simulate} on pools for people: a table per scenario, the best of each column with a star. */
final class PoolTable {

    private static final int NAME_WIDTH = 10;
    private static final String ORACLE = Contestant.ORACLE.word();

    /** One column; {@code sign} 1 where more is better, -1 where less is. */
    private record Column(
            String head, int width, String format, double scale, int sign, ToDoubleFunction<PolicyReport> value) {}

    private static final List<Column> COLUMNS = List.of(
            new Column("success %", 10, "%.2f", 100, 1, PolicyReport::successRate),
            new Column("of oracle", 10, "%.2f", 100, 1, PolicyReport::oracleRatio),
            new Column("refused", 9, "%.2f", 100, -1, PolicyReport::refusedRate),
            new Column("wasted", 8, "%.2f", 100, -1, PolicyReport::wastedRate),
            new Column("false out", 10, "%.1f", 1, -1, PolicyReport::falseQuarantines),
            new Column("right", 7, "%.1f", 100, 1, PolicyReport::precision),
            new Column("rotations", 10, "%.1f", 1, -1, PolicyReport::sessionRotations),
            new Column("ended", 9, "%.1f", 1, -1, PolicyReport::sessionsEnded),
            new Column("captcha", 8, "%.2f", 100, -1, PolicyReport::captchaShare),
            new Column("shift at", 9, "%.1f", 100, -1, PolicyReport::shareAtShift),
            new Column("seen", 6, "%.1f", 100, -1, PolicyReport::shareSeenAtShift),
            new Column("recovery", 9, "%.1f", 1, -1, PolicyReport::recoverySeconds),
            new Column("elsewhere", 10, "%.2f", 100, 1, PolicyReport::elsewhereRate),
            new Column("alarm", 7, "%.1f", 1, -1, PolicyReport::alarmSeconds),
            new Column("broken", 7, "%.0f", 1, -1, PolicyReport::invariantViolations));

    private PoolTable() {}

    static void print(List<ScenarioReport> reports, PrintWriter out) {
        for (ScenarioReport report : reports) {
            out.println(report.name() + ": " + report.story() + "; " + Words.count(report.seeds(), "seed"));
            table(report.policies(), out);
            recall(report.policies(), out);
            report.violations().forEach(violation -> out.println("  NEVER: " + violation));
            out.println();
        }
        out.println(
                "Means over the seeds. Shares in %: refused of requests; wasted: of tries, on an address or cell that"
                        + " itself fails half of them or more.");
        out.println(
                "false out: transitions a run that put out a healthy address or cell; right: share of all transitions"
                        + " out that were not; rotations: sessions moved without a word; ended: told so.");
        out.println(
                "shift at: failing share at which a drifting cell was put out; seen: share of its tries that had failed until then; recovery: seconds after the incident;"
                        + " elsewhere: success meanwhile on other targets; alarm: seconds until a dead control URL is named; broken: invariants. * best of those who do not know the"
                        + " truth.");
    }

    private static void table(List<PolicyReport> policies, PrintWriter out) {
        List<Column> shown = COLUMNS.stream()
                .filter(c -> policies.stream().anyMatch(p -> !Double.isNaN(c.value.applyAsDouble(p))))
                .toList();
        StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "  %-" + NAME_WIDTH + "s", "policy"));
        shown.forEach(c -> head.append(String.format(Locale.ROOT, "%" + c.width + "s ", c.head)));
        out.println(head.toString().stripTrailing());
        for (PolicyReport policy : policies) {
            StringBuilder row =
                    new StringBuilder(String.format(Locale.ROOT, "  %-" + NAME_WIDTH + "s", policy.policy()));
            shown.forEach(c -> row.append(cell(c, policy, policies)));
            out.println(row.toString().stripTrailing());
        }
    }

    private static String cell(Column column, PolicyReport policy, List<PolicyReport> all) {
        List<PolicyReport> rivals =
                all.stream().filter(p -> !p.policy().equals(ORACLE)).toList();
        List<String> values =
                rivals.stream().map(p -> text(column, p)).distinct().collect(Collectors.toList());
        double best = rivals.stream()
                .mapToDouble(p -> column.sign * column.value.applyAsDouble(p))
                .filter(value -> !Double.isNaN(value))
                .max()
                .orElse(Double.NaN);
        boolean star = values.size() > 1
                && !policy.policy().equals(ORACLE)
                && column.sign * column.value.applyAsDouble(policy) == best;
        return String.format(Locale.ROOT, "%" + column.width + "s%s", text(column, policy), star ? "*" : " ");
    }

    private static String text(Column column, PolicyReport policy) {
        double value = column.value.applyAsDouble(policy);
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, column.format, value * column.scale);
    }

    /** Whose faults were found, where a policy puts anybody out at all. */
    private static void recall(List<PolicyReport> policies, PrintWriter out) {
        for (PolicyReport policy : policies) {
            if (policy.verdicts() > 0 && !policy.recall().isEmpty()) {
                String found = policy.recall().entrySet().stream()
                        .map(e -> String.format(Locale.ROOT, "%s %.0f %%", e.getKey(), 100 * e.getValue()))
                        .collect(Collectors.joining(", "));
                String after = Double.isNaN(policy.medianDelay())
                        ? ""
                        : String.format(Locale.ROOT, "; median of %.0f faulty outcomes", policy.medianDelay());
                out.println("    " + policy.policy() + " found: " + found + after);
            }
        }
    }
}
