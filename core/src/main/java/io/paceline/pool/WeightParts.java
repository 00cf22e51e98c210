package io.paceline.pool;

/**
 * What the weight of an address is made of: the product of four factors.
 *
 * @param configured its own {@code weight}
 * @param success success rate over the window, drawn towards 1 while little is known
 * @param speed the pool's mean latency over its own, at least 1/4 and at most 4
 * @param standing 1, half while degraded, the ramp of a slow start
 */
public record WeightParts(double configured, double success, double speed, double standing) {

    public double product() {
        return configured * success * speed * standing;
    }
}
