package io.paceline.sim.pool;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * One policy in one scenario: means over all seeds, but sums for verdicts, episodes and violations. NaN where the scenario
 * does not have a measure.
 *
 * @param policy its word
 * @param successRate successes / requests, a refused request being none
 * @param oracleRatio success rate / the oracle's
 * @param refusedRate refused / requests
 * @param wastedRate tries on an address that could not have worked / tries
 * @param falseQuarantines a run
 * @param sessionRotations a run
 * @param sessionsEnded a run: the client was told
 * @param captchaShare captchas / tries
 * @param shareAtShift failing share at which a growing fault was found
 * @param shareSeenAtShift share of its tries that had failed until then
 * @param recoverySeconds after the incident's end
 * @param elsewhereRate success rate during the incident on the targets that it does not concern
 * @param alarmSeconds from the death of a control URL to the alarm that names it
 * @param invariantViolations sum
 * @param verdicts sum
 * @param precision share of verdicts that were right
 * @param medianDelay faulty outcomes up to a verdict that found an episode
 * @param recall per kind of subject the share of episodes found
 */
public record PolicyReport(
        String policy,
        double successRate,
        double oracleRatio,
        double refusedRate,
        double wastedRate,
        double falseQuarantines,
        double sessionRotations,
        double sessionsEnded,
        double captchaShare,
        double shareAtShift,
        double shareSeenAtShift,
        double recoverySeconds,
        double elsewhereRate,
        double alarmSeconds,
        int invariantViolations,
        int verdicts,
        double precision,
        double medianDelay,
        Map<String, Double> recall) {

    static PolicyReport of(Contestant contestant, List<RunResult> runs, double oracleRate) {
        int verdicts = runs.stream().mapToInt(RunResult::verdicts).sum();
        int wrong = runs.stream().mapToInt(RunResult::wrongVerdicts).sum();
        double success = mean(runs, RunResult::successRate);
        return new PolicyReport(
                contestant.word(),
                success,
                success / oracleRate,
                mean(runs, RunResult::refusedRate),
                mean(runs, RunResult::wastedRate),
                mean(runs, RunResult::falseQuarantines),
                mean(runs, RunResult::rotations),
                mean(runs, RunResult::sessionsEnded),
                mean(runs, RunResult::captchaShare),
                mean(runs, RunResult::shareAtShift),
                mean(runs, RunResult::shareSeenAtShift),
                mean(runs, RunResult::recoverySeconds),
                mean(runs, RunResult::elsewhereRate),
                mean(runs, RunResult::alarmSeconds),
                runs.stream().mapToInt(r -> r.violations().size()).sum(),
                verdicts,
                verdicts == 0 ? Double.NaN : 1 - (double) wrong / verdicts,
                median(runs.stream().flatMap(r -> r.delays().stream()).sorted().toList()),
                recall(runs));
    }

    private static double mean(List<RunResult> runs, ToDoubleFunction<RunResult> measure) {
        return runs.stream()
                .mapToDouble(measure)
                .filter(value -> !Double.isNaN(value))
                .average()
                .orElse(Double.NaN);
    }

    private static double median(List<Integer> sorted) {
        return sorted.isEmpty() ? Double.NaN : sorted.get(sorted.size() / 2);
    }

    private static Map<String, Double> recall(List<RunResult> runs) {
        Map<String, Double> recall = new LinkedHashMap<>();
        for (Fault.Subject subject : Fault.Subject.values()) {
            int episodes = 0;
            int found = 0;
            for (RunResult run : runs) {
                int[] counts = run.recall().getOrDefault(subject, new int[2]);
                episodes += counts[0];
                found += counts[1];
            }
            if (episodes > 0) {
                recall.put(subject.name().toLowerCase(Locale.ROOT), (double) found / episodes);
            }
        }
        return recall;
    }
}
