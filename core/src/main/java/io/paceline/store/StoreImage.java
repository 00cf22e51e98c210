package io.paceline.store;

import io.paceline.health.Latency;
import io.paceline.health.Standing;
import io.paceline.health.Trail;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an embedded store was like, put together from its increments, applied in their order. Where a change is missing, as after a
 * damage on disk, what refers to what is not there is left out: the rest is still a state that a store can go on from.
 *
 * <p>Not thread-safe.
 */
public final class StoreImage {
    private final Map<Integer, ChainImage> chains = new TreeMap<>();
    private final Map<Long, StoreSnapshot.Lease> leases = new HashMap<>();
    private final Map<Long, StoreSnapshot.LimitState> limits = new HashMap<>();
    private final Map<Long, StoreSnapshot.Reservation> tickets = new HashMap<>();

    private static final class ChainImage {
        long version;
        List<Due.Expired> expired = List.of();
        final List<StoreSnapshot.@Nullable Slot> slots = new ArrayList<>();
        final Map<Long, StoreSnapshot.Subject> cells = new HashMap<>();
        final Map<Long, StoreSnapshot.Binding> sessions = new HashMap<>();
        final Map<Long, StoreSnapshot.TallyState> tallies = new HashMap<>();
    }

    /** Takes the change over. */
    public void apply(StoreChange change) {
        if (change instanceof StoreChange.OfChain head) {
            ChainImage chain = chain(head.chain());
            chain.version = head.version();
            chain.expired = head.expired();
        } else if (change instanceof StoreChange.OfAddress address) {
            List<StoreSnapshot.@Nullable Slot> slots = chain(address.chain()).slots;
            int slot = address.slot().row().slot();
            while (slots.size() <= slot) {
                slots.add(null);
            }
            slots.set(slot, address.slot());
        } else if (change instanceof StoreChange.OfCell cell) {
            StoreSnapshot.Subject row = cell.row();
            chain(cell.chain()).cells.put(LongMap.keyOf(row.slot(), row.target()), row);
        } else if (change instanceof StoreChange.OfSession session) {
            chain(session.chain()).sessions.put(session.binding().key(), session.binding());
        } else if (change instanceof StoreChange.OfTally tally) {
            chain(tally.chain()).tallies.put(tally.tally().id(), tally.tally());
        } else if (change instanceof StoreChange.OfLease lease) {
            leases.put(lease.lease().id(), lease.lease());
        } else if (change instanceof StoreChange.OfLimit limit) {
            limits.put(limit.limit().hash(), limit.limit());
        } else if (change instanceof StoreChange.OfTicket ticket) {
            tickets.put(ticket.ticket().id(), ticket.ticket());
        } else if (change instanceof StoreChange.Gone gone) {
            remove(gone);
        }
    }

    private void remove(StoreChange.Gone gone) {
        switch (gone.kind()) {
            case CELL -> chain(gone.chain()).cells.remove(gone.key());
            case SESSION -> chain(gone.chain()).sessions.remove(gone.key());
            case TALLY -> chain(gone.chain()).tallies.remove(gone.key());
            case LEASE -> leases.remove(gone.key());
            case LIMIT -> limits.remove(gone.key());
            case TICKET -> tickets.remove(gone.key());
        }
    }

    private ChainImage chain(int id) {
        return chains.computeIfAbsent(id, absent -> new ChainImage());
    }

    /** Addresses of all chains, those that were removed included. */
    public int addresses() {
        return chains.values().stream().mapToInt(chain -> chain.slots.size()).sum();
    }

    public int leases() {
        return leases.size();
    }

    public int sessions() {
        return chains.values().stream().mapToInt(chain -> chain.sessions.size()).sum();
    }

    /** Nothing was ever applied. */
    public boolean isEmpty() {
        return chains.isEmpty() && leases.isEmpty() && limits.isEmpty() && tickets.isEmpty();
    }

    /** All of it, at the instant of the last increment. */
    public StoreSnapshot snapshot(long nowMicros) {
        List<StoreSnapshot.Chain> chainList = new ArrayList<>();
        chains.forEach((id, chain) -> chainList.add(new StoreSnapshot.Chain(
                id,
                chain.version,
                slots(chain),
                sorted(
                        chain.cells.values().stream()
                                .filter(cell -> cell.slot() < chain.slots.size())
                                .toList(),
                        Comparator.comparingInt(StoreSnapshot.Subject::slot)
                                .thenComparingLong(StoreSnapshot.Subject::target)),
                sorted(
                        chain.sessions.values().stream()
                                .filter(session -> has(session.chain(), session.slot()))
                                .toList(),
                        Comparator.comparingLong(StoreSnapshot.Binding::key)),
                sorted(List.copyOf(chain.tallies.values()), Comparator.comparingLong(StoreSnapshot.TallyState::id)),
                chain.expired)));
        return new StoreSnapshot(
                nowMicros,
                chainList,
                sorted(
                        leases.values().stream()
                                .filter(lease -> has(lease.chain(), lease.slot()))
                                .filter(lease -> !lease.ofSession() || chains.containsKey(lease.sessionChain()))
                                .toList(),
                        Comparator.comparingLong(StoreSnapshot.Lease::id)),
                sorted(List.copyOf(limits.values()), Comparator.comparingLong(StoreSnapshot.LimitState::hash)),
                sorted(List.copyOf(tickets.values()), Comparator.comparingLong(StoreSnapshot.Reservation::id)));
    }

    private boolean has(int chainId, int slot) {
        ChainImage chain = chains.get(chainId);
        return chain != null && slot >= 0 && slot < chain.slots.size();
    }

    private static List<StoreSnapshot.Slot> slots(ChainImage chain) {
        List<StoreSnapshot.Slot> slots = new ArrayList<>(chain.slots.size());
        for (StoreSnapshot.@Nullable Slot slot : chain.slots) {
            slots.add(slot != null ? slot : nobodys(slots.size()));
        }
        return slots;
    }

    /** A slot of which nothing is known: free for the next new owner. */
    private static StoreSnapshot.Slot nobodys(int slot) {
        StoreSnapshot.Subject row = new StoreSnapshot.Subject(
                slot,
                0,
                Standing.fresh(0, 0),
                0,
                Trail.NONE,
                0,
                StoreSnapshot.Counted.NONE,
                0,
                0,
                0,
                0,
                new StoreSnapshot.Latencies(List.of(), 0, 0, Latency.NONE),
                Long.MIN_VALUE / 2,
                0,
                List.of());
        return new StoreSnapshot.Slot(new Enrollee(LongMap.keyOf(slot, 0), 0, 0), true, row);
    }

    private static <T> List<T> sorted(List<T> list, Comparator<T> order) {
        return list.stream().sorted(order).toList();
    }
}
