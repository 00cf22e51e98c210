package io.paceline.health;

import io.paceline.health.TallyRow.Count;

/** The arithmetic of {@link Blame}: what failures and successes say about guilt, as natural logarithms of odds. */
final class Odds {
    /** Nobody is so good, and nothing so bad, that a single outcome proves anything. */
    static final double LEAST = 0.01;

    private static final double MOST = 0.95;

    private Odds() {}

    /**
     * What one failure says.
     *
     * @param normal the share of failures that would be normal
     * @param delta how much of what was left to fail the suspect is held to add
     */
    static double forGuilt(double normal, double delta) {
        return StrictMath.log((normal + delta * (1 - normal)) / normal);
    }

    /** What one success says: {@code (1 - p1) / (1 - p0)}. */
    static double against(double delta) {
        return StrictMath.log(1 - delta);
    }

    static double of(Tried tried, double normal, double delta) {
        return of(tried.failures, tried.outcomes, normal, delta);
    }

    static double of(int failures, int outcomes, double normal, double delta) {
        return failures * forGuilt(normal, delta) + (outcomes - failures) * against(delta);
    }

    /** The share that failed; from few outcomes to the safe side: from none, a tenth. */
    static double share(Count count) {
        return (count.failures() + 0.5) / (count.outcomes() + 5);
    }

    static double clamp(double share, double least) {
        return Math.max(least, Math.min(MOST, share));
    }
}
