package io.paceline.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/** The results as a table for people and as JSON for machines. */
final class Report {
    private static final String ROW = "%-6s %9s %9s %13s %9s %7s %18s %8s%n";

    private Report() {}

    /** Header, a line a run, and what the columns mean. */
    static String table(List<RunResult> runs) {
        StringBuilder out = new StringBuilder(1_024);
        out.append(String.format(
                Locale.ROOT,
                ROW,
                "mode",
                "requests",
                "success",
                "wasted tries",
                "captchas",
                "429s",
                "session rotations",
                "seconds"));
        for (RunResult run : runs) {
            out.append(String.format(
                    Locale.ROOT,
                    ROW,
                    run.mode(),
                    String.format(Locale.ROOT, "%,d", run.requests()),
                    percent(run.successRate()),
                    percent(run.wastedRate()),
                    run.captchas(),
                    run.tooManyRequests(),
                    run.sessionRotations(),
                    String.format(Locale.ROOT, "%.1f", run.seconds())));
        }
        for (RunResult run : runs) {
            if (run.cutShort()) {
                out.append(String.format(
                        Locale.ROOT,
                        "%s was cut short: its figures are of the %,d pages that it had time to begin.%n",
                        run.mode(),
                        run.pagesWanted()));
            }
        }
        return out.toString();
    }

    private static String percent(double rate) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * rate);
    }

    /** The object of the contract, on several lines. */
    static String json(long seed, List<RunResult> runs) {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode root = mapper.createObjectNode().put("seed", seed);
        for (RunResult run : runs) {
            root.withArray("runs")
                    .addObject()
                    .put("mode", run.mode())
                    .put("requests", run.requests())
                    .put("success_rate", rounded(run.successRate(), 10_000))
                    .put("wasted_rate", rounded(run.wastedRate(), 10_000))
                    .put("captchas", run.captchas())
                    .put("too_many_requests", run.tooManyRequests())
                    .put("session_rotations", run.sessionRotations())
                    .put("seconds", rounded(run.seconds(), 100));
        }
        return root.toPrettyString();
    }

    private static double rounded(double value, double steps) {
        return Math.round(value * steps) / steps;
    }
}
