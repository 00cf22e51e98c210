package io.paceline.demo.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.paceline.demo.chaos.RedisFarm.Shape;
import io.paceline.demo.history.Event;
import io.paceline.demo.history.Event.Permit;
import io.paceline.demo.history.Event.Refusal;
import io.paceline.demo.history.Finding;
import io.paceline.demo.history.History;
import io.paceline.demo.history.Phase;
import io.paceline.demo.history.Share;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a run has shown, as a table and as JSON. */
final class ChaosReport {
    private static final int MOST_SHOWN = 10;

    private final Chaos.Options options;
    private final Shape shape;
    private final History history;
    private final List<Faults.Past> faults;
    private final List<Finding> broken;
    private final List<Finding> bounded;
    private final long began;
    private final long ended;
    private final List<Phase> phases;
    private final List<Share> shares;
    private final ObjectMapper json = new ObjectMapper();

    ChaosReport(
            Chaos.Options options,
            Shape shape,
            History history,
            List<Faults.Past> faults,
            List<Finding> findings,
            long began,
            long ended) {
        this.options = options;
        this.shape = shape;
        this.history = history;
        this.faults = faults;
        this.broken = findings.stream().filter(finding -> !finding.bounded()).toList();
        this.bounded = findings.stream().filter(Finding::bounded).toList();
        this.began = began;
        this.ended = ended;
        this.phases = Phase.of(history, began, ended, ask -> !ask.target().equals(Asks.HELD_TARGET));
        this.shares = Share.of(history, Asks.PROMISES);
    }

    /** Promises that were broken, and faults after which not all was as before. */
    int broken() {
        return broken.size()
                + (int) faults.stream()
                        .filter(fault -> fault.recoveredMicros() < 0)
                        .count();
    }

    // ---- figures

    private double second(long micros) {
        return (micros - began) / 1e6;
    }

    private long permits() {
        return history.all(Permit.class).count();
    }

    private long silences() {
        return history.all(Event.Silence.class).count();
    }

    private Map<String, Integer> refusals() {
        Map<String, Integer> byReason = new TreeMap<>();
        history.all(Refusal.class).forEach(refusal -> byReason.merge(refusal.reason(), 1, Integer::sum));
        return byReason;
    }

    /** The longest time without any permit from the beginning of a fault until all was as before. */
    private long gapMicros(Faults.Past fault) {
        long end = fault.recoveredMicros() < 0 ? ended : fault.recoveredMicros();
        long last = fault.event().calledMicros();
        long longest = 0;
        for (Permit permit : (Iterable<Permit>) history.all(Permit.class)::iterator) {
            if (permit.answeredMicros() > end) {
                break;
            }
            if (permit.answeredMicros() > last) {
                longest = Math.max(longest, permit.answeredMicros() - last);
                last = permit.answeredMicros();
            }
        }
        return Math.max(longest, end - last);
    }

    // ---- text

    String text() {
        StringBuilder text = new StringBuilder(2_048);
        line(
                text,
                "%d gatekeepers, %d callers, redis %s, %.1f s, seed %d",
                options.gatekeepers(),
                options.clients(),
                shape.word(),
                second(ended),
                options.seed());
        faultTable(text);
        phaseTable(text);
        shareTable(text);
        refusals().forEach((reason, count) -> line(text, "refused %-20s %,9d", reason, count));
        line(text, "without an answer            %,8d", silences());
        line(text, "");
        findings(text);
        return text.toString().stripTrailing();
    }

