package io.paceline.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.paceline.sim.replay.ReplayReport;
import io.paceline.sim.replay.ReplayReport.Side;
import io.paceline.sim.replay.ReplayReport.Target;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The report of {@code replay}: recorded beside replayed, for people and for machines. */
final class ReplayText {
    private static final int MOST_TARGETS = 30;
    private static final Target NONE = new Target(0, 0, 0, 0);

    private ReplayText() {}

    static void print(ReplayReport report, PrintWriter out) {
        Side was = report.recorded();
        Side is = report.replayed();
        row(out, "", "recorded", "replayed");
        row(out, "requests", was.requests(), is.requests());
        row(out, "permits", was.permits(), is.permits());
        row(out, "refused", was.refused(), is.refused());
        for (String reason : keys(was.refusals(), is.refusals())) {
            row(out, "  " + reason, count(was.refusals(), reason), count(is.refusals(), reason));
        }
        row(out, "wait, mean s", seconds(was.meanWaitSeconds()), seconds(is.meanWaitSeconds()));
        row(out, "wait, p95 s", seconds(was.p95WaitSeconds()), seconds(is.p95WaitSeconds()));
        row(out, "success %", percent(was.successRate()), percent(is.successRate()));
        for (String kind : keys(was.outcomes(), is.outcomes())) {
            row(out, "  " + kind, count(was.outcomes(), kind), count(is.outcomes(), kind));
        }
        row(out, "put out", was.putOut(), is.putOut());
        targets(was.targets(), is.targets(), out);
        long attempts =
                report.sources().values().stream().mapToLong(Long::longValue).sum();
        out.println("answers came from");
        report.sources()
                .forEach((source, times) -> out.println(String.format(
                        Locale.ROOT, "  %5.1f %% %s", attempts == 0 ? 0 : 100.0 * times / attempts, source)));
        report.notes().forEach(note -> out.println("note: " + note));
    }

    private static void targets(Map<String, Target> was, Map<String, Target> is, PrintWriter out) {
        out.println(String.format(
                Locale.ROOT,
                "%-30s %11s %9s %6s %11s %9s %6s",
                "target",
                "recorded",
                "success",
                "429",
                "replayed",
                "success",
                "429"));
        Set<String> names = keys(was, is);
        names.stream().limit(MOST_TARGETS).forEach(name -> {
            Target before = was.getOrDefault(name, NONE);
            Target after = is.getOrDefault(name, NONE);
            out.println(String.format(
                    Locale.ROOT,
                    "%-30s %11d %9d %6d %11d %9d %6d",
                    name,
                    before.requests(),
                    before.successes(),
                    before.tooMany(),
                    after.requests(),
                    after.successes(),
                    after.tooMany()));
        });
        if (names.size() > MOST_TARGETS) {
            out.println("and " + (names.size() - MOST_TARGETS) + " more targets: --json has them all");
        }
    }

    private static <T> Set<String> keys(Map<String, T> one, Map<String, T> other) {
        Set<String> keys = new TreeSet<>(one.keySet());
        keys.addAll(other.keySet());
        return keys;
    }

    private static long count(Map<String, Long> counts, String key) {
        return counts.getOrDefault(key, 0L);
    }

    private static void row(PrintWriter out, String name, Object was, Object is) {
        out.println(String.format(Locale.ROOT, "%-20s %12s %12s", name, was, is));
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.2f", seconds);
    }

    private static String percent(double rate) {
        return Double.isNaN(rate) ? "-" : String.format(Locale.ROOT, "%.1f", 100 * rate);
    }

    static ObjectNode json(ReplayReport report) {
        ObjectNode root = new ObjectMapper().createObjectNode();
        side(root.putObject("recorded"), report.recorded());
        side(root.putObject("replayed"), report.replayed());
        ObjectNode sources = root.putObject("answers_from");
        report.sources().forEach(sources::put);
        report.notes().forEach(root.putArray("notes")::add);
        return root;
    }

    private static void side(ObjectNode node, Side side) {
        node.put("requests", side.requests());
        node.put("permits", side.permits());
        node.put("refused", side.refused());
        side.refusals().forEach(node.putObject("refusals")::put);
        node.put("wait_mean_seconds", side.meanWaitSeconds());
        node.put("wait_p95_seconds", side.p95WaitSeconds());
        Measures.put(node, "success_rate", side.successRate());
        side.outcomes().forEach(node.putObject("outcomes")::put);
        node.put("put_out", side.putOut());
        ObjectNode targets = node.putObject("targets");
        side.targets()
                .forEach((name, target) -> targets.putObject(name)
                        .put("requests", target.requests())
                        .put("permits", target.permits())
                        .put("successes", target.successes())
                        .put("too_many_requests", target.tooMany()));
    }
}
