package io.paceline.store;

import io.paceline.health.Latency;
import io.paceline.health.Standing;
import io.paceline.health.Trail;
import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import java.util.List;

/**
 * Everything that an embedded store knows at one instant, as values: what outlives its process.
 *
 * <p>{@link MemoryStore#snapshot()} takes it, {@link MemoryStore#restore} makes a store of it that decides from then on
 * as the first would have. Lists are in the order of their keys, so equal states have equal snapshots. Live counts of
 * addresses, cells, sessions and concurrency limits are not in it: they are the leases, counted; nor is who is out of
 * service: that is counted over the rows. Nor are the change feed, which its readers begin anew, and the active probes under
 * way, which end by themselves.
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
            List<TallyState> tallies,
            List<Due.Expired> expired) {
        public Chain {
            slots = List.copyOf(slots);
            cells = List.copyOf(cells);
            sessions = List.copyOf(sessions);
            tallies = List.copyOf(tallies);
            expired = List.copyOf(expired);
        }
    }

    /** A slot with its owner; {@code removed} for a tombstone. */
    public record Slot(Enrollee owner, boolean removed, Subject row) {}

    /**
     * The row of an address ({@code target} 0) or a cell.
     *
     * @param trail its last outcomes, told also where none of them failed
     * @param owed successes that must come before the bad stretch is over
     * @param pace of a cell: the pause that is its own, as its numbers; empty where there never was one
     * @param latencies of an address; {@link Latencies#NONE} where none was ever told
     */
    public record Subject(
            int slot,
            long target,
            Standing standing,
            int revision,
            Trail trail,
            int owed,
            Counted inTallies,
            int failStreak,
            int winStreak,
            int wins,
            float latencyMicros,
            Latencies latencies,
            long lastFaultMicros,
            long lastUsedMicros,
            List<Long> pace) {
        public Subject {
            pace = List.copyOf(pace);
        }
    }

    /**
     * How long the successes of an address took.
     *
     * @param counts of its histograms, eight to a number, the lowest bucket in the lowest byte
     * @param outcomes in each of them
     * @param norm the 95th percentile that is usual, against what the targets take; 0 where unknown
     * @param lately as it was measured last
     */
    public record Latencies(List<Long> counts, int outcomes, float norm, Latency lately) {
        public static final Latencies NONE = new Latencies(List.of(), 0, 0, Latency.NONE);

        public Latencies {
            counts = List.copyOf(counts);
        }
    }

    /**
     * What of a cell's latest outcomes the tallies have counted.
     *
     * @param step in which one was counted last
     * @param outcomes that were offered in this step
     * @param addressEpoch the service of its address that they are of
     */
    public record Counted(long step, int outcomes, int addressEpoch) {
        /** What an address has. */
        public static final Counted NONE = new Counted(0, 0, 0);
    }

    /**
     * A session.
     *
     * @param chain of its address: the session's own or a fallback's
     * @param slot where it is bound
     * @param orphaned the slot belongs to another address by now
     * @param leasesUntilMicros when the last of its leases ends by itself at the latest
     */
    public record Binding(
            long key,
            int chain,
            int slot,
            boolean orphaned,
            boolean migrated,
            long expiresAtMicros,
            long leasesUntilMicros,
            boolean confirmed,
            boolean told,
            boolean ended,
            boolean repinned) {}

    /**
     * What a target, a tag or the pool has seen.
     *
     * @param entries the latest outcomes as they are packed, the oldest first
     * @param timesMicros when each was
     * @param steps counts as they are packed, the newest step first
     * @param stepsOfGood the same of outcomes whose address and cell were well before
     * @param typicalMicros what its successes take; 0 where unknown
     */
    public record TallyState(
            long id,
            long guiltySinceMicros,
            List<Long> entries,
            List<Long> timesMicros,
            List<Long> steps,
            List<Long> stepsOfGood,
            long newestStep,
            double usual,
            double usualUnreached,
            double usualFaults,
            double usualCaptchas,
            long usualAtMicros,
            float typicalMicros) {
        public TallyState {
            entries = List.copyOf(entries);
            timesMicros = List.copyOf(timesMicros);
            steps = List.copyOf(steps);
            stepsOfGood = List.copyOf(stepsOfGood);
        }
    }

    /**
     * A live lease.
     *
     * @param sessionChain where its session is listed; 0 with {@code ofSession} false
     * @param session the key of its session; 0 with {@code ofSession} false
     * @param migrated its answer tells that the session has moved
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
            int sessionChain,
            long session,
            boolean migrated) {
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
     * @param near it was told that it is near its limit, and has not been away from it since
     * @param numbers in the order of its algorithm; nothing for concurrency
     */
    public record LimitState(long hash, LimitSpec spec, long hintMicros, boolean near, List<Long> numbers) {
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
