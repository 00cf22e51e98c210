package io.paceline.sim.pace;

import java.util.List;

/**
 * A policy in a scenario, over the seeds.
 *
 * @param used mean share of the limit
 * @param refused mean share of requests
 * @param settledSeconds mean time to settle after the change; NaN where nothing changed, infinite where a seed never did
 * @param settledWorstSeconds of the slowest seed
 */
public record PaceReport(
        String scenario,
        String story,
        String policy,
        int seeds,
        double used,
        double refused,
        double settledSeconds,
        double settledWorstSeconds) {

    static PaceReport of(Scenario scenario, Contestant contestant, List<RunResult> runs) {
        return new PaceReport(
                scenario.name(),
                scenario.story(),
                contestant.word(),
                runs.size(),
                runs.stream().mapToDouble(RunResult::used).average().orElse(Double.NaN),
                runs.stream().mapToDouble(RunResult::refused).average().orElse(Double.NaN),
                runs.stream().mapToDouble(RunResult::settledSeconds).average().orElse(Double.NaN),
                runs.stream().mapToDouble(RunResult::settledSeconds).max().orElse(Double.NaN));
    }
}
