package io.paceline.pace;

import io.paceline.Target;
import java.time.Duration;

/**
 * The bucket that every request to a target is charged to beside the rules: the target's own pace. Through it the pause
 * that one request brought about holds for all, read in the same step in which a permit is given.
 */
public final class TargetPace {
    /** What a refusal is called by: the target asked for a pause. */
    public static final String SERVER_HINT = "server-hint";

    /** Blame found the target guilty and slowed it down. */
    public static final String SLOWED = "slowed-target";

    /** The pace that the target is believed to bear. */
    public static final String ADAPTIVE = "adaptive-pace";

    /** The crawl delay of its robots.txt. */
    public static final String CRAWL_DELAY = "crawl-delay";

    private TargetPace() {}

    /**
     * The target's own bucket. It is waited for as long as the most patient of the rate rules is; where none holds, as long
     * as for the default pace.
     */
    public static Charge charge(Target target, LimitSpec.Pace spec, Plan rules) {
        return new Charge(
                SERVER_HINT,
                "|pace|" + Long.toHexString(target.hash()),
                key(target.hash()),
                spec,
                patience(rules),
                false,
                Scope.TARGET,
                false);
    }

    /** The charge's hash, by the target's: a function of it alone, so that an outcome finds its target's pace. */
    public static long key(long target) {
        long x = target * 0x9E3779B97F4A7C15L + 0x5851F42D4C957F2DL;
        return x ^ (x >>> 31);
    }

    /** The bucket of a crawl delay: one start in that time, whatever back-off and rules do. */
    public static Charge crawlDelay(Target target, Duration delay, Plan rules) {
        LimitSpec spec = new LimitSpec.Gcra(Math.max(1, Durations.micros(delay)), 1);
        return Charge.of(CRAWL_DELAY, "|crawl-delay|" + target.name(), spec, patience(rules), false);
    }

    private static long patience(Plan rules) {
        long most = -1;
        for (Charge charge : rules.charges()) {
            if (charge.isRate() && !charge.dryRun()) {
                most = Math.max(most, charge.maxWaitMicros());
            }
        }
        return most >= 0 ? most : Durations.micros(Rule.DEFAULT_MAX_WAIT);
    }
}
