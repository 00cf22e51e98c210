package io.paceline.sim.pool;

import io.paceline.sim.Dice;

/**
 * A log-normal distribution of mean 1 as a sample of 4,096 draws: what a site's mean latency is multiplied by. A look-up
 * costs a hundredth of a draw, and every request can name its own.
 */
final class LatencyTable {
    private static final int SIZE = 4_096;
    /** Of the logarithm: p50 0.85, p95 2.2, p99 3.3 times the mean. */
    private static final double SIGMA = 0.58;

    private final double[] factors = new double[SIZE];

    LatencyTable(Dice dice) {
        for (int i = 0; i < SIZE; i++) {
            factors[i] = dice.logNormal(1, SIGMA);
        }
    }

    double factor(double draw) {
        return factors[(int) (draw * SIZE)];
    }
}
