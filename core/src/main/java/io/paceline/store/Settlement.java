package io.paceline.store;

import io.paceline.LeaseId;
import io.paceline.health.Sign;

/**
 * The end of a lease, and what it says about address and cell. It may be repeated: only the first changes anything.
 *
 * @param lease which lease
 * @param address what the outcome says about the address
 * @param cell what it says about the address on this target
 * @param sign what it adds to what target, tags and pool have seen
 * @param latencyMicros of a success; negative where unknown
 * @param reached the address was reached: a session's first binding holds from now on
 * @param refund true where the permit was not used: its slots go back where nobody has reserved behind them
 */
public record Settlement(
        LeaseId lease,
        Evidence address,
        Evidence cell,
        Sign sign,
        long latencyMicros,
        boolean reached,
        boolean refund) {

    /** The end of a lease that tells nothing of the target, the tags and the pool. */
    public Settlement(
            LeaseId lease, Evidence address, Evidence cell, long latencyMicros, boolean reached, boolean refund) {
        this(lease, address, cell, Sign.NONE, latencyMicros, reached, refund);
    }

    /** The end of a lease of which nothing is learned. */
    public static Settlement unused(LeaseId lease) {
        return new Settlement(lease, Evidence.NONE, Evidence.NONE, Sign.NONE, -1, false, true);
    }

    /** What an outcome says about a subject. */
    public enum Evidence {
        NONE,
        SUCCESS,
        FAULT,
        /** A fault of a cell that is a captcha. */
        CAPTCHA
    }
}
