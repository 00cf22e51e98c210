package io.paceline.pace.robots;

import io.paceline.pace.hint.Hint;
import java.time.Duration;

/**
 * What is known of a site's robots.txt, and for how long (RFC 9309, sections 2.3.1 and 2.4):
 *
 * <pre>
 *   answer                         known        for
 *   2xx                            its rules    24 h
 *   4xx but 429                    allow all    24 h       "unavailable"
 *   a sixth redirect, or one
 *   that says not where to         allow all    24 h       "unavailable"
 *   429                            forbid all   its Retry-After, else 60 s: more requests are the opposite of its wish
 *   5xx, no answer, a redirect
 *   to where we may not go         forbid all   60 s, doubled each time up to 1 h; longer where it says Retry-After
 * </pre>
 *
 * @param robots the rules; {@link Robots#SILENT} where there are none
 * @param open false where everything is forbidden
 * @param why in words: which answer led to it
 * @param holdsMicros how long it may be gone by
 * @param failures fetches in a row that led to nothing; 0 after an answer
 */
public record RobotsState(Robots robots, boolean open, String why, long holdsMicros, int failures) {
    /** How long an answer may be gone by. */
    public static final Duration KEPT = Duration.ofHours(24);

    private static final long RETRY_MICROS = Duration.ofMinutes(1).toNanos() / 1_000;
    private static final long LONGEST_RETRY_MICROS = Duration.ofHours(1).toNanos() / 1_000;
    private static final long KEPT_MICROS = KEPT.toNanos() / 1_000;

    static RobotsState rules(Robots robots) {
        return new RobotsState(robots, true, "robots.txt was read", KEPT_MICROS, 0);
    }

    static RobotsState unavailable(String why) {
        return new RobotsState(Robots.SILENT, true, why, KEPT_MICROS, 0);
    }

    /** @param failures before this one */
    static RobotsState unreachable(String why, int failures) {
        long wait = Math.min(LONGEST_RETRY_MICROS, RETRY_MICROS << Math.min(10, failures));
        return new RobotsState(Robots.SILENT, false, why, wait, failures + 1);
    }

    /** What a final answer, which is no redirect, means. */
    static RobotsState answered(int status, byte[] body, String agent, Hint hint, int failures) {
        if (status >= 200 && status < 300) {
            return rules(Robots.parse(body, agent));
        }
        if (status >= 400 && status < 500 && status != 429) {
            return unavailable("robots.txt answered " + status + ": no restrictions");
        }
        RobotsState none =
                unreachable("robots.txt answered " + status + ": everything is forbidden meanwhile", failures);
        long asked = hint.knownWaitMicros();
        long wait = status == 429 && asked > 0 ? asked : Math.max(none.holdsMicros, asked);
        return new RobotsState(none.robots, false, none.why, wait, none.failures);
    }

    /** Whether path and query may be fetched. */
    public RobotsVerdict check(String pathAndQuery) {
        RobotsVerdict verdict = robots.check(pathAndQuery);
        boolean own = verdict.allowed() && pathAndQuery.equals("/robots.txt");
        return open || own ? verdict : RobotsVerdict.without(false, why);
    }
}
