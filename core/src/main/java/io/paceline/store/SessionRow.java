package io.paceline.store;

/**
 * A live session as a store returns it.
 *
 * @param key as claimed
 * @param chain of its address: the pool's own or a fallback's
 * @param slot of its address
 * @param present the slot still belongs to the address that the session was bound to, which is in the list
 * @param live its live leases
 * @param expiresAtMicros when its life is over unless it is used
 * @param confirmed a request has reached the address: the binding holds
 */
public record SessionRow(
        long key,
        int chain,
        int slot,
        boolean present,
        int live,
        long expiresAtMicros,
        boolean confirmed,
        State state) {

    /** Whether a session can be used. */
    public enum State {
        /** Bound to its address. */
        BOUND,
        /** Its next request goes to another address. */
        MOVING,
        /** Told so until it is ended, re-pinned or over. */
        ENDED
    }
}
