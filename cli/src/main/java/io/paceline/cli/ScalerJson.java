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
        number(node, "worker_hours", p.workerHours());
        number(node, "actions", p.actions());
        number(node, "flips", p.flips());
        number(node, "peak", p.peak());
        node.put("worst_peak", p.worstPeak());
        number(node, "overshoot", p.surplus());
        number(node, "useless_starts", p.uselessStarts());
        number(node, "slo_miss_rate", p.sloMissRate());
        number(node, "wait_p50_seconds", p.waitP50Seconds());
        number(node, "wait_p95_seconds", p.waitP95Seconds());
        number(node, "wait_max_seconds", p.waitMaxSeconds());
        number(node, "wasted_attempts", p.wastedAttempts());
        number(node, "dead_lettered", p.deadLettered());
        number(node, "tasks_rerun", p.reruns());
        node.put("cap_breaches", p.capBreaches());
        node.put("blind_downs", p.blindDowns());
        number(node, "recovery_seconds", p.recoverySeconds());
        number(node, "finished_at", p.finishedAt());
    }

    private static void number(ObjectNode node, String name, double value) {
        if (Double.isNaN(value)) {
            node.putNull(name);
        } else {
            node.put(name, value);
        }
    }
}
