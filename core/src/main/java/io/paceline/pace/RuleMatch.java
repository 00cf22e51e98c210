package io.paceline.pace;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How one rule fared in one contest.
 *
 * @param rule the rule
 * @param contest what it speaks about
 * @param standing whether it counts
 * @param why one sentence for a person
 * @param charge the bucket that is charged; null where it lost
 */
public record RuleMatch(
        Rule rule,
        Contest contest,
        Standing standing,
        String why,
        @Nullable Charge charge) {

    /** Whether a rule counts for a request. */
    public enum Standing {
        /** Won its contest. */
        BINDS,
        /** Applies besides the winner. */
        ALWAYS,
        /** Counts only. */
        OBSERVES,
        /** Another rule won. */
        LOST,
        /** Its pattern does not cover the URL. */
        SILENT;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
