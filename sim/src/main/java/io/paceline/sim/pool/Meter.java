package io.paceline.sim.pool;

import org.jspecify.annotations.Nullable;

/** Counts what became of the requests that arrived in the measured time. */
final class Meter {
    /** Well again: so many of the last requests to the places concerned succeeded. */
    private static final int LAST = 20;

    private static final int WELL = 18;

    private final Scenario.Plan plan;
    private final Scenario.@Nullable Episode episode;
    private final long from;
    private final long until;
    private long requests;
    private long successes;
    private long refused;
    private long tries;
    private long wasted;
    private long captchas;
    private long rotations;
    private long sessionsEnded;
    private long elsewhere;
    private long elsewhereGood;
    private long lastResults;
    private int resultsSince;
    private long recoveredAt = -1;

    Meter(Scenario.Plan plan, long from, long until) {
        this.plan = plan;
        this.episode = plan.episode();
        this.from = from;
        this.until = until;
    }

    private boolean measured(long arrivedAt) {
        return arrivedAt >= from && arrivedAt < until;
    }

    void refused(int target, long arrivedAt, long now) {
        if (measured(arrivedAt)) {
            requests++;
            refused++;
            result(target, arrivedAt, now, false);
        }
    }

    void tried(int target, long arrivedAt, long now, Face face, boolean isWasted) {
        if (!measured(arrivedAt)) {
            return;
        }
        requests++;
        tries++;
        successes += face == Face.OK ? 1 : 0;
        wasted += isWasted ? 1 : 0;
        captchas += face == Face.CHALLENGE ? 1 : 0;
        result(target, arrivedAt, now, face == Face.OK);
    }

    void rotated(long arrivedAt) {
        rotations += measured(arrivedAt) ? 1 : 0;
    }

    void sessionEnded(long arrivedAt) {
        sessionsEnded += measured(arrivedAt) ? 1 : 0;
    }

    private void result(int target, long arrivedAt, long now, boolean good) {
        if (episode == null) {
            return;
        }
        if (!episode.targets().contains(target)) {
            boolean during = arrivedAt >= episode.fromMicros() && arrivedAt < episode.untilMicros();
            elsewhere += during ? 1 : 0;
            elsewhereGood += during && good ? 1 : 0;
        } else if (arrivedAt >= episode.untilMicros() && recoveredAt < 0) {
            lastResults = ((lastResults << 1) | (good ? 1 : 0)) & ((1L << LAST) - 1);
            resultsSince++;
            if (resultsSince >= LAST && Long.bitCount(lastResults) >= WELL) {
                recoveredAt = now;
            }
        }
    }

    RunResult result(Verdicts verdicts, java.util.List<String> violations, long events, long digest) {
        return new RunResult(
                share(successes, requests),
                share(refused, requests),
                share(wasted, tries),
                verdicts.falseOnes(),
                plan.load().sessions() == 0 ? Double.NaN : rotations,
                plan.load().sessions() == 0 ? Double.NaN : sessionsEnded,
                plan.captchas() ? share(captchas, tries) : Double.NaN,
                verdicts.shareAtShift(),
                verdicts.shareSeenAtShift(),
                recoverySeconds(),
                share(elsewhereGood, elsewhere),
                verdicts.alarmSeconds(until),
                violations,
                verdicts.verdicts(),
                verdicts.wrongOnes(),
                verdicts.recall(),
                verdicts.delays(),
                requests,
                events,
                digest);
    }

    /** A run that never gets well counts to its end. */
    private double recoverySeconds() {
        if (episode == null) {
            return Double.NaN;
        }
        return Time.seconds((recoveredAt < 0 ? until : recoveredAt) - episode.untilMicros());
    }

    private static double share(long part, long whole) {
        return whole == 0 ? Double.NaN : (double) part / whole;
    }
}
