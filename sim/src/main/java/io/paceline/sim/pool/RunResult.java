package io.paceline.sim.pool;

import java.util.List;
import java.util.Map;

/**
 * What one run of one policy came to. NaN where the scenario does not have a measure.
 *
 * @param successRate successes / requests; a refused request is no success
 * @param refusedRate refused / requests
 * @param wastedRate tries on an address or cell that fails half of its tries or more, by its own fault / tries
 * @param falseQuarantines transitions out of an address or cell that was healthy
 * @param rotations tries of a session on another address than its last, unannounced
 * @param sessionsEnded sessions whose client was told that the address is gone
 * @param captchaShare captchas / tries
 * @param shareAtShift failing share at which growing faults were found
 * @param shareSeenAtShift share of their tries that had failed until then
 * @param recoverySeconds from the end of the incident until 18 of 20 requests succeed
 * @param elsewhereRate success rate during the incident on the targets that it does not concern
 * @param alarmSeconds from the death of a control URL to the alarm that names it, the longest
 * @param violations what must never be and was
 * @param verdicts transitions out, and words about groups
 * @param wrongVerdicts of them those against somebody healthy
 * @param recall per kind of subject: episodes that count, episodes found
 * @param delays faulty outcomes up to each verdict that found an episode
 * @param requests measured
 * @param events that the queue ran
 * @param digest of the whole history
 */
record RunResult(
        double successRate,
        double refusedRate,
        double wastedRate,
        int falseQuarantines,
        double rotations,
        double sessionsEnded,
        double captchaShare,
        double shareAtShift,
        double shareSeenAtShift,
        double recoverySeconds,
        double elsewhereRate,
        double alarmSeconds,
        List<String> violations,
        int verdicts,
        int wrongVerdicts,
        Map<Fault.Subject, int[]> recall,
        List<Integer> delays,
        long requests,
        long events,
        long digest) {}
