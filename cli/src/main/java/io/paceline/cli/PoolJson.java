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
        number(node, "success_rate", p.successRate());
        number(node, "oracle_ratio", p.oracleRatio());
        number(node, "refused_rate", p.refusedRate());
        number(node, "wasted_rate", p.wastedRate());
        number(node, "false_quarantines", p.falseQuarantines());
        number(node, "session_rotations", p.sessionRotations());
        number(node, "sessions_ended", p.sessionsEnded());
        number(node, "captcha_share", p.captchaShare());
        number(node, "share_at_shift", p.shareAtShift());
        number(node, "recovery_seconds", p.recoverySeconds());
        number(node, "elsewhere_success_rate", p.elsewhereRate());
        node.put("invariant_violations", p.invariantViolations());
        ObjectNode verdicts = node.putObject("verdicts");
        verdicts.put("count", p.verdicts());
        number(verdicts, "precision", p.precision());
        number(verdicts, "median_faulty_outcomes", p.medianDelay());
        ObjectNode recall = verdicts.putObject("recall");
        p.recall().forEach((subject, share) -> number(recall, subject, share));
    }

    private static void number(ObjectNode node, String name, double value) {
        if (Double.isNaN(value)) {
            node.putNull(name);
        } else {
            node.put(name, value);
        }
    }
}
