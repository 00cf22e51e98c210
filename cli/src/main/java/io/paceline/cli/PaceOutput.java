package io.paceline.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.paceline.sim.pace.CrowdReport;
import io.paceline.sim.pace.PaceReport;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** The report of {@code simulate pace}, for people and for machines. */
final class PaceOutput {
    private PaceOutput() {}

    static void table(List<PaceReport> reports, List<CrowdReport> crowds, PrintWriter out) {
        String scenario = "";
        for (PaceReport report : reports) {
            if (!report.scenario().equals(scenario)) {
                scenario = report.scenario();
                out.println(scenario + ": " + report.story() + "; " + Words.count(report.seeds(), "seed"));
                out.println("  policy          used %     429 %   settled     worst");
            }
            out.println(String.format(
                    Locale.ROOT,
                    "  %-13s%9.1f %9.3f %9s %9s",
                    report.policy(),
                    100 * report.used(),
                    100 * report.refused(),
                    seconds(report.settledSeconds()),
                    seconds(report.settledWorstSeconds())));
        }
        out.println("Judged from the first hour on. used: served requests over what the limit bears. settled: seconds"
                + " after the change until 85 % of the limit were used with at most 5 % refused.");
        for (CrowdReport crowd : crowds) {
            out.println(String.format(
                    Locale.ROOT,
                    "%,d callers at once before one target, 10 permits a second, %s: %,d permits, %.2f calls a permit, the"
                            + " last after %.0f s",
                    crowd.callers(),
                    crowd.way().equals("wait") ? "calls that wait" : "refused and told when to come back",
                    crowd.permits(),
                    crowd.callsAPermit(),
                    crowd.seconds()));
        }
    }

    private static String seconds(double seconds) {
        return Double.isNaN(seconds) ? "-" : Double.isInfinite(seconds) ? "never" : String.valueOf(Math.round(seconds));
    }

    static ObjectNode json(List<PaceReport> reports, List<CrowdReport> crowds) {
        ObjectNode root = new ObjectMapper().createObjectNode();
        ArrayNode scenarios = root.putArray("scenarios");
        ArrayNode policies = scenarios;
        String name = "";
        for (PaceReport report : reports) {
            if (!report.scenario().equals(name)) {
                name = report.scenario();
                policies = scenarios
                        .addObject()
                        .put("name", name)
                        .put("seeds", report.seeds())
                        .putArray("policies");
            }
            ObjectNode policy = policies.addObject().put("policy", report.policy());
            Measures.put(policy, "used", report.used());
            Measures.put(policy, "refused_rate", report.refused());
            Measures.put(policy, "settled_seconds", finite(report.settledSeconds()));
            Measures.put(policy, "settled_worst_seconds", finite(report.settledWorstSeconds()));
        }
        ArrayNode waiting = root.putArray("waiting");
        for (CrowdReport crowd : crowds) {
            waiting.addObject()
                    .put("way", crowd.way())
                    .put("callers", crowd.callers())
                    .put("permits", crowd.permits())
                    .put("calls_per_permit", crowd.callsAPermit())
                    .put("seconds", crowd.seconds());
        }
        return root;
    }

    /** JSON has no infinity: what never settled is null, as what had nothing to settle. */
    private static double finite(double seconds) {
        return Double.isInfinite(seconds) ? Double.NaN : seconds;
    }
}
