package io.paceline.store;

import io.paceline.health.Standing;
import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import java.util.List;

/**
 * Everything that an embedded store knows at one instant, as values: what outlives its process.
 *
 * <p>{@link MemoryStore#snapshot()} takes it, {@link MemoryStore#restore} makes a store of it that decides from then on
 * as the first would have. Lists are in the order of their keys, so equal states have equal snapshots. Live counts of
 * addresses, cells, sessions and concurrency limits are not in it: they are the leases, counted. Nor is the change
 * feed: who follows it reads everything once.
 *
 * @param nowMicros the instant; the store restored never goes back behind it
 */
public record StoreSnapshot(
        long nowMicros, List<Chain> chains, List<Lease> leases, List<LimitState> limits, List<Reservation> tickets) {

    public StoreSnapshot {
        chains = List.copyOf(chains);
        leases = List.copyOf(leases);
        limits = List.copyOf(limits);
        tickets = List.copyOf(tickets);
    }

    /**
     * One chain.
     *
     * @param version of its change feed
     * @param slots in slot order
     * @param cells of whatever address
     * @param expired leases that ended by themselves and of which nobody was told yet
     */
    public record Chain(
            int id,
            long version,
            List<Slot> slots,
            List<Subject> cells,
            List<Binding> sessions,
            List<Due.Expired> expired) {
        public Chain {
            slots = List.copyOf(slots);
            cells = List.copyOf(cells);
            sessions = List.copyOf(sessions);
            expired = List.copyOf(expired);
        }
    }

    /** A slot with its owner; {@code removed} for a tombstone. */
    public record Slot(long identity, boolean removed, Subject row) {}

    /**
     * The row of an address ({@code target} 0) or a cell.
     *
     * @param window the last outcomes, the newest in the lowest bit, 1 for a success
     */
    public record Subject(
            int slot,
            long target,
            Standing standing,
            int revision,
            long window,
            int outcomes,
            int failStreak,
            int winStreak,
            int wins,
            float latencyMicros,
            long lastFaultMicros,
            long lastUsedMicros) {}

    /**
     * A session.
     *
     * @param slot where it is bound
     * @param orphaned the slot belongs to another address by now
     */
    public record Binding(
            long key, int slot, boolean orphaned, long expiresAtMicros, boolean confirmed, boolean ended) {}

    /**
     * A live lease.
     *
     * @param session the key of its session; 0 with {@code ofSession} false
     * @param addressEpoch of its address when it began: an outcome of an older epoch trains nothing
     * @param marks for each charge, what a refund names
     */
    public record Lease(
            long id,
            int chain,
            int slot,
            long target,
            int addressEpoch,
            int cellEpoch,
            boolean occupies,
            long grantedAtMicros,
            long expiresAtMicros,
            List<Charge> charges,
            List<Long> marks,
            boolean ofSession,
            long session) {
        public Lease {
            charges = List.copyOf(charges);
            marks = List.copyOf(marks);
        }
    }

    /**
     * What one bucket has counted.
     *
     * @param spec how it counts
     * @param hintMicros what the caller refused last was told
     * @param numbers in the order of its algorithm; nothing for concurrency
     */
    public record LimitState(long hash, LimitSpec spec, long hintMicros, List<Long> numbers) {
        public LimitState {
            numbers = List.copyOf(numbers);
        }
    }

    /** A ticket that is out. */
    public record Reservation(
            long id, List<Charge> charges, List<Long> marks, Charge binding, long atMicros, long useByMicros) {
        public Reservation {
            charges = List.copyOf(charges);
            marks = List.copyOf(marks);
        }
    }
}
