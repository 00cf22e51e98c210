package io.paceline.demo.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.paceline.demo.history.Finding;
import io.paceline.demo.history.Phase;
import io.paceline.demo.history.Share;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a run has shown, as a table. */
final class ReportTable {
    private static final int MOST_SHOWN = 10;

    private final Figures of;
    private final ObjectMapper json = new ObjectMapper();

    ReportTable(Figures of) {
        this.of = of;
    }

    String write() {
        StringBuilder text = new StringBuilder(2_048);
        line(
                text,
                "%d gatekeepers, %d callers, redis %s, %.1f s, seed %d",
                of.options.gatekeepers(),
                of.options.clients(),
                of.shape.word(),
                of.second(of.ended),
                of.options.seed());
        faultTable(text);
        phaseTable(text);
        shareTable(text);
        of.refusals().forEach((reason, count) -> line(text, "refused %-20s %,9d", reason, count));
        line(text, "without an answer            %,8d", of.silences());
        line(text, "");
        findings(text);
        return text.toString().stripTrailing();
    }

    private void faultTable(StringBuilder text) {
        line(text, "");
        line(text, "%-14s %-5s %8s %9s %14s %12s", "fault", "of", "at s", "lasted s", "no permit for", "as before");
        for (Faults.Past fault : of.faults) {
            line(
                    text,
                    "%-14s %-5s %8.1f %9.1f %12.2f s %12s",
                    fault.kind().word(),
                    fault.event().instance().isEmpty() ? "redis" : fault.event().instance(),
                    of.second(fault.event().calledMicros()),
                    (fault.event().answeredMicros() - fault.event().calledMicros()) / 1e6,
                    of.gapMicros(fault) / 1e6,
                    fault.recoveredMicros() < 0
                            ? "never"
                            : String.format(
                                    Locale.ROOT,
                                    "after %.1f s",
                                    (fault.recoveredMicros() - fault.event().answeredMicros()) / 1e6));
        }
    }

    private void phaseTable(StringBuilder text) {
        line(text, "");
        line(
                text,
                "%-14s %8s %9s %10s %9s %8s %8s %8s",
                "acquires",
                "s",
                "permits",
                "permits/s",
                "refused",
                "p50 ms",
                "p99 ms",
                "max ms");
        for (Phase phase : of.phases) {
            line(
                    text,
                    "%-14s %8.1f %,9d %10.0f %,9d %8.1f %8.1f %8.1f",
                    phase.name(),
                    phase.seconds(),
                    phase.permits(),
                    phase.seconds() == 0 ? 0 : phase.permits() / phase.seconds(),
                    phase.refused(),
                    phase.p50Micros() / 1e3,
                    phase.p99Micros() / 1e3,
                    phase.longestMicros() / 1e3);
        }
        line(text, "(together: every gatekeeper has Redis; alone: none has; between: some, or it is not certain)");
    }

    private void shareTable(StringBuilder text) {
        line(text, "");
        line(text, "%-16s %14s %15s %9s", "limit", "most / window", "fullest window", "permits");
        for (Share share : of.shares) {
            line(
                    text,
                    "%-16s %7d / %.0f s %15d %,9d",
                    share.target(),
                    share.limit(),
                    share.windowMicros() / 1e6,
                    share.fullest(),
                    share.permits());
        }
        line(text, "");
    }

    private void findings(StringBuilder text) {
        if (!of.bounded.isEmpty()) {
            line(text, "within the bounds that docs/distributed.md states, while not all had the store:");
            Map<Finding.Kind, Long> byKind = new TreeMap<>(
                    of.bounded.stream().collect(Collectors.groupingBy(Finding::promise, Collectors.counting())));
            byKind.forEach((kind, count) -> line(text, "  %,6d  %s", count, kind.words()));
        }
        for (Faults.Past fault : of.faults) {
            if (fault.recoveredMicros() < 0) {
                line(
                        text,
                        "VIOLATION: after %s not all was as before within two minutes",
                        fault.kind().word());
            }
        }
        if (of.broken.isEmpty()) {
            line(text, "%,d permits checked: no promise broken", of.permits());
            return;
        }
        line(text, "VIOLATIONS: %d in %,d permits", of.broken.size(), of.permits());
        some(text, of.broken);
    }

    private void some(StringBuilder text, List<Finding> findings) {
        for (Finding finding : findings.subList(0, Math.min(MOST_SHOWN, findings.size()))) {
            line(
                    text,
                    "  %8.3f s  %s: %s",
                    of.second(finding.atMicros()),
                    finding.promise().words(),
                    finding.what());
            finding.evidence().forEach(event -> line(text, "      %s", HistoryFile.line(json, event)));
        }
        if (findings.size() > MOST_SHOWN) {
            line(text, "  and %d more", findings.size() - MOST_SHOWN);
        }
    }

    private static void line(StringBuilder text, String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }
}
