package io.paceline.demo;

import java.util.SplittableRandom;

/**
 * Chance that does not depend on the order of threads: each draw is a function of the seed and of what is drawn for, so
 * that the seventh request of a flaky proxy fails in every run with one seed, whoever sends it.
 */
final class Draws {
    /** Two odd constants keep neighbouring arguments apart before the generator mixes them. */
    private static final long FIRST = 0x9E3779B97F4A7C15L;

    private static final long SECOND = 0xC2B2AE3D27D4EB4FL;

    private final long seed;

    Draws(long seed) {
        this.seed = seed;
    }

    /** A number from 0 (included) to 1 (excluded) for the event {@code number} of {@code subject}. */
    double unit(long subject, long number) {
        return generator(subject, number).nextDouble();
    }

    /** A whole number from 0 (included) to {@code bound} (excluded). */
    int below(int bound, long subject, long number) {
        return generator(subject, number).nextInt(bound);
    }

    /** A generator for everything about one subject that is drawn by one thread, in order. */
    SplittableRandom generator(long subject, long number) {
        return new SplittableRandom(seed ^ (subject + 1) * FIRST ^ (number + 1) * SECOND);
    }
}
