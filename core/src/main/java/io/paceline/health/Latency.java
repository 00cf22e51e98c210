package io.paceline.health;

/**
 * How long the successes of an address took lately: medians and tails, and how they compare with its own norm.
 *
 * @param p50Micros the median; 0 where unknown
 * @param p95Micros the 95th percentile; 0 where unknown
 * @param jump how many times its norm the 95th percentile is, each latency measured against what its target takes through
 *     all addresses, so that a site that is slow for all is no jump; 0 where unknown
 */
public record Latency(float p50Micros, float p95Micros, float jump) {
    public static final Latency NONE = new Latency(0, 0, 0);

    /** The 95th percentile that would be its norm on the same targets; 0 where unknown. */
    public float normMicros() {
        return jump == 0 ? 0 : p95Micros / jump;
    }
}
