package io.paceline;

import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * SplitMix64 over one atomic counter: a seeded source of chance that many threads may share.
 *
 * <p>Two calls never return the same number of the sequence; a single thread gets the same sequence from the same seed. Not
 * for secrets: ids drawn from it are authenticated where they leave the process. After Steele, Lea and Flood, "Fast
 * splittable pseudorandom number generators" (2014).
 */
public final class SharedRandom implements RandomGenerator {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private final AtomicLong state;

    public SharedRandom(long seed) {
        this.state = new AtomicLong(seed);
    }

    @Override
    public long nextLong() {
        long z = state.addAndGet(GOLDEN);
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
