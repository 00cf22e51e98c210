package io.paceline.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.paceline.sim.pool.PolicyReport;
import io.paceline.sim.pool.ScenarioReport;
import java.util.List;

/** The report of {@code simulate} on pools for machines; a measure that a scenario does not have is null. */
final class PoolJson {

    private PoolJson() {}

    static ObjectNode of(List<ScenarioReport> reports) {
        ObjectNode root = new ObjectMapper().createObjectNode();
        ArrayNode scenarios = root.putArray("scenarios");
        for (ScenarioReport report : reports) {
            ObjectNode scenario = scenarios.addObject();
            scenario.put("name", report.name());
            scenario.put("seeds", report.seeds());
            ArrayNode policies = scenario.putArray("policies");
            report.policies().forEach(p -> policy(policies.addObject(), p));
            ArrayNode violations = scenario.putArray("violations");
            report.violations().forEach(violations::add);
        }
        return root;
    }

    private static void policy(ObjectNode node, PolicyReport p) {
        node.put("policy", p.policy());
        Measures.put(node, "success_rate", p.successRate());
        Measures.put(node, "oracle_ratio", p.oracleRatio());
        Measures.put(node, "refused_rate", p.refusedRate());
        Measures.put(node, "wasted_rate", p.wastedRate());
        Measures.put(node, "false_quarantines", p.falseQuarantines());
        Measures.put(node, "session_rotations", p.sessionRotations());
        Measures.put(node, "sessions_ended", p.sessionsEnded());
        Measures.put(node, "captcha_share", p.captchaShare());
        Measures.put(node, "share_at_shift", p.shareAtShift());
        Measures.put(node, "share_seen_at_shift", p.shareSeenAtShift());
        Measures.put(node, "recovery_seconds", p.recoverySeconds());
        Measures.put(node, "elsewhere_success_rate", p.elsewhereRate());
        Measures.put(node, "alarm_seconds", p.alarmSeconds());
        node.put("invariant_violations", p.invariantViolations());
        ObjectNode verdicts = node.putObject("verdicts");
        verdicts.put("count", p.verdicts());
        Measures.put(verdicts, "precision", p.precision());
        Measures.put(verdicts, "median_faulty_outcomes", p.medianDelay());
        ObjectNode recall = verdicts.putObject("recall");
        p.recall().forEach((subject, share) -> Measures.put(recall, subject, share));
    }
}
