package io.paceline.health;

import java.util.Objects;

/**
 * What a control probe says about an address.
 *
 * @param verdict about the address alone
 * @param latencyMicros of the answer that passed; negative where none did
 * @param evidence one sentence with what was asked and what came, for logs and explanations
 */
public record ControlResult(Verdict verdict, long latencyMicros, String evidence) {

    /** Whether the address is to blame. */
    public enum Verdict {
        /** A control URL was reached through it. */
        PASSED,
        /** No live control URL was reached through it, and they were reached otherwise: it is the address. */
        FAILED,
        /** Its upstream refuses our credentials. */
        CREDENTIALS_REFUSED,
        /** Nothing is proven: no control URL is alive, or our own side or the URLs may be what failed. */
        UNKNOWN
    }

    public ControlResult {
        Objects.requireNonNull(verdict, "verdict");
        Objects.requireNonNull(evidence, "evidence");
    }

    public static ControlResult unknown(String why) {
        return new ControlResult(Verdict.UNKNOWN, -1, why);
    }

    /** True where it proves something. */
    public boolean conclusive() {
        return verdict != Verdict.UNKNOWN;
    }
}
