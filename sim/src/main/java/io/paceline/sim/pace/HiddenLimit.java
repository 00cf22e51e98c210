package io.paceline.sim.pace;

/**
 * What a site bears and does not tell: a token bucket whose rate changes once. It holds five seconds' worth, at least one
 * and a half permits, since a site counts over some time; what it refuses it does not count.
 */
final class HiddenLimit {
    private static final double SECONDS_HELD = 5;
    private static final double LEAST_HELD = 1.5;

    private final Scenario scenario;
    private double tokens;
    private long atMicros;

    HiddenLimit(Scenario scenario) {
        this.scenario = scenario;
        this.tokens = held(scenario.rateAt(0));
    }

    private static double held(double rate) {
        return Math.max(LEAST_HELD, rate * SECONDS_HELD);
    }

    /** Whether a request that arrives then is served. Times never decrease. */
    boolean serves(long nowMicros) {
        double rate = scenario.rateAt(nowMicros);
        tokens = Math.min(held(rate), tokens + rate * (nowMicros - atMicros) / 1e6);
        atMicros = nowMicros;
        if (tokens < 1) {
            return false;
        }
        tokens -= 1;
        return true;
    }
}
