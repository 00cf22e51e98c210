package io.paceline.store;

import io.paceline.health.Standing;
import io.paceline.store.StoreSnapshot.Binding;
import io.paceline.store.StoreSnapshot.LimitState;
import io.paceline.store.StoreSnapshot.Reservation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
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
        IdentityHashMap<Session, Place> places = places(chains);
        leases.forEach((lease, id) -> leaseList.add(lease(lease, places)));
        leaseList.sort(Comparator.comparingLong(StoreSnapshot.Lease::id));
        List<LimitState> limitList = new ArrayList<>();
        limits.forEach((limit, hash) -> {
            if (!(limit instanceof Limit.Concurrent)) {
                limitList.add(
                        new LimitState(hash, limit.spec(), limit.hintMicros(), limit.near(), boxed(limit.save())));
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

    /** Where a session is listed. */
    private record Place(int chain, long key) {}

    private static IdentityHashMap<Session, Place> places(LongMap<ChainTable> chains) {
        IdentityHashMap<Session, Place> places = new IdentityHashMap<>();
        chains.forEach(
                (chain, id) -> chain.sessions.forEach((session, key) -> places.put(session, new Place(chain.id, key))));
        return places;
    }

    private static StoreSnapshot.Lease lease(LeaseEntry lease, IdentityHashMap<Session, Place> places) {
        Place place = lease.session == null ? null : places.get(lease.session);
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
                place != null,
                place == null ? 0 : place.chain(),
                place == null ? 0 : place.key(),
                lease.migrated);
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
        for (StoreSnapshot.Chain saved : from.chains()) {
            Sessions sessions = known(chains, saved.id()).sessions;
            saved.sessions().forEach(binding -> sessions.load(binding.key(), session(binding, chains)));
        }
    }

    private static Session session(Binding saved, LongMap<ChainTable> chains) {
        ChainTable chain = known(chains, saved.chain());
        // Of an address that has lost its slot nothing matters but that it is not the slot's.
        AddressRow address =
                saved.orphaned() ? new AddressRow(saved.slot(), Standing.fresh(0, 0), 0) : chain.known(saved.slot());
        return Session.of(saved, chain, address);
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
                chain.cell(saved.slot(), saved.target(), nowMicros),
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
