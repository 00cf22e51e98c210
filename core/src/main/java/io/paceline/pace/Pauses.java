package io.paceline.pace;

import io.paceline.pace.hint.Hints;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * How a target's pause follows from its refusals (429, 503 with Retry-After):
 *
 * <pre>
 *   refusal of a request granted        then
 *   since the last step                 one step: blocked until the hint's time, else 10 s x 2^(n-1), half of it by chance,
 *                                       at most 1 h; n begins anew after 5 successes; the adaptive pace falls
 *   up to the last step                 the same event: no step; a hint that reaches further is obeyed
 * </pre>
 *
 * <p>Eight parallel refusals are so one step, not eight. A pause only ever gets longer. Pure functions.
 */
public final class Pauses {
    /** Successes after which the next refusal is a first one. */
    static final int WINS_TO_RESET = 5;

    private static final long FIRST_MICROS = 10_000_000;
    private static final long LONGEST_MICROS = 3_600_000_000L;
    private static final long CAP_MICROS = Hints.CAP.toNanos() / 1_000;

    private Pauses() {}

    /**
     * The row after a refusal; empty where it changes nothing.
     *
     * @param grantedAtMicros when the request that was refused had been granted
     * @param waitMicros what the site asks for; negative where it does not say
     */
    public static Optional<PaceRow> afterRefusal(
            PaceRow row,
            LimitSpec.Pace spec,
            long grantedAtMicros,
            long nowMicros,
            long waitMicros,
            RandomGenerator random) {
        if (row.epoch() > 0 && grantedAtMicros <= row.sinceMicros()) {
            return afterAnnouncement(row, nowMicros, waitMicros);
        }
        int step = row.wins() >= WINS_TO_RESET ? 1 : row.step() + 1;
        long wait = waitMicros > 0 ? Math.min(waitMicros, CAP_MICROS) : backOff(step, random);
        double peak = spec.adaptive() ? AdaptivePace.peakAfterRefusal(row, spec) : row.peak();
        return Optional.of(new PaceRow(
                row.epoch() + 1,
                nowMicros,
                Math.max(row.blockedUntilMicros(), nowMicros + wait),
                step,
                0,
                row.slowIntervalMicros(),
                peak,
                0));
    }

    /** The row after an answer that was no refusal and still asks for a wait: a quota that is used up. */
    public static Optional<PaceRow> afterAnnouncement(PaceRow row, long nowMicros, long waitMicros) {
        long until = nowMicros + Math.min(waitMicros, CAP_MICROS);
        return waitMicros > 0 && until > row.blockedUntilMicros()
                ? Optional.of(row.blockedUntil(until))
                : Optional.empty();
    }

    /** The row of a target that has become slow: no pause, no step of back-off, but its adaptive pace falls. */
    public static PaceRow afterSlowness(PaceRow row, LimitSpec.Pace spec) {
        return new PaceRow(
                row.epoch() + 1,
                row.sinceMicros(),
                row.blockedUntilMicros(),
                row.step(),
                row.wins(),
                row.slowIntervalMicros(),
                AdaptivePace.peakAfterRefusal(row, spec),
                0);
    }

    /** Equal jitter: half is certain, half is chance, so that fleets that fell together do not rise together. */
    private static long backOff(int step, RandomGenerator random) {
        long full = Math.min(LONGEST_MICROS, FIRST_MICROS << Math.min(step - 1, 20));
        return full / 2 + random.nextLong(full / 2 + 1);
    }
}
