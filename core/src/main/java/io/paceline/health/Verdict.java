package io.paceline.health;

import java.util.Locale;
import java.util.Objects;

/**
 * Who is guilty, and why: a finding of {@link Blame} with its evidence.
 *
 * @param guilty what kind of subject
 * @param tally with {@link Guilty#TARGET} and {@link Guilty#TAG}: which one; 0 for the rest
 * @param faults of its own outcomes that were weighed, how many failed
 * @param outcomes that were weighed
 * @param captchas whether captchas alone were weighed
 * @param normal the share that would have been normal: the worst of what is usual here and what others met meanwhile
 * @param othersFaults what others met meanwhile
 * @param othersOutcomes of so many
 * @param addresses that failed, where a group is guilty; 0 for an address or a cell
 * @param score natural logarithm of the odds
 * @param threshold what the score had to reach
 */
public record Verdict(
        Guilty guilty,
        long tally,
        int faults,
        int outcomes,
        boolean captchas,
        double normal,
        int othersFaults,
        int othersOutcomes,
        int addresses,
        double score,
        double threshold) {

    /** Who it can be. */
    public enum Guilty {
        ADDRESS,
        CELL,
        TARGET,
        TAG,
        OWN_SIDE;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Verdict {
        Objects.requireNonNull(guilty, "guilty");
    }

    /** The evidence in one sentence. */
    public String sentence() {
        String what = captchas ? "captchas" : "failures";
        String own = faults + " " + what + " in its last " + outcomes;
        String others = othersOutcomes == 0
                ? "nobody else to compare with"
                : othersFaults + " in " + othersOutcomes + " elsewhere meanwhile";
        String who = addresses == 0 ? "" : " through " + addresses + " addresses";
        return String.format(
                Locale.ROOT, "%s%s, %s, %.1f %% would be normal: %s", own, who, others, 100 * normal, odds());
    }

    private String odds() {
        double power = score / Math.log(10);
        return power < 4 ? Math.round(StrictMath.exp(score)) + " to 1" : "more than 10^" + (int) power + " to 1";
    }
}
