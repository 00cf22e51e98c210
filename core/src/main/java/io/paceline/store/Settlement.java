package io.paceline.store;

import io.paceline.LeaseId;

/**
 * The end of a lease, and what it says about address and cell. It may be repeated: only the first changes anything.
 *
 * @param lease which lease
 * @param address what the outcome says about the address
 * @param cell what it says about the address on this target
 * @param latencyMicros of a success; negative where unknown
 * @param reached the address was reached: a session's first binding holds from now on
 * @param refund true where the permit was not used: its slots go back where nobody has reserved behind them
 */
public record Settlement(
        LeaseId lease, Evidence address, Evidence cell, long latencyMicros, boolean reached, boolean refund) {

    /** What an outcome says about a subject. */
    public enum Evidence {
        NONE,
        SUCCESS,
        FAULT
    }
}
