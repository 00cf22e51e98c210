package io.paceline.demo.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.paceline.demo.history.Finding;
import io.paceline.demo.history.Phase;
import io.paceline.demo.history.Share;
import java.util.List;
import java.util.Locale;

/** What a run has shown, for machines. */
final class ReportJson {
    private final Figures of;
    private final ObjectMapper json = new ObjectMapper();

    ReportJson(Figures of) {
        this.of = of;
    }

    String write() {
        ObjectNode root = json.createObjectNode()
                .put("seed", of.options.seed())
                .put("redis", of.shape.word())
                .put("gatekeepers", of.options.gatekeepers())
                .put("clients", of.options.clients())
                .put("seconds", of.second(of.ended))
                .put("permits", of.permits())
                .put("unanswered", of.silences());
        root.set("refusals", json.valueToTree(of.refusals()));
        for (Faults.Past fault : of.faults) {
            ObjectNode node = root.withArray("faults")
                    .addObject()
                    .put("fault", fault.kind().word())
                    .put("of", fault.event().instance())
                    .put("second", of.second(fault.event().calledMicros()))
                    .put(
                            "lasted_seconds",
                            (fault.event().answeredMicros() - fault.event().calledMicros()) / 1e6)
                    .put("without_permit_seconds", of.gapMicros(fault) / 1e6);
            if (fault.recoveredMicros() < 0) {
                node.putNull("recovery_seconds");
            } else {
                node.put(
                        "recovery_seconds",
                        (fault.recoveredMicros() - fault.event().answeredMicros()) / 1e6);
            }
        }
        for (Phase phase : of.phases) {
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
        for (Share share : of.shares) {
            root.withArray("limits")
                    .addObject()
                    .put("target", share.target())
                    .put("limit", share.limit())
                    .put("window_ms", share.windowMicros() / 1_000)
                    .put("fullest", share.fullest())
                    .put("permits", share.permits());
        }
        list(root, "violations", of.broken);
        list(root, "within_bounds", of.bounded);
        return root.toPrettyString();
    }

    private void list(ObjectNode root, String name, List<Finding> findings) {
        root.putArray(name);
        for (Finding finding : findings) {
            ObjectNode node = root.withArray(name)
                    .addObject()
                    .put("second", of.second(finding.atMicros()))
                    .put("promise", finding.promise().name().toLowerCase(Locale.ROOT))
                    .put("what", finding.what());
            finding.evidence().forEach(event -> node.withArray("evidence").add(HistoryFile.line(json, event)));
        }
    }
}
