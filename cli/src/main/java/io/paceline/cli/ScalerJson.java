package io.paceline.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.paceline.sim.scaler.PolicyReport;
import io.paceline.sim.scaler.ScenarioReport;
import java.util.List;

/** The report of {@code simulate scaler} for machines; a measure that a scenario does not have is null. */
final class ScalerJson {

    private ScalerJson() {}

    static ObjectNode of(List<ScenarioReport> reports) {
        ObjectNode root = new ObjectMapper().createObjectNode();
        ArrayNode scenarios = root.putArray("scenarios");
        for (ScenarioReport report : reports) {
            ObjectNode scenario = scenarios.addObject();
            scenario.put("name", report.name());
            scenario.put("seeds", report.seeds());
            scenario.put("held_out", report.heldOut());
            ArrayNode policies = scenario.putArray("policies");
            report.policies().forEach(p -> policy(policies.addObject(), p));
        }
        return root;
    }

    private static void policy(ObjectNode node, PolicyReport p) {
        node.put("policy", p.policy());
        Measures.put(node, "worker_hours", p.workerHours());
        Measures.put(node, "actions", p.actions());
        Measures.put(node, "flips", p.flips());
        Measures.put(node, "peak", p.peak());
        node.put("worst_peak", p.worstPeak());
        Measures.put(node, "overshoot", p.surplus());
        Measures.put(node, "useless_starts", p.uselessStarts());
        Measures.put(node, "slo_miss_rate", p.sloMissRate());
        Measures.put(node, "wait_p50_seconds", p.waitP50Seconds());
        Measures.put(node, "wait_p95_seconds", p.waitP95Seconds());
        Measures.put(node, "wait_max_seconds", p.waitMaxSeconds());
        Measures.put(node, "wasted_attempts", p.wastedAttempts());
        Measures.put(node, "dead_lettered", p.deadLettered());
        Measures.put(node, "tasks_rerun", p.reruns());
        node.put("cap_breaches", p.capBreaches());
        node.put("blind_downs", p.blindDowns());
        Measures.put(node, "recovery_seconds", p.recoverySeconds());
        Measures.put(node, "finished_at", p.finishedAt());
    }
}
