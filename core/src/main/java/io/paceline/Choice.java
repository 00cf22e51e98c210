package io.paceline;

import io.paceline.pool.Strategy;
import java.util.List;
import java.util.Objects;

/**
 * Why a lease went to its address: who was proposed, by what, and how good each looked.
 *
 * @param way what chose
 * @param pool whose addresses were proposed: the request's own or a fallback
 * @param strategy the strategy of that pool or of the request's task
 * @param proposals best first, as they were proposed; weights and live leases right after the grant
 * @param tries how often the store was asked until it granted, since what a pool believes free may be taken
 */
public record Choice(Way way, String pool, Strategy strategy, List<Proposal> proposals, int tries) {

    /** What chose the address. */
    public enum Way {
        /** The pool's strategy, or the task's. */
        STRATEGY,
        /** The session: the binding that it has, else the hash of its key. */
        SESSION,
        /** Something half-open was to be tested. */
        PROBE,
        /** Nobody in the pool was in service, and so the strategy of a fallback. */
        FALLBACK,
        /** Nobody was in service, and the pool would rather lease what is out than nothing. */
        PANIC
    }

    /**
     * One address that was proposed.
     *
     * @param weight what weighted selection goes by
     * @param live live leases as far as this instance knows
     */
    public record Proposal(String addressId, double weight, int live) {}

    public Choice {
        Objects.requireNonNull(way, "way");
        Objects.requireNonNull(pool, "pool");
        Objects.requireNonNull(strategy, "strategy");
        proposals = List.copyOf(proposals);
    }
}
