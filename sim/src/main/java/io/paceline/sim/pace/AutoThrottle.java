package io.paceline.sim.pace;

/**
 * Scrapy's AutoThrottle, after its documentation: the next delay is the mean of the last one and latency over target
 * concurrency (1); an answer other than 200 may not make it shorter; 5 s at first, at most 60 s.
 */
final class AutoThrottle implements Pacer {
    private static final double MOST_SECONDS = 60;

    private double delaySeconds = 5;

    @Override
    public long intervalMicros(long nowMicros) {
        return Math.max(1_000, (long) (delaySeconds * 1e6));
    }

    @Override
    public void answered(boolean served, long latencyMicros, long nowMicros) {
        double target = latencyMicros / 1e6;
        double next = Math.min(MOST_SECONDS, Math.max(target, (delaySeconds + target) / 2));
        if (served || next > delaySeconds) {
            delaySeconds = next;
        }
    }
}
