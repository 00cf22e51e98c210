package io.paceline.redis.degraded;

import io.paceline.LeaseId;
import io.paceline.SettleResult;
import io.paceline.Ticker;
import io.paceline.health.Hold;
import io.paceline.health.Latency;
import io.paceline.health.Standing;
import io.paceline.health.SubjectRow;
import io.paceline.health.Trail;
import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.redis.degraded.Notebook.Bound;
import io.paceline.redis.degraded.Notebook.Held;
import io.paceline.redis.degraded.Notebook.SessionName;
import io.paceline.redis.degraded.Notebook.Subject;
import io.paceline.store.Admission;
import io.paceline.store.Admitted;
import io.paceline.store.Candidate;
import io.paceline.store.Enrollee;
import io.paceline.store.MemoryStore;
import io.paceline.store.PaceShift;
import io.paceline.store.ProbeClaim;
import io.paceline.store.SessionClaim;
import io.paceline.store.Settled;
import io.paceline.store.Settlement;
import io.paceline.store.Shift;
import io.paceline.store.Shifted;
import io.paceline.store.StoreSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The state by which an instance decides alone: an embedded store that begins with what the instance knows, and lets go only
 * what no other instance can let go too.
 *
 * <p>Addresses of others look frozen, so that nobody proposes them. Of an own address others may hold leases of before: until
 * the longest of these is over, it takes up only the places of own leases that have been settled here since the cut. (Of one
 * that ends by itself nobody knows: it may have been settled long ago at another instance, and its place be taken.) Limits
 * are {@linkplain Shares divided}.
 *
 * <p>Thread-safe. Once {@linkplain #close closed} it grants nothing more, so that what it has granted can be told.
 */
final class LocalStore {
    /** When to ask again for a limit of which this instance has no share: the shared store may be back by then. */
    private static final long NO_SHARE_MICROS = 1_000_000;

    private static final Hold FROZEN = Hold.NONE.withFrozen(true);

    final MemoryStore store;
    private final Notebook notebook;
    private final Outbox outbox;
    private final Roster roster;
    private final Roster.Slice slice;
    private final Ticker time;
    /** From when on nobody else's lease can be live on an own address. */
    private long allFreeMicros;

    /** Places of own leases of before, on the address and on the cell: live ones, and those that were settled here. */
    private final Map<Long, Integer> heldOnAddress = new HashMap<>();

    private final Map<Cell, Integer> heldOnCell = new HashMap<>();
    /** Own leases of before, the one that ends first at the head. */
    private final PriorityQueue<Held> ending = new PriorityQueue<>(Comparator.comparingLong(Held::expiresAtMicros));

    private final Set<Long> settledHere = new HashSet<>();
    private boolean closed;

    private record Cell(long identity, long target) {}

    /** @param time as the shared store counts it */
    LocalStore(Notebook notebook, Outbox outbox, Roster roster, long self, Ticker time) {
        this.notebook = notebook;
        this.outbox = outbox;
        this.roster = roster;
        this.slice = roster.slice(self);
        this.time = time;
        long now = time.micros();
        count(now);
        store = MemoryStore.restore(time, snapshot(now));
        notebook.paces.forEach((subject, row) -> {
            PaceShift known = new PaceShift(subject, 0, row);
            CompletionStage<?> ignored = store.shiftPace(known);
        });
    }

    /** What it holds now is what it may hold until everything that others hold has ended. */
    private void count(long now) {
        long longest = Math.max(notebook.longestLeaseMicros(), roster.longestLeaseMicros());
        allFreeMicros = roster.members().size() == 1 ? now : now + longest;
        notebook.forget(now);
        heldOnAddress.clear();
        heldOnCell.clear();
        ending.clear();
        ending.addAll(notebook.held.values());
        for (Map<Long, Held> leases : List.of(notebook.held, notebook.untold)) {
            leases.values().forEach(lease -> places(lease, 1));
        }
    }

    private void places(Held lease, int by) {
        heldOnAddress.merge(lease.identity(), by, Integer::sum);
        heldOnCell.merge(new Cell(lease.identity(), lease.target()), by, Integer::sum);
    }

    private void forgetEnded() {
        long now = time.micros();
        for (Held lease = ending.peek(); lease != null && lease.expiresAtMicros() <= now; lease = ending.peek()) {
            ending.remove();
            if (!settledHere.remove(lease.id())) {
                places(lease, -1);
            }
        }
    }

    // ---- what it begins with

    private StoreSnapshot snapshot(long now) {
        List<StoreSnapshot.Chain> chains = new ArrayList<>();
        notebook.tables.forEach((id, table) -> chains.add(
                new StoreSnapshot.Chain(id, 1, slots(id, table, now), cells(id), sessions(id), List.of(), List.of())));
        List<StoreSnapshot.Lease> leases =
                notebook.held.values().stream().map(this::lease).toList();
        return new StoreSnapshot(now, chains, leases, List.of(), List.of());
    }

    private List<StoreSnapshot.Slot> slots(int chain, Notebook.Table table, long now) {
        List<StoreSnapshot.Slot> slots = new ArrayList<>(table.size());
        for (int slot = 0; slot < table.size(); slot++) {
            Enrollee owner = table.bySlot.get(slot);
            Standing known = table.standings.get(slot);
            Standing standing = known == null ? Standing.fresh(0, now) : known;
            boolean own = owner != null && slice.owns(owner.identity());
            slots.add(new StoreSnapshot.Slot(
                    owner == null ? Notebook.placeholder(chain, slot) : owner,
                    owner == null,
                    subject(slot, 0, own ? standing : standing.keeping(FROZEN), now)));
        }
        return slots;
    }

    private List<StoreSnapshot.Subject> cells(int chain) {
        List<StoreSnapshot.Subject> cells = new ArrayList<>();
        notebook.cells.forEach((subject, standing) -> {
            if (subject.chain() == chain && owns(chain, subject.slot())) {
                cells.add(subject(subject.slot(), subject.target(), standing, standing.sinceMicros()));
            }
        });
        return cells;
    }

    private static StoreSnapshot.Subject subject(int slot, long target, Standing standing, long usedMicros) {
        return new StoreSnapshot.Subject(
                slot,
                target,
                standing,
                1,
                Trail.NONE,
                0,
                StoreSnapshot.Counted.NONE,
                0,
                0,
                0,
                0,
                new StoreSnapshot.Latencies(List.of(), 0, 0, Latency.NONE),
                0,
                usedMicros,
                List.of());
    }

    private List<StoreSnapshot.Binding> sessions(int chain) {
        List<StoreSnapshot.Binding> bindings = new ArrayList<>();
        notebook.sessions.forEach((name, bound) -> {
            if (name.chain() == chain && owns(bound.chain(), bound.slot())) {
                bindings.add(new StoreSnapshot.Binding(
                        name.key(),
                        bound.chain(),
                        bound.slot(),
                        false,
                        false,
                        bound.expiresAtMicros(),
                        0,
                        true,
                        true,
                        false,
                        false));
            }
        });
        return bindings;
    }

    private StoreSnapshot.Lease lease(Held held) {
        SessionClaim claim = held.claim();
        Bound bound = claim == null ? null : notebook.sessions.get(new SessionName(claim.chain(), claim.key()));
        boolean ofSession = bound != null && owns(bound.chain(), bound.slot());
        List<Charge> charges = held.concurrency().stream()
                .map(charge -> charge.scope().perAddress() ? charge.at(held.chain(), held.identity()) : charge)
                .toList();
        return new StoreSnapshot.Lease(
                held.id(),
                held.chain(),
                held.slot(),
                held.target(),
                epoch(notebook.tables.get(held.chain()), held.slot()),
                epoch(new Subject(held.chain(), held.slot(), held.target())),
                true,
                held.grantedAtMicros(),
                held.expiresAtMicros(),
                charges,
                charges.stream().map(charge -> 0L).toList(),
                ofSession,
                ofSession && claim != null ? claim.chain() : 0,
                ofSession && claim != null ? claim.key() : 0,
                false);
    }

    private static int epoch(Notebook.@Nullable Table table, int slot) {
        Standing standing = table == null ? null : table.standings.get(slot);
        return standing == null ? 0 : standing.epoch();
    }

    private int epoch(Subject cell) {
        Standing standing = owns(cell.chain(), cell.slot()) ? notebook.cells.get(cell) : null;
        return standing == null ? 0 : standing.epoch();
    }

    // ---- what it decides

    boolean owns(int chain, int slot) {
        Enrollee owner = notebook.member(chain, slot);
        return owner != null && slice.owns(owner.identity());
    }

    /** Null once it is closed. */
    synchronized @Nullable Admitted admit(Admission asked) {
        if (closed) {
            return null;
        }
        forgetEnded();
        List<Charge> charges = new ArrayList<>(asked.charges().size());
        for (Charge charge : asked.charges()) {
            Charge own = share(charge, asked.target());
            if (own == null) {
                long again = time.micros() + NO_SHARE_MICROS;
                return new Admitted.Full(charge, again, again, time.micros());
            }
            charges.add(own);
        }
        SessionClaim claim = asked.session();
        if (claim != null && !mayServe(claim)) {
            return new Admitted.SessionPaused(-1, 0, time.micros());
        }
        Admission own = asked.charging(charges)
                .proposing(own(asked))
                .within(claim == null ? null : capped(claim, asked.target()));
        Admitted answer = store.admit(own).toCompletableFuture().join();
        notebook.admitted(asked, answer, true);
        return answer;
    }

    /** A charge as far as this instance may use it; null where it may not. One that names an address is the owner's alone. */
    private @Nullable Charge share(Charge charge, long target) {
        if (charge.scope().perAddress()) {
            return charge;
        }
        int rank = Rendezvous.rank(slice.known(), slice.instance(), Shares.key(charge, target));
        LimitSpec own = Shares.of(charge.spec(), slice.known().size(), rank);
        // A share that could never hold so much as one such permit is none.
        if (own == null || (charge.cost() > own.mostAtOnce() && charge.isRate())) {
            return charge.dryRun() ? charge : null;
        }
        return charge.countedBy(own);
    }

    /**
     * A session whose address is another's waits; one that nobody here knows begins at the one instance that its key names,
     * or two would bind it to two addresses.
     */
    private boolean mayServe(SessionClaim claim) {
        boolean here = store.session(claim.chain(), claim.key())
                .toCompletableFuture()
                .join()
                .isPresent();
        if (here) {
            return true;
        }
        Bound bound = notebook.sessions.get(new SessionName(claim.chain(), claim.key()));
        boolean elsewhere =
                bound != null && bound.expiresAtMicros() > time.micros() && !owns(bound.chain(), bound.slot());
        return !elsewhere && Rendezvous.rank(slice.known(), slice.instance(), claim.key()) == 0;
    }

    private List<Candidate> own(Admission asked) {
        List<Candidate> own = new ArrayList<>();
        for (Candidate candidate : asked.candidates()) {
            Enrollee owner = notebook.member(asked.chain(), candidate.slot());
            if (owner != null && slice.owns(owner.identity())) {
                int cap = cap(owner.identity(), candidate.cap());
                int cellCap = cellCap(owner.identity(), asked.target(), candidate.cap(), candidate.cellCap());
                own.add(new Candidate(candidate.slot(), cap, cellCap));
            }
        }
        return own;
    }

    private int cap(long identity, int cap) {
        return time.micros() >= allFreeMicros ? cap : Math.min(cap, heldOnAddress.getOrDefault(identity, 0));
    }

    /** Where a cell holds as many as its address, the address's cap says all. */
    private int cellCap(long identity, long target, int cap, int cellCap) {
        return cellCap >= cap || time.micros() >= allFreeMicros
                ? cellCap
                : Math.min(cellCap, heldOnCell.getOrDefault(new Cell(identity, target), 0));
    }

    /** The claim with the caps of the address that it is bound to. */
    private SessionClaim capped(SessionClaim claim, long target) {
        Bound bound = notebook.sessions.get(new SessionName(claim.chain(), claim.key()));
        Enrollee owner = bound == null ? null : notebook.member(bound.chain(), bound.slot());
        if (owner == null) {
            return claim;
        }
        List<SessionClaim.Caps> caps = claim.caps().stream()
                .map(each -> new SessionClaim.Caps(
                        each.chain(),
                        cap(owner.identity(), each.cap()),
                        cellCap(owner.identity(), target, each.cap(), each.cellCap())))
                .toList();
        return new SessionClaim(
                claim.chain(),
                claim.key(),
                claim.ttlMicros(),
                claim.sliding(),
                claim.onAddressDeath(),
                claim.lostAfterOutMicros(),
                caps);
    }

    synchronized Settled settle(Settlement settlement) {
        Held held = notebook.endedUntold(settlement.lease().value());
        Settled settled = store.settle(settlement).toCompletableFuture().join();
        if (held != null && !held.alone()) {
            settledHere.add(held.id());
        }
        boolean unknown = held == null && settlement.lease().expiresAtMicros() > time.micros();
        if (held == null && !unknown && !notebook.doubted(settlement.lease().value())) {
            return settled;
        }
        if (closed || held == null || !held.alone()) {
            outbox.settle(settlement);
        } else if (settled.trained()) {
            SubjectRow address = settled.address();
            SubjectRow cell = settled.cell();
            if (address != null && cell != null) {
                outbox.saw(new Outbox.Seen(
                        settlement, address.standing().epoch(), cell.standing().epoch()));
            }
        }
        // A lease of another instance, which will be told.
        return unknown ? Settled.nothing(SettleResult.RELEASED, time.micros()) : settled;
    }

    /** A lease on another's address ends when it was to end: its owner counts on that. */
    synchronized OptionalLong renew(LeaseId lease, long ttlMicros) {
        Held held = notebook.held.get(lease.value());
        if (closed || held == null) {
            return lease.expiresAtMicros() > time.micros()
                    ? OptionalLong.of(lease.expiresAtMicros())
                    : OptionalLong.empty();
        }
        if (!owns(held.chain(), held.slot())) {
            return OptionalLong.of(held.expiresAtMicros());
        }
        OptionalLong end = store.renew(lease, ttlMicros).toCompletableFuture().join();
        end.ifPresent(until -> notebook.renewed(lease.value(), ttlMicros, until));
        return end;
    }

    boolean claimProbe(ProbeClaim claim) {
        return owns(claim.chain(), claim.slot())
                && time.micros() >= allFreeMicros
                && store.claimProbe(claim).toCompletableFuture().join();
    }

    /** Of another's address nothing changes here: it stays frozen. */
    synchronized Shifted shift(Shift shift) {
        if (closed || !owns(shift.chain(), shift.slot())) {
            return new Shifted.Capped();
        }
        Shifted shifted = store.shift(shift).toCompletableFuture().join();
        if (shifted instanceof Shifted.Applied) {
            outbox.moved(shift);
        }
        return shifted;
    }

    /** Nothing more is granted; what was granted and not settled. */
    synchronized List<Held> close() {
        closed = true;
        notebook.forget(time.micros());
        return List.copyOf(notebook.held.values());
    }

    /**
     * Goes on, where what was to be told could not be.
     *
     * @param seen others may have taken this instance for one that serves from the shared store
     */
    synchronized void reopen(boolean seen) {
        closed = false;
        if (seen) {
            count(time.micros());
        }
    }

    Roster roster() {
        return roster;
    }
}