    private void faultTable(StringBuilder text) {
        line(text, "");
        line(text, "%-14s %-5s %8s %9s %14s %12s", "fault", "of", "at s", "lasted s", "no permit for", "as before");
        for (Faults.Past fault : faults) {
            line(
                    text,
                    "%-14s %-5s %8.1f %9.1f %12.2f s %12s",
                    fault.kind().word(),
                    fault.event().instance().isEmpty() ? "redis" : fault.event().instance(),
                    second(fault.event().calledMicros()),
                    (fault.event().answeredMicros() - fault.event().calledMicros()) / 1e6,
                    gapMicros(fault) / 1e6,
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
        for (Phase phase : phases) {
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
        for (Share share : shares) {
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
        if (!bounded.isEmpty()) {
            line(text, "within the bounds that docs/distributed.md states, while not all had the store:");
            Map<Finding.Kind, Long> byKind = new TreeMap<>(
                    bounded.stream().collect(Collectors.groupingBy(Finding::promise, Collectors.counting())));
            byKind.forEach((kind, count) -> line(text, "  %,6d  %s", count, kind.words()));
        }
        for (Faults.Past fault : faults) {
            if (fault.recoveredMicros() < 0) {
                line(
                        text,
                        "VIOLATION: after %s not all was as before within two minutes",
                        fault.kind().word());
            }
        }
        if (broken.isEmpty()) {
            line(text, "%,d permits checked: no promise broken", permits());
            return;
        }
        line(text, "VIOLATIONS: %d in %,d permits", broken.size(), permits());
        some(text, broken);
    }

    private void some(StringBuilder text, List<Finding> findings) {
        for (Finding finding : findings.subList(0, Math.min(MOST_SHOWN, findings.size()))) {
            line(
                    text,
                    "  %8.3f s  %s: %s",
                    second(finding.atMicros()),
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

    // ---- JSON

    String json() {
        ObjectNode root = json.createObjectNode()
                .put("seed", options.seed())
                .put("redis", shape.word())
                .put("gatekeepers", options.gatekeepers())
                .put("clients", options.clients())
                .put("seconds", second(ended))
                .put("permits", permits())
                .put("unanswered", silences());
        root.set("refusals", json.valueToTree(refusals()));
        for (Faults.Past fault : faults) {
            ObjectNode node = root.withArray("faults")
                    .addObject()
                    .put("fault", fault.kind().word())
                    .put("of", fault.event().instance())
                    .put("second", second(fault.event().calledMicros()))
                    .put(
                            "lasted_seconds",
                            (fault.event().answeredMicros() - fault.event().calledMicros()) / 1e6)
                    .put("without_permit_seconds", gapMicros(fault) / 1e6);
            if (fault.recoveredMicros() < 0) {
                node.putNull("recovery_seconds");
            } else {
                node.put(
                        "recovery_seconds",
                        (fault.recoveredMicros() - fault.event().answeredMicros()) / 1e6);
            }
        }
        for (Phase phase : phases) {
            root.withArray("acquires")
                    .addObject()
                    .put("phase", phase.name())
                    .put("seconds", phase.seconds())
                    .put("permits", phase.permits())
                    .put("refused", phase.refused())
                    .put("p50_ms", phase.p50Micros() / 1e3)
                    .put("p99_ms", phase.p99Micros() / 1e3)
                    .put("max_ms", phase.longestMicros() / 1e3);
        }
        for (Share share : shares) {
            root.withArray("limits")
                    .addObject()
                    .put("target", share.target())
                    .put("limit", share.limit())
                    .put("window_ms", share.windowMicros() / 1_000)
                    .put("fullest", share.fullest())
                    .put("permits", share.permits());
        }
        list(root, "violations", broken);
        list(root, "within_bounds", bounded);
        return root.toPrettyString();
    }

    private void list(ObjectNode root, String name, List<Finding> findings) {
        root.putArray(name);
        for (Finding finding : findings) {
            ObjectNode node = root.withArray(name)
                    .addObject()
                    .put("second", second(finding.atMicros()))
                    .put("promise", finding.promise().name().toLowerCase(Locale.ROOT))
                    .put("what", finding.what());
            finding.evidence().forEach(event -> node.withArray("evidence").add(HistoryFile.line(json, event)));
        }
    }
}
