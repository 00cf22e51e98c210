package io.paceline.store;

import io.paceline.store.StoreSnapshot.Binding;
import io.paceline.store.StoreSnapshot.LimitState;
import io.paceline.store.StoreSnapshot.Reservation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.stream.LongStream;

/** Turns the embedded store's tables into a {@link StoreSnapshot} and back. The caller holds the store's lock. */
final class Snapshots {
    private Snapshots() {}

    // ---- taking one

    static StoreSnapshot take(
            long nowMicros,
            LongMap<ChainTable> chains,
            LongMap<LeaseEntry> leases,
            LongMap<Limit> limits,
            LongMap<Ticket> tickets) {
        List<StoreSnapshot.Chain> chainList = new ArrayList<>();
        chains.forEach((chain, id) -> chainList.add(chain.save()));
        chainList.sort(Comparator.comparingInt(StoreSnapshot.Chain::id));
        List<StoreSnapshot.Lease> leaseList = new ArrayList<>();
        IdentityHashMap<Session, Long> keys = keys(chains);
        leases.forEach((lease, id) -> leaseList.add(lease(lease, keys)));
        leaseList.sort(Comparator.comparingLong(StoreSnapshot.Lease::id));
        List<LimitState> limitList = new ArrayList<>();
        limits.forEach((limit, hash) -> {
            if (!(limit instanceof Limit.Concurrent)) {
                limitList.add(new LimitState(hash, limit.spec(), limit.hintMicros(), boxed(limit.save())));
            }
        });
        limitList.sort(Comparator.comparingLong(LimitState::hash));
        List<Reservation> ticketList = new ArrayList<>();
        tickets.forEach((ticket, id) -> ticketList.add(new Reservation(
                id,
                ticket.charges(),
                boxed(ticket.marks()),
                ticket.binding(),
                ticket.atMicros(),
                ticket.useByMicros())));
        ticketList.sort(Comparator.comparingLong(Reservation::id));
        return new StoreSnapshot(nowMicros, chainList, leaseList, limitList, ticketList);
    }

    private static IdentityHashMap<Session, Long> keys(LongMap<ChainTable> chains) {
        IdentityHashMap<Session, Long> keys = new IdentityHashMap<>();
        chains.forEach((chain, id) -> chain.sessions.forEach(keys::put));
        return keys;
    }

    private static StoreSnapshot.Lease lease(LeaseEntry lease, IdentityHashMap<Session, Long> keys) {
        Long key = lease.session == null ? null : keys.get(lease.session);
        return new StoreSnapshot.Lease(
                lease.id,
                lease.chain.id,
                lease.address.slot,
                lease.cell.target,
                lease.addressEpoch,
                lease.cellEpoch,
                lease.occupies,
                lease.grantedAtMicros,
                lease.expiresAtMicros,
                lease.charges,
                boxed(lease.marks),
                key != null,
                key == null ? 0 : key);
    }

    private static List<Long> boxed(long[] numbers) {
        return LongStream.of(numbers).boxed().toList();
    }

    // ---- making a store of one

    static void chains(StoreSnapshot from, LongMap<ChainTable> chains) {
        for (StoreSnapshot.Chain saved : from.chains()) {
            ChainTable chain = new ChainTable(saved.id());
            chain.load(saved);
            chains.put(saved.id(), chain);
        }
    }

    /** The leases in the order in which they are to be counted, each with its row, cell and session. */
    static LeaseEntry lease(StoreSnapshot.Lease saved, ChainTable chain, long nowMicros) {
        LeaseEntry lease = new LeaseEntry(
                saved.id(),
                chain,
                chain.known(saved.slot()),
                chain.cell(saved.slot(), saved.target(), nowMicros),
                saved.addressEpoch(),
                saved.cellEpoch(),
                saved.occupies(),
                saved.grantedAtMicros(),
                saved.expiresAtMicros(),
                saved.charges(),
                unboxed(saved.marks()),
                saved.ofSession() ? chain.sessions.get(saved.session()) : null);
        if (lease.occupies) {
            lease.address.resume();
            lease.cell.resume();
            if (lease.session != null) {
                lease.session.live++;
            }
        }
        return lease;
    }

    static Limit limit(LimitState saved) {
        Limit limit = Limit.fresh(saved.spec());
        limit.load(saved.hintMicros(), unboxed(saved.numbers()));
        return limit;
    }

    static Ticket ticket(Reservation saved) {
        return new Ticket(
                saved.charges(), unboxed(saved.marks()), saved.binding(), saved.atMicros(), saved.useByMicros());
    }

    static Session session(Binding saved, Row address) {
        Session session = new Session(address, saved.expiresAtMicros());
        session.confirmed = saved.confirmed();
        // Its own row is gone, and only its end could be told.
        session.ended = saved.ended() || saved.orphaned();
        return session;
    }

    private static long[] unboxed(List<Long> numbers) {
        return numbers.stream().mapToLong(Long::longValue).toArray();
    }
}
