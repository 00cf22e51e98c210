package io.paceline.store;

import io.paceline.health.Standing;
import io.paceline.store.StoreSnapshot.Binding;
import io.paceline.store.StoreSnapshot.LimitState;
import io.paceline.store.StoreSnapshot.Reservation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
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
        leases.forEach((lease, id) -> leaseList.add(lease(lease)));
        leaseList.sort(Comparator.comparingLong(StoreSnapshot.Lease::id));
        List<LimitState> limitList = new ArrayList<>();
        limits.forEach((limit, hash) -> {
            if (!(limit instanceof Limit.Concurrent)) {
                limitList.add(limit(limit, hash));
            }
        });
        limitList.sort(Comparator.comparingLong(LimitState::hash));
        List<Reservation> ticketList = new ArrayList<>();
        tickets.forEach((ticket, id) -> ticketList.add(ticket(ticket, id)));
        ticketList.sort(Comparator.comparingLong(Reservation::id));
        return new StoreSnapshot(nowMicros, chainList, leaseList, limitList, ticketList);
    }

    static LimitState limit(Limit limit, long hash) {
        return new LimitState(hash, limit.spec(), limit.hintMicros(), limit.near(), boxed(limit.save()));
    }

    static Reservation ticket(Ticket ticket, long id) {
        return new Reservation(
                id, ticket.charges(), boxed(ticket.marks()), ticket.binding(), ticket.atMicros(), ticket.useByMicros());
    }

    /** Of a session only a lease that is live knows: a permit that needs no release counts in none. */
    static StoreSnapshot.Lease lease(LeaseEntry lease) {
        Session session = lease.occupies && lease.session != null && lease.session.listed() ? lease.session : null;
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
                session != null,
                session == null ? 0 : session.list.chain,
                session == null ? 0 : session.key,
                lease.migrated);
    }

    private static List<Long> boxed(long[] numbers) {
        return LongStream.of(numbers).boxed().toList();
    }

    // ---- making a store of one

    static void chains(StoreSnapshot from, LongMap<ChainTable> chains, ChangeLog log) {
        for (StoreSnapshot.Chain saved : from.chains()) {
            ChainTable chain = new ChainTable(saved.id(), log);
            chain.load(saved);
            chains.put(saved.id(), chain);
        }
        for (StoreSnapshot.Chain saved : from.chains()) {
            Sessions sessions = known(chains, saved.id()).sessions;
            saved.sessions().forEach(binding -> sessions.load(session(binding, sessions, chains)));
        }
    }

    private static Session session(Binding saved, Sessions list, LongMap<ChainTable> chains) {
        ChainTable chain = known(chains, saved.chain());
        // Of an address that has lost its slot nothing matters but that it is not the slot's.
        AddressRow address = saved.orphaned() ? nobodys(saved.slot()) : chain.known(saved.slot());
        return Session.of(saved, list, chain, address);
    }

    private static AddressRow nobodys(int slot) {
        AddressRow row = new AddressRow(slot, Standing.fresh(0, 0), 0);
        row.mark = ChangeTrack.GONE;
        return row;
    }

    private static ChainTable known(LongMap<ChainTable> chains, int id) {
        return Objects.requireNonNull(chains.get(id), "a snapshot speaks of a chain that it does not have");
    }

    /** A lease with its row, cell and session, which it counts in. */
    static LeaseEntry lease(StoreSnapshot.Lease saved, LongMap<ChainTable> chains, long nowMicros) {
        ChainTable chain = known(chains, saved.chain());
        LeaseEntry lease = new LeaseEntry(
                saved.id(),
                chain,
                chain.known(saved.slot()),
                cell(saved, chain, nowMicros),
                saved.addressEpoch(),
                saved.cellEpoch(),
                saved.occupies(),
                saved.grantedAtMicros(),
                saved.expiresAtMicros(),
                saved.charges(),
                unboxed(saved.marks()),
                saved.ofSession() ? known(chains, saved.sessionChain()).sessions.known(saved.session()) : null,
                saved.migrated());
        if (lease.occupies) {
            lease.address.resume();
            lease.cell.resume();
            if (lease.session != null) {
                lease.session.live++;
            }
        }
        return lease;
    }

    /** A permit that needs no release keeps no cell from being forgotten: it may be of one that has gone. */
    private static CellRow cell(StoreSnapshot.Lease saved, ChainTable chain, long nowMicros) {
        CellRow known = chain.cellIfKnown(saved.slot(), saved.target());
        if (known != null || saved.occupies()) {
            return chain.cell(saved.slot(), saved.target(), nowMicros);
        }
        CellRow gone = new CellRow(saved.slot(), saved.target(), Standing.fresh(0, 0), nowMicros);
        gone.mark = ChangeTrack.GONE;
        return gone;
    }

    static Limit limit(LimitState saved) {
        Limit limit = Limit.fresh(saved.spec());
        limit.load(saved.hintMicros(), saved.near(), unboxed(saved.numbers()));
        return limit;
    }

    static Ticket ticket(Reservation saved) {
        return new Ticket(
                saved.charges(), unboxed(saved.marks()), saved.binding(), saved.atMicros(), saved.useByMicros());
    }

    private static long[] unboxed(List<Long> numbers) {
        return numbers.stream().mapToLong(Long::longValue).toArray();
    }
}
