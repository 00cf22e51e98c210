package io.paceline.sim.replay;

import io.paceline.Outcome.Kind;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** What became of requests: of those recorded, or of those replayed; in all and by target. Confined to one thread. */
final class Tally {
    private final Map<String, Long> refusals = new TreeMap<>();
    private final Map<Kind, Long> outcomes = new EnumMap<>(Kind.class);
    private final Map<String, OfTarget> targets = new TreeMap<>();
    private long[] waits = new long[1_024];
    private int waitCount;
    private long requests;
    private long permits;
    private long putOut;

    /** The same, of one target. */
    private static final class OfTarget {
        private long requests;
        private long permits;
        private long successes;
        private long tooMany;
    }

    void granted(String target, int count, long waitedMicros) {
        requests++;
        permits += count;
        OfTarget of = of(target);
        of.requests++;
        of.permits += count;
        if (waitCount == waits.length) {
            waits = Arrays.copyOf(waits, 2 * waitCount);
        }
        waits[waitCount++] = Math.max(0, waitedMicros);
    }

    void refused(String target, String reason) {
        requests++;
        of(target).requests++;
        refusals.merge(reason, 1L, Long::sum);
    }

    void outcome(String target, Kind kind) {
        outcomes.merge(kind, 1L, Long::sum);
        OfTarget of = of(target);
        of.successes += kind == Kind.SUCCESS ? 1 : 0;
        of.tooMany += kind == Kind.RATE_LIMITED ? 1 : 0;
    }

    void putOut() {
        putOut++;
    }

    private OfTarget of(String target) {
        return targets.computeIfAbsent(target, absent -> new OfTarget());
    }

    ReplayReport.Side side() {
        long[] sorted = Arrays.copyOf(waits, waitCount);
        Arrays.sort(sorted);
        double mean = waitCount == 0 ? 0 : Arrays.stream(sorted).average().orElse(0) / 1e6;
        double p95 = waitCount == 0 ? 0 : sorted[(int) Math.ceil(0.95 * waitCount) - 1] / 1e6;
        Map<String, Long> kinds = new TreeMap<>();
        outcomes.forEach((kind, count) -> kinds.put(kind.word(), count));
        Map<String, ReplayReport.Target> byTarget = new TreeMap<>();
        targets.forEach((name, of) ->
                byTarget.put(name, new ReplayReport.Target(of.requests, of.permits, of.successes, of.tooMany)));
        return new ReplayReport.Side(requests, permits, refusals, mean, p95, kinds, putOut, byTarget);
    }
}
