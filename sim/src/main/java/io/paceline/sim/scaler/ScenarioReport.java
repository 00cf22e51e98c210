package io.paceline.sim.scaler;

import java.util.List;

/**
 * One scenario with all policies that ran it.
 *
 * @param name the scenario
 * @param story one line about it
 * @param heldOut whether it was kept from everybody who set a number
 * @param countsForWaits whether it counts in the mean of wait misses
 * @param seeds how many seeds
 * @param policies in the order asked for
 */
public record ScenarioReport(
        String name, String story, boolean heldOut, boolean countsForWaits, int seeds, List<PolicyReport> policies) {

    public ScenarioReport {
        policies = List.copyOf(policies);
    }
}
