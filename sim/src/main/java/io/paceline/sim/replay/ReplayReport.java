package io.paceline.sim.replay;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A record beside its replay.
 *
 * @param sources how often each kind of knowledge answered an attempt, best known first, in words
 * @param notes what the reader must know to believe it
 */
public record ReplayReport(Side recorded, Side replayed, Map<String, Long> sources, List<String> notes) {

    /**
     * One of the two.
     *
     * @param refusals by the word of the reason
     * @param meanWaitSeconds of the requests that were granted
     * @param outcomes by the word of the class
     * @param putOut transitions into quarantine, of addresses and cells
     */
    public record Side(
            long requests,
            long permits,
            Map<String, Long> refusals,
            double meanWaitSeconds,
            double p95WaitSeconds,
            Map<String, Long> outcomes,
            long putOut,
            Map<String, Target> targets) {
        public Side {
            refusals = Collections.unmodifiableMap(new TreeMap<>(refusals));
            outcomes = Collections.unmodifiableMap(new TreeMap<>(outcomes));
            targets = Collections.unmodifiableMap(new TreeMap<>(targets));
        }

        /** Of the outcomes that say anything, the share that hoped for; NaN where there is none. */
        public double successRate() {
            long told = outcomes.values().stream().mapToLong(Long::longValue).sum()
                    - outcomes.getOrDefault("canceled", 0L)
                    - outcomes.getOrDefault("neutral", 0L);
            return told == 0 ? Double.NaN : (double) outcomes.getOrDefault("success", 0L) / told;
        }

        public long refused() {
            return refusals.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /** One target: requests, permits granted, successes, and answers 429. */
    public record Target(long requests, long permits, long successes, long tooMany) {}

    public ReplayReport {
        notes = List.copyOf(notes);
    }
}
