package io.paceline.pace;

/**
 * The pace that a target bears, found out without being told: scale-free CUBIC (after Ha, Rhee and Xu, "CUBIC: a new
 * TCP-friendly high-speed TCP variant", 2008; RFC 9438).
 *
 * <p>At a refusal the pace falls to 0.75 of what it was, w. Then it follows {@code w + C (t - K)^3} with
 * {@code C = 0.25 w / K^3}: fast back towards w, long near it, then, three times as steep, beyond it to see whether the target
 * bears more by now. Since C grows with w, a target of 0.2 permits a second and one of 20 are learned in the same time: back
 * at w after K, at twice w after 2.1 K, at ten times w after 3.3 K.
 *
 * <pre>
 *   mean over a cycle    1 - 0.25/4 = 0.94 of w
 *   refusals             one in K seconds: 1.8 / 0.18 / 0.018 % at 0.2 / 2 / 20 a second
 * </pre>
 *
 * <p>Refused again before it is half-way back, the target bears less than it did: then w falls too, to 0.875 of the pace that
 * was refused ("fast convergence" of RFC 9438).
 *
 * <p>Before the first refusal it begins at the floor and doubles. {@code t} is not the time on the wall but that in which
 * this pace was what held requests back: nobody learns what a target bears by not asking it. Pure functions.
 */
public final class AdaptivePace {
    /** What is left of the pace after a refusal. */
    static final double KEPT = 0.75;

    /** K: until the pace that was refused is reached again. */
    static final double CYCLE_SECONDS = 300;

    /** Beyond the old peak it looks for more, so much steeper. */
    private static final double STEEPNESS_BEYOND = 3;

    /** Start-up: until the pace has doubled. */
    static final double DOUBLING_SECONDS = 30;

    private AdaptivePace() {}

    /** Permits per second, between floor and ceiling. */
    public static double rate(PaceRow row, LimitSpec.Pace spec) {
        double seconds = row.growthMicros() / 1e6;
        double free = row.peak() == 0 ? startUp(spec, seconds) : cubic(row.peak(), seconds);
        return Math.max(spec.floor(), Math.min(spec.ceiling(), free));
    }

    private static double startUp(LimitSpec.Pace spec, double seconds) {
        return spec.floor() * StrictMath.pow(2, Math.min(64, seconds / DOUBLING_SECONDS));
    }

    private static double cubic(double peak, double seconds) {
        double fromPeak = (seconds - CYCLE_SECONDS) / CYCLE_SECONDS;
        double steepness = (1 - KEPT) * (fromPeak < 0 ? 1 : STEEPNESS_BEYOND);
        return peak * (1 + steepness * fromPeak * fromPeak * fromPeak);
    }

    /** What {@link PaceRow#peak} becomes: the pace that was too fast, or less where the target bears less than it did. */
    static double peakAfterRefusal(PaceRow row, LimitSpec.Pace spec) {
        double refused = rate(row, spec);
        boolean early = row.peak() != 0 && row.growthMicros() < CYCLE_SECONDS / 2 * 1e6;
        return early ? refused * (1 + KEPT) / 2 : refused;
    }

    /** The time between two starts. */
    public static long intervalMicros(PaceRow row, LimitSpec.Pace spec) {
        return (long) Math.ceil(1e6 / rate(row, spec));
    }
}
