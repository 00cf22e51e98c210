package io.paceline.health;

import io.paceline.health.TallyRow.Count;
import io.paceline.health.Verdict.Guilty;

/** Outcomes from the newest backwards, and the log of the odds that they give; remembers its worst point. Mutable. */
final class Stretch {
    private final double delta;
    private final double ofSuccess;
    /** What a failure adds, at the share that was normal for the last one: logs are dear, and mostly it is the same again. */
    private double ofFailure;

    private double ofFailureAt = Double.NaN;
    private int outcomes;
    private int faults;
    private double score;
    private double best;
    private int outcomesAtBest;
    private int faultsAtBest;

    /** @param delta how much of what was left to fail the suspect is held to add */
    Stretch(double delta) {
        this.delta = delta;
        this.ofSuccess = Odds.against(delta);
    }

    /** @param normal the share of failures that would be normal for this outcome */
    void add(boolean failed, double normal) {
        outcomes++;
        faults += failed ? 1 : 0;
        score += failed ? ofFailure(normal) : ofSuccess;
        if (score > best) {
            best = score;
            outcomesAtBest = outcomes;
            faultsAtBest = faults;
        }
    }

    private double ofFailure(double normal) {
        if (normal != ofFailureAt) {
            ofFailureAt = normal;
            ofFailure = Odds.forGuilt(normal, delta);
        }
        return ofFailure;
    }

    double score() {
        return score;
    }

    int outcomes() {
        return outcomes;
    }

    int faults() {
        return faults;
    }

    /** The score of the worst stretch that ends now. */
    double best() {
        return best;
    }

    /** Only that stretch. */
    Stretch worst() {
        outcomes = outcomesAtBest;
        faults = faultsAtBest;
        score = best;
        return this;
    }

    /** The verdict against an address or a cell that this stretch proves. */
    Verdict verdict(Guilty guilty, boolean captchas, double normal, Count others, double threshold) {
        return new Verdict(
                guilty,
                0,
                faults,
                outcomes,
                captchas,
                normal,
                others.failures(),
                others.outcomes(),
                0,
                score,
                threshold);
    }
}
