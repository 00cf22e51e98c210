package io.paceline.sim.scaler;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One policy in one scenario: the mean of each measure over all seeds; the peak and the breaches are also kept at their worst.
 *
 * @param policy its word
 * @param workerHours hours paid for
 * @param sloMissRate share of tasks too late, 0 to 1
 * @param recoverySeconds NaN where the scenario has no moment of calm; a run that never recovers counts to its end
 * @param worstPeak the highest peak of any seed
 * @param capBreaches the sum over all seeds
 * @param blindDowns the sum over all seeds
 */
public record PolicyReport(
        String policy,
        double workerHours,
        double actions,
        double flips,
        double peak,
        double surplus,
        double uselessStarts,
        double sloMissRate,
        double waitP50Seconds,
        double waitP95Seconds,
        double waitMaxSeconds,
        double wastedAttempts,
        double deadLettered,
        double reruns,
        double recoverySeconds,
        double finishedAt,
        double unfinished,
        int worstPeak,
        int capBreaches,
        int blindDowns) {

    static PolicyReport of(Contestant contestant, List<RunResult> runs) {
        return new PolicyReport(
                contestant.word(),
                mean(runs, RunResult::workerHours),
                mean(runs, RunResult::actions),
                mean(runs, RunResult::flips),
                mean(runs, RunResult::peak),
                mean(runs, RunResult::surplus),
                mean(runs, RunResult::uselessStarts),
                mean(runs, RunResult::missRate),
                mean(runs, RunResult::waitP50),
                mean(runs, RunResult::waitP95),
                mean(runs, RunResult::waitMax),
                mean(runs, RunResult::wasted),
                mean(runs, RunResult::deadLettered),
                mean(runs, RunResult::reruns),
                mean(runs, RunResult::recoverySeconds),
                mean(runs, RunResult::finishedAt),
                mean(runs, RunResult::unfinished),
                runs.stream().mapToInt(RunResult::peak).max().orElse(0),
                runs.stream().mapToInt(RunResult::capBreaches).sum(),
                runs.stream().mapToInt(RunResult::blindDowns).sum());
    }

    private static double mean(List<RunResult> runs, ToDoubleFunction<RunResult> measure) {
        return runs.stream().mapToDouble(measure).average().orElse(Double.NaN);
    }
}
