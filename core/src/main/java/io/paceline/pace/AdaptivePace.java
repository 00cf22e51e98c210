package io.paceline.pace;

/**
 * The pace that a target bears, found out without being told: scale-free CUBIC (after Ha, Rhee and Xu, "CUBIC: a new
 * TCP-friendly high-speed TCP variant", 2008; RFC 9438).
 *
 * <p>At a refusal the pace falls to 0.7 of what it was, w. Then it follows {@code w + C (t - K)^3} with
 * {@code C = 0.3 w / K^3}: fast back towards w, long near it, then ever faster beyond it to see whether the target bears
 * more by now. Since C grows with w, a target of 0.2 permits a second and one of 20 are learned in the same time: back at
 * w after K, at twice w after 2.5 K, at ten times w after 4.1 K.
 *
 * <pre>
 *   mean over a cycle    1 - 0.3/4 = 0.925 of w
 *   refusals             one in K seconds: 1.7 / 0.17 / 0.017 % at 0.2 / 2 / 20 a second
 * </pre>
 *
 * <p>Before the first refusal it begins at the floor and doubles. {@code t} is not the time on the wall but that in which
 * this pace was what held requests back: nobody learns what a target bears by not asking it. Pure functions.
 */
public final class AdaptivePace {
    /** What is left of the pace after a refusal. */
    static final double KEPT = 0.7;

    /** K: until the pace that was refused is reached again. */
    static final double CYCLE_SECONDS = 300;

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
        return peak * (1 + (1 - KEPT) * fromPeak * fromPeak * fromPeak);
    }

    /** What {@link PaceRow#peak} becomes: the pace that was too fast. */
    static double peakAfterRefusal(PaceRow row, LimitSpec.Pace spec) {
        return rate(row, spec);
    }

    /** The time between two starts. */
    public static long intervalMicros(PaceRow row, LimitSpec.Pace spec) {
        return (long) Math.ceil(1e6 / rate(row, spec));
    }
}
