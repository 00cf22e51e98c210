package io.paceline.store;

import java.util.List;

/**
 * Some of a chain's live sessions.
 *
 * @param next where the next page begins; {@link #END} after the last. While sessions come and go, one may be missed or
 *     shown twice
 */
public record SessionPage(List<Row> rows, long next) {
    /** There is no next page. */
    public static final long END = -1;

    public SessionPage {
        rows = List.copyOf(rows);
    }

    /** Whether a session can be used. */
    public enum State {
        /** Bound to its address. */
        BOUND,
        /** Its next request goes to another address. */
        MOVING,
        /** Told so until it is ended, re-pinned or over. */
        ENDED
    }

    /**
     * One session.
     *
     * @param key as claimed
     * @param chain of its address: the pool's own or a fallback's
     * @param slot of its address
     * @param live leases
     * @param expiresAtMicros when its life is over unless it is used
     */
    public record Row(long key, int chain, int slot, int live, long expiresAtMicros, State state) {}
}
