package io.paceline.sim.pool;

import java.util.List;

/**
 * One scenario with all policies that ran it.
 *
 * @param name the scenario
 * @param story one line about it
 * @param seeds how many seeds
 * @param policies in the order asked for
 * @param violations what must never be and was, each with how to run it again
 */
public record ScenarioReport(
        String name, String story, int seeds, List<PolicyReport> policies, List<String> violations) {

    public ScenarioReport {
        policies = List.copyOf(policies);
        violations = List.copyOf(violations);
    }
}
