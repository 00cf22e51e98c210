package io.paceline.store;

import io.paceline.LeaseId;
import io.paceline.SettleResult;
import io.paceline.Ticker;
import io.paceline.health.Sign;
import io.paceline.health.Standing;
import io.paceline.health.SubjectRow;
import io.paceline.health.TallyRow;
import io.paceline.health.Trail;
import io.paceline.pace.Charge;
import io.paceline.pace.HintClock;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.PaceRow;
import io.paceline.store.Admission.Purpose;
import io.paceline.store.Admitted.CandidateRow;
import io.paceline.store.Admitted.Grant;
import io.paceline.store.Settlement.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The embedded store: everything in this process, every call one step under one lock that is held for arithmetic only.
 *
 * <p>Thread-safe; every stage it returns is complete. All memory is bounded by what is configured and live: idle limits,
 * cells and sessions are forgotten step by step as others come.
 */
public final class MemoryStore implements StateStore {
    /** How long after its start a ticket may still be redeemed. */
    static final long TICKET_GRACE_MICROS = 5_000_000;

    /** Failures of one subject inside this time are one signal (BLAME: "faults within 300 ms count once"). */
    static final long INSTANT_MICROS = 300_000;

    /** How long a permit that needs no release is remembered, so that a repeated call gives its first answer. */
    private static final long REPEAT_MICROS = 2_000_000;

    /** Ended leases that wait to be reported; beyond it the oldest reports are dropped, never the leases. */
    private static final int MAX_EXPIRED = 100_000;

    private final Ticker ticker;
    private final ReentrantLock lock = new ReentrantLock();
    private final LongMap<ChainTable> chains = new LongMap<>();
    private final LongMap<LeaseEntry> leases = new LongMap<>();
    private final LongMap<Limit> limits = new LongMap<>();
    private final LongMap<Ticket> tickets = new LongMap<>();
    private final ChangeLog log = new ChangeLog();
    private final ChangeTrack<LeaseEntry> changedLeases = new ChangeTrack<>(
            log,
            (lease, id) -> new StoreChange.OfLease(Snapshots.lease(lease)),
            id -> new StoreChange.Gone(StoreChange.Kind.LEASE, 0, id));
    /** What is live is not told: it is the leases, counted. */
    private final ChangeTrack<Limit> changedLimits = new ChangeTrack<>(
            log,
            (limit, hash) ->
                    limit instanceof Limit.Concurrent ? null : new StoreChange.OfLimit(Snapshots.limit(limit, hash)),
            hash -> new StoreChange.Gone(StoreChange.Kind.LIMIT, 0, hash));

    private final ChangeTrack<Ticket> changedTickets = new ChangeTrack<>(
            log,
            (ticket, id) -> new StoreChange.OfTicket(Snapshots.ticket(ticket, id)),
            id -> new StoreChange.Gone(StoreChange.Kind.TICKET, 0, id));
    private final SharedAddresses sharedAddresses = new SharedAddresses(chains, leases);
    private final LeaseWheel wheel;
    private final Consumer<LeaseEntry> expire = this::expire;
    /**
     * The limits of the admission at hand, in the order of its charges: each is looked up once a step. Null where the limit
     * is that of an address, and no address is taken yet.
     */
    private final @Nullable Limit[] limitOf = new @Nullable Limit[Admission.MAX_CHARGES];

    private final HeldBack heldBack = new HeldBack();
    /** Names of rules that the grant at hand tells besides: none, mostly. */
    private final List<String> dryRunRefusals = new ArrayList<>();

    private final List<String> nearLimits = new ArrayList<>();

    private long nowMicros;
    /** Limits made since the last step: for each, one idle one may go, at a time when nobody holds it. */
    private int limitsMade;

    private int limitSweepPlace;
    private int ticketSweepPlace;

    public MemoryStore(Ticker ticker) {
        this(ticker, ticker.micros());
    }

    private MemoryStore(Ticker ticker, long nowMicros) {
        this.ticker = ticker;
        this.nowMicros = nowMicros;
        this.wheel = new LeaseWheel(nowMicros);
        log.of(new ChangeLog.Owner() {
            @Override
            public void touchAll() {
                leases.forEach(changedLeases::touch);
                limits.forEach(changedLimits::touch);
                tickets.forEach(changedTickets::touch);
            }

            @Override
            @SuppressWarnings("ReferenceEquality") // a session is itself alone
            public void touchLeasesOf(Session session) {
                leases.forEach((lease, id) -> {
                    if (lease.session == session) {
                        changedLeases.touch(lease, id);
                    }
                });
            }
        });
    }

    // ---- increments

    /**
     * Begins an increment: what has changed since the last one, as it is at this very instant, whatever happens while it is
     * read by {@link #nextChanges}. The first one is whole. From then on the store notes what changes, which costs a few
     * comparisons a step.
     *
     * <p>For one reader, who reads each increment to its end before he begins another.
     *
     * @param whole everything, and not what has changed alone: a place to begin from
     * @return the instant, in microseconds
     */
    public long beginIncrement(boolean whole) {
        lock.lock();
        try {
            begin();
            boolean first = !log.isOn();
            log.turnOn();
            if (whole || first) {
                log.touchAll();
            }
            log.begin();
            return nowMicros;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The next changes of the increment, in an order in which they may be applied; empty where it is complete. The store is held
     * up for so many at a time.
     */
    public List<StoreChange> nextChanges(int max) {
        lock.lock();
        try {
            return log.next(max);
        } finally {
            lock.unlock();
        }
    }

    /** Everything that the store knows, at one instant. */
    public StoreSnapshot snapshot() {
        lock.lock();
        try {
            begin();
            return Snapshots.take(nowMicros, chains, leases, limits, tickets);
        } finally {
            lock.unlock();
        }
    }

    /** A store that goes on where another was when the snapshot was taken; what has ended since ends at its first step. */
    public static MemoryStore restore(Ticker ticker, StoreSnapshot snapshot) {
        MemoryStore store = new MemoryStore(ticker, snapshot.nowMicros());
        store.load(snapshot);
        return store;
    }

    private void load(StoreSnapshot snapshot) {
        Snapshots.chains(snapshot, chains, log);
        snapshot.limits().forEach(limit -> limits.put(limit.hash(), Snapshots.limit(limit)));
        snapshot.tickets().forEach(ticket -> tickets.put(ticket.id(), Snapshots.ticket(ticket)));
        for (StoreSnapshot.Lease saved : snapshot.leases()) {
            LeaseEntry lease = Snapshots.lease(saved, chains, nowMicros);
            leases.put(lease.id, lease);
            wheel.add(lease);
            for (Charge charge : lease.charges) {
                if (lease.occupies && charge.spec() instanceof LimitSpec.Concurrency) {
                    limit(charge).take(nowMicros, charge.spec(), charge.cost());
                }
            }
        }
        limitsMade = 0; // nothing is new
        chains.forEach((chain, id) -> sharedAddresses.enrolled(chain, chain.identities()));
    }

    @Override
    public CompletionStage<Admitted> admit(Admission admission) {
        lock.lock();
        try {
            begin();
            return CompletableFuture.completedFuture(decide(admission));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public CompletionStage<Settled> settle(Settlement settlement) {
        lock.lock();
        try {
            begin();
            return CompletableFuture.completedFuture(end(settlement));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public CompletionStage<OptionalLong> renew(LeaseId lease, long ttlMicros) {
        return step(() -> lengthen(lease, ttlMicros));
    }

    @Override
    public CompletionStage<Settled> observe(int chain, int slot, long target, Evidence address, Evidence cell) {
        return step(() -> note(chain(chain), slot, target, address, cell));
    }

    @Override
    public CompletionStage<Boolean> claimProbe(ProbeClaim claim) {
        return step(() -> chain(claim.chain()).claimProbe(claim, nowMicros));
    }

    @Override
    public CompletionStage<Shifted> shift(Shift shift) {
        return step(() -> chain(shift.chain()).shift(shift, nowMicros));
    }

    @Override
    public CompletionStage<PaceShifted> shiftPace(PaceShift shift) {
        return step(() -> pace(shift));
    }

    @Override
    public CompletionStage<Boolean> convict(int chain, long tally, long expectedSinceMicros, boolean guilty) {
        return step(() -> chain(chain).tallies.convict(tally, expectedSinceMicros, guilty, nowMicros));
    }

    @Override
    public CompletionStage<Changes> changes(int chain, long sinceVersion, int max) {
        return step(() -> chain(chain).changes(sinceVersion, max, nowMicros));
    }

    @Override
    public CompletionStage<Due> due(int chain, int max) {
        return step(() -> chain(chain).due(max, wheel.nextMicros(), nowMicros));
    }

    @Override
    public CompletionStage<Enrolled> enrol(int chain, List<Enrollee> members) {
        return step(() -> {
            ChainTable table = chain(chain);
            Enrolled enrolled = table.enrol(members, nowMicros);
            sharedAddresses.enrolled(
                    table, members.stream().map(Enrollee::identity).toList());
            return enrolled;
        });
    }

    @Override
    public CompletionStage<Boolean> giveBack(long ticket) {
        return step(() -> {
            Ticket known = tickets.remove(ticket);
            if (known != null) {
                changedTickets.gone(known, ticket);
                refund(known.charges(), known.marks());
            }
            return known != null;
        });
    }

    @Override
    public CompletionStage<Boolean> endSession(int chain, long session) {
        return step(() -> chain(chain).sessions.end(session));
    }

    @Override
    public CompletionStage<SlotRows> rows(int chain, int slot, List<Long> targets) {
        return step(() -> chain(chain).rows(slot, targets));
    }

    @Override
    public CompletionStage<Optional<SessionRow>> session(int chain, long session) {
        return step(() -> chain(chain).sessions.row(session, nowMicros));
    }

    @Override
    public CompletionStage<Integer> sessions(int chain) {
        return step(() -> chain(chain).sessions.count(nowMicros));
    }

    @Override
    public CompletionStage<Boolean> repinSession(int chain, long session) {
        return step(() -> chain(chain).sessions.repin(session, nowMicros));
    }

    @Override
    public CompletionStage<SessionPage> sessionPage(int chain, long from, int max) {
        return step(() -> chain(chain).sessions.page(from, max, nowMicros));
    }

    /** Runs one step; the two of every request do without the detour by a function. */
    private <T> CompletionStage<T> step(Supplier<T> step) {
        lock.lock();
        try {
            begin();
            return CompletableFuture.completedFuture(step.get());
        } finally {
            lock.unlock();
        }
    }

    /** Every step is at one instant; what has expired by then has ended before it. */
    private void begin() {
        nowMicros = Math.max(nowMicros, ticker.micros());
        wheel.advance(nowMicros, expire);
        for (; limitsMade > 0; limitsMade--) {
            limitSweepPlace = limits.visitNext(limitSweepPlace, (limit, key) -> {
                if (limit.idle(nowMicros)) {
                    changedLimits.gone(limit, key);
                    limits.remove(key);
                }
            });
        }
    }

    private ChainTable chain(int id) {
        ChainTable chain = chains.get(id);
        if (chain == null) {
            chain = new ChainTable(id, log);
            chains.put(id, chain);
        }
        return chain;
    }

    // ---- admit

    private Admitted decide(Admission asked) {
        Admitted first = firstAnswer(asked);
        if (first != null) {
            return first;
        }
        SessionClaim claim = asked.session();
        return claim == null ? decideFor(asked) : decideFor(asked, claim);
    }

    private Admitted decideFor(Admission asked) {
        findLimits(asked.charges(), false);
        Admitted unable = timeOrTicket(asked);
        return unable != null ? unable : grantAll(asked, null, null, null);
    }

    /** A session that cannot serve is told before any limit is looked at, a busy address after all of them. */
    private Admitted decideFor(Admission asked, SessionClaim claim) {
        Session bound = chain(claim.chain()).sessions.live(claim.key(), nowMicros);
        if (bound != null) {
            bound.list.touch(bound);
        }
        boolean leaves = bound != null && Sessions.leaves(bound, asked, claim, nowMicros);
        Session kept = leaves ? null : bound;
        Admission own = kept == null ? asked : asked.charging(atAddress(asked.charges(), kept.chain, kept.address));
        findLimits(own.charges(), kept != null);
        Admitted unable = bound == null ? null : Sessions.unable(bound, leaves, asked, claim, nowMicros);
        if (unable == null) {
            unable = timeOrTicket(own);
        }
        if (unable == null && kept != null) {
            unable = pausedAt(kept, own);
        }
        if (unable != null) {
            return unable;
        }
        return grantAll(own, claim, kept, leaves ? bound : null);
    }

    private @Nullable Admitted timeOrTicket(Admission asked) {
        return asked.ticket() == 0 ? time(asked) : redeemable(asked);
    }

    /** Finds the limit of each charge; those of an address only where it is known, and in the charges' hash, already. */
    private void findLimits(List<Charge> charges, boolean addressKnown) {
        for (int i = 0; i < charges.size(); i++) {
            Charge charge = charges.get(i);
            limitOf[i] = charge.scope().perAddress() && !addressKnown ? null : limit(charge);
        }
    }

    /** The charges of a request that the address serves: the same list where none of them depends on it. */
    private static List<Charge> atAddress(List<Charge> charges, ChainTable chain, AddressRow address) {
        if (!namesAddress(charges)) {
            return charges;
        }
        List<Charge> own = new ArrayList<>(charges.size());
        for (Charge charge : charges) {
            own.add(charge.scope().perAddress() ? charge.at(chain.id, chain.identity(address.slot)) : charge);
        }
        return own;
    }

    private static boolean namesAddress(List<Charge> charges) {
        for (int i = 0; i < charges.size(); i++) {
            if (charges.get(i).scope().perAddress()) {
                return true;
            }
        }
        return false;
    }

    /** The answer that the same admission has had before, where it left something behind. */
    private @Nullable Admitted firstAnswer(Admission asked) {
        Ticket ticket = tickets.get(asked.leaseId());
        if (ticket != null) {
            return new Admitted.Reserved(
                    asked.leaseId(), ticket.binding(), ticket.atMicros(), ticket.useByMicros(), nowMicros);
        }
        LeaseEntry lease = leases.get(asked.leaseId());
        if (lease == null) {
            return null;
        }
        List<Grant> grants = new ArrayList<>();
        for (long id = asked.leaseId(); lease != null && grants.size() < asked.count(); lease = leases.get(++id)) {
            grants.add(grantOf(lease));
        }
        return new Admitted.Granted(grants, List.of(), List.of(), nowMicros);
    }

    /** Whether every limit has room now; if not, what is to be answered. Reserves where that is wanted and sound. */
    private @Nullable Admitted time(Admission asked) {
        Charge binding = null;
        Charge impatient = null;
        long at = nowMicros;
        List<Charge> charges = asked.charges();
        for (int i = 0; i < charges.size(); i++) {
            Charge charge = charges.get(i);
            Limit limit = limitOf[i];
            if (charge.dryRun() || limit == null) {
                continue;
            }
            long own = limit.startAt(nowMicros, charge);
            if (own > at) {
                at = own;
                binding = charge;
            }
            if (own > nowMicros && (own == Limit.UNKNOWN || own - nowMicros > accepted(charge, asked))) {
                impatient = own == Limit.UNKNOWN || impatient == null ? charge : impatient;
            }
        }
        if (binding == null) {
            return null;
        }
        if (impatient != null || at == Limit.UNKNOWN) {
            return full(binding, limit(binding), at);
        }
        return reserve(asked, binding, at);
    }

    /** The charge as it is told: a target's pace goes by the name of what holds the request back. */
    private Charge told(Charge binding, Limit limit) {
        return limit instanceof PaceLimit pace ? binding.called(pace.reason(nowMicros, binding.spec())) : binding;
    }

    private static long accepted(Charge charge, Admission asked) {
        return Math.min(charge.maxWaitMicros(), asked.maxWaitMicros());
    }

    /**
     * One slow narrow limit must not push a wide one's clock ahead for everybody: then nothing is reserved. Nor is a target's
     * own pace, ever: what is reserved under one pace would still be started after the target has asked for another.
     */
    private Admitted reserve(Admission asked, Charge binding, long at) {
        if (limit(binding) instanceof PaceLimit pace) {
            // Told one after the other, as refusals are, so that each asks again at a time of its own.
            long told = pace.spaced(binding.spec()) ? pace.hint(at, binding.spec()) : at;
            return new Admitted.Later(told(binding, pace), told, nowMicros);
        }
        List<Charge> paid = new ArrayList<>(asked.charges().size());
        for (int i = 0; i < asked.charges().size(); i++) {
            Charge charge = asked.charges().get(i);
            Limit limit = limitOf[i];
            if (charge.dryRun() || !charge.isRate() || limit == null || limit instanceof PaceLimit) {
                continue;
            }
            paid.add(charge);
            if (at - limit.startAt(nowMicros, charge) > charge.cost() * HintClock.intervalMicros(charge.spec())) {
                return new Admitted.Later(binding, at, nowMicros);
            }
        }
        return ticket(asked, paid, binding, at);
    }

    private Admitted ticket(Admission asked, List<Charge> paid, Charge binding, long at) {
        long[] marks = new long[paid.size()];
        for (int i = 0; i < marks.length; i++) {
            marks[i] =
                    limit(paid.get(i)).take(at, paid.get(i).spec(), paid.get(i).cost());
        }
        Ticket ticket = new Ticket(paid, marks, binding, at, at + TICKET_GRACE_MICROS);
        tickets.put(asked.leaseId(), ticket);
        changedTickets.touch(ticket, asked.leaseId());
        ticketSweepPlace = tickets.visitNext(ticketSweepPlace, (old, id) -> {
            if (old.useByMicros() < nowMicros) {
                changedTickets.gone(old, id);
                tickets.remove(id);
            }
        });
        return new Admitted.Reserved(asked.leaseId(), binding, at, ticket.useByMicros(), nowMicros);
    }

    /** A ticket has paid its rate limits; what is live is counted now, and so is what a reload has added since. */
    private @Nullable Admitted redeemable(Admission asked) {
        Ticket ticket = tickets.get(asked.ticket());
        if (ticket == null || ticket.useByMicros() < nowMicros) {
            return new Admitted.TicketGone(nowMicros);
        }
        if (nowMicros < ticket.atMicros()) {
            return new Admitted.TicketEarly(ticket.binding(), ticket.atMicros(), nowMicros);
        }
        for (int i = 0; i < asked.charges().size(); i++) {
            Charge charge = asked.charges().get(i);
            Limit limit = limitOf[i];
            // A target's own pace is never paid ahead: a pause since the slot was reserved holds for its holder, too.
            if (charge.dryRun() || limit == null || ticket.paidAt(charge) >= 0) {
                continue;
            }
            long at = limit.startAt(nowMicros, charge);
            if (at > nowMicros) {
                return full(charge, limit, at);
            }
        }
        return null;
    }

    private Admitted.Full full(Charge charge, Limit limit, long at) {
        return at == Limit.UNKNOWN
                ? new Admitted.Full(charge, -1, -1, nowMicros)
                : new Admitted.Full(told(charge, limit), at, limit.hint(at, charge.spec()), nowMicros);
    }

    /**
     * Grants as many as there is room for; for a session all of them from one address.
     *
     * @param bound the binding that the session keeps; the charges name its address already
     * @param left the binding that it leaves: the address that it must not get again
     */
    private Admitted grantAll(
            Admission asked, @Nullable SessionClaim claim, @Nullable Session bound, @Nullable Session left) {
        ChainTable proposed = chain(asked.chain());
        List<Grant> grants = asked.count() == 1 ? List.of() : new ArrayList<>(asked.count());
        dryRunRefusals.clear();
        nearLimits.clear();
        Session session = bound;
        for (int i = 0; i < asked.count() && (i == 0 || roomForOneMore(asked)); i++) {
            CellRow cell = session == null || claim == null
                    ? firstFree(asked, proposed, left)
                    : freeCell(session, claim, asked, bound != null);
            if (cell == null) {
                break;
            }
            ChainTable chain = session == null ? proposed : session.chain;
            AddressRow address = chain.known(cell.slot);
            if (session == null && claim != null) {
                session = chain(claim.chain()).sessions.bind(claim, chain, address, left, nowMicros);
            }
            Grant grant = grant(asked, chain, address, cell, session, asked.leaseId() + i, bound != null);
            if (asked.count() == 1) {
                grants = List.of(grant);
            } else {
                grants.add(grant);
            }
        }
        if (grants.isEmpty()) {
            return bound == null
                    ? busy(asked, proposed)
                    : new Admitted.SessionBusy(bound.chain.id, bound.address.slot, nowMicros);
        }
        if (bound != null && claim != null) {
            Sessions.used(bound, claim, nowMicros);
            bound.repinned = false; // nobody else could serve
        }
        return new Admitted.Granted(grants, copied(dryRunRefusals), copied(nearLimits), nowMicros);
    }

    private static List<String> copied(List<String> names) {
        return names.isEmpty() ? List.of() : List.copyOf(names);
    }

    private boolean roomForOneMore(Admission asked) {
        if (asked.ticket() != 0) {
            return false;
        }
        for (int i = 0; i < asked.charges().size(); i++) {
            Charge charge = asked.charges().get(i);
            Limit limit = limitOf[i];
            if (!charge.dryRun() && limit != null && limit.startAt(nowMicros, charge) > nowMicros) {
                return false;
            }
        }
        return true;
    }

    /** The cell of the first candidate that may be leased; null where there is none. */
    @SuppressWarnings("ReferenceEquality") // a row is itself alone
    private @Nullable CellRow firstFree(Admission asked, ChainTable chain, @Nullable Session left) {
        heldBack.clear();
        List<Candidate> candidates = asked.candidates();
        for (int i = 0; i < candidates.size(); i++) {
            Candidate candidate = candidates.get(i);
            AddressRow address = chain.row(candidate.slot());
            if (address == null || (left != null && left.address == address)) {
                continue;
            }
            if (asked.purpose() == Purpose.PROBE && chain.underProbe(address, nowMicros)) {
                continue;
            }
            CellRow cell = chain.cellIfKnown(candidate.slot(), asked.target());
            if (free(asked.purpose(), chain, address, cell, asked.target(), candidate.cap(), candidate.cellCap())
                    && hasRoom(asked.charges(), chain, address, cell)) {
                return cell != null ? cell : chain.cell(candidate.slot(), asked.target(), nowMicros);
            }
        }
        return null;
    }

    /** Whether the limits that name the address have room on this one; notes when they will where they have not. */
    private boolean hasRoom(List<Charge> charges, ChainTable chain, AddressRow address, @Nullable CellRow cell) {
        long at = nowMicros;
        Charge binding = null;
        Limit slowest = null;
        for (int i = 0; i < charges.size(); i++) {
            Charge charge = charges.get(i);
            Limit limit = limitOn(charge, chain, address, cell);
            if (limit == null || charge.dryRun()) {
                continue;
            }
            long own = limit.startAt(nowMicros, charge);
            if (own > at) {
                at = own;
                binding = charge;
                slowest = limit;
            }
        }
        if (binding == null || slowest == null) {
            return true;
        }
        heldBack.note(address.slot, told(binding, slowest), slowest, at);
        return false;
    }

    /** What the charge counts for this address alone; null where it is no such charge, or has all its room. */
    private @Nullable Limit limitOn(Charge charge, ChainTable chain, AddressRow address, @Nullable CellRow cell) {
        if (charge.spec() instanceof LimitSpec.Pace) {
            if (cell == null || cell.pace == null) {
                return null;
            }
            chain.touch(cell); // a pace notes who had to be sent away
            return cell.pace;
        }
        if (!charge.scope().perAddress()) {
            return null;
        }
        long identity = chain.identity(address.slot);
        boolean counts = charge.neverFits() || limits.get(charge.hashAt(chain.id, identity)) != null;
        return counts ? limit(charge.at(chain.id, identity)) : null;
    }

    /** That only a pause of its own cell keeps a bound session away; null where none does. */
    private @Nullable Admitted pausedAt(Session session, Admission asked) {
        CellRow cell = session.chain.cellIfKnown(session.address.slot, asked.target());
        PaceLimit pace = cell == null ? null : cell.pace;
        if (cell != null && pace != null && pace.blocked(nowMicros)) {
            session.chain.touch(cell);
            for (Charge charge : asked.charges()) {
                if (charge.spec() instanceof LimitSpec.Pace) {
                    Admitted.Full until = full(charge, pace, pace.startAt(nowMicros, charge));
                    return new Admitted.Busy(List.of(), until, nowMicros);
                }
            }
        }
        return null;
    }

    /** The cell of a session's address, where it may have one lease more; null where it may not. */
    private @Nullable CellRow freeCell(Session session, SessionClaim claim, Admission asked, boolean atAddress) {
        ChainTable chain = session.chain;
        CellRow cell = chain.cellIfKnown(session.address.slot, asked.target());
        SessionClaim.Caps caps = claim.capsIn(chain.id);
        return chain.liveOn(session.address) < caps.cap()
                        && chain.liveOn(session.address, cell, asked.target()) < caps.cellCap()
                        && (atAddress || hasRoom(asked.charges(), chain, session.address, cell))
                ? chain.cell(session.address.slot, asked.target(), nowMicros)
                : null;
    }

    private static boolean free(
            Purpose purpose,
            ChainTable chain,
            AddressRow address,
            @Nullable CellRow cell,
            long target,
            int cap,
            int cellCap) {
        boolean hasRoom = chain.liveOn(address) < cap;
        boolean cellServes = cell == null || cell.standing.inService();
        boolean cellHasRoom = chain.liveOn(address, cell, target) < cellCap;
        if (purpose == Purpose.SERVE) {
            return address.standing.inService() && hasRoom && cellServes && cellHasRoom;
        }
        if (purpose == Purpose.PANIC) {
            return panics(address, cell) && hasRoom && cellHasRoom;
        }
        // A probe is the only lease on what is half-open; the other of the two must serve.
        boolean addressTested = address.standing.halfOpen() && address.live() == 0 && hasRoom && cellServes;
        boolean cellTested =
                cell != null && cell.standing.halfOpen() && cell.live() == 0 && address.standing.inService() && hasRoom;
        return addressTested || cellTested;
    }

    /** At least one of the two is out, and neither is beyond panic's reach. */
    private static boolean panics(AddressRow address, @Nullable CellRow cell) {
        boolean cellServes = cell == null || cell.standing.inService();
        boolean addressServes = address.standing.inService();
        return !(addressServes && cellServes)
                && (addressServes || address.standing.leasedInPanic())
                && (cell == null || cellServes || cell.standing.leasedInPanic());
    }

    private Admitted busy(Admission asked, ChainTable chain) {
        List<CandidateRow> rows = new ArrayList<>();
        for (Candidate candidate : asked.candidates()) {
            AddressRow address = chain.row(candidate.slot());
            if (address != null && !heldBack.holds(candidate.slot())) {
                CellRow cell = chain.cellIfKnown(candidate.slot(), asked.target());
                SubjectRow cellRow = cell == null ? FRESH : cell.snapshot();
                rows.add(new CandidateRow(
                        candidate.slot(),
                        address.snapshot(),
                        cellRow,
                        chain.liveOn(address),
                        chain.liveOn(address, cell, asked.target())));
            }
        }
        return new Admitted.Busy(rows, heldBack.answer(nowMicros), nowMicros);
    }

    private static final SubjectRow FRESH = new SubjectRow(Standing.fresh(0, 0), 0, 0, 0, 0, 0, 0, 0, Trail.NONE, 0);

    private Grant grant(
            Admission asked,
            ChainTable chain,
            AddressRow address,
            CellRow cell,
            @Nullable Session session,
            long id,
            boolean bound) {
        // A bound session's charges name its address already.
        List<Charge> charges = bound ? asked.charges() : atAddress(asked.charges(), chain, address);
        Ticket ticket = asked.ticket() == 0 ? null : tickets.remove(asked.ticket());
        if (ticket != null) {
            changedTickets.gone(ticket, asked.ticket());
        }
        long[] marks = new long[charges.size()];
        for (int i = 0; i < marks.length; i++) {
            Charge charge = charges.get(i);
            Limit limit = limitOf[i];
            int paid = ticket == null ? -1 : ticket.paidAt(charge);
            marks[i] = ticket != null && paid >= 0
                    ? ticket.marks()[paid]
                    : charge(charge, limit != null ? limit : limit(charge), asked.ttlMicros() > 0);
        }
        boolean occupies = asked.ttlMicros() > 0;
        LeaseEntry lease = new LeaseEntry(
                id,
                chain,
                address,
                cell,
                occupies,
                nowMicros,
                nowMicros + (occupies ? asked.ttlMicros() : REPEAT_MICROS),
                charges,
                marks,
                session);
        if (occupies) {
            chain.touch(address);
            chain.touch(cell);
            address.occupy(nowMicros);
            cell.occupy(nowMicros);
            lease.shared = chain.occupancy(address);
            if (lease.shared != null) {
                lease.shared.occupy(cell.target);
            }
            if (session != null) {
                session.occupy(lease.expiresAtMicros);
            }
        } else if (session != null) {
            session.confirmed = true;
            session.told = true;
        }
        leases.put(id, lease);
        changedLeases.touch(lease, id);
        wheel.add(lease);
        return grantOf(lease);
    }

    private static Grant grantOf(LeaseEntry lease) {
        return new Grant(
                lease.id,
                lease.chain.id,
                lease.address.slot,
                lease.address.live(),
                lease.address.revision(),
                lease.grantedAtMicros,
                lease.expiresAtMicros,
                lease.migrated);
    }

    /** Counts a start; what is returned names it to a refund. */
    private long charge(Charge charge, Limit limit, boolean occupies) {
        boolean concurrency = !charge.isRate();
        if (charge.dryRun() && limit.startAt(nowMicros, charge) > nowMicros) {
            dryRunRefusals.add(charge.rule());
            if (!concurrency) {
                return 0;
            }
        }
        if (concurrency && !occupies) {
            return 0;
        }
        long mark = limit.take(nowMicros, charge.spec(), charge.cost());
        if (limit.comesNear(nowMicros, charge.spec()) && !charge.isLow()) {
            nearLimits.add(charge.rule());
        }
        return mark;
    }

    /** The limit of a charge, for whoever may change it. */
    private Limit limit(Charge charge) {
        Limit limit = limits.get(charge.hash());
        if (limit == null || !limit.counts(charge.spec())) {
            if (limit != null) {
                changedLimits.gone(limit, charge.hash());
            }
            limit = limit == null ? Limit.fresh(charge.spec()) : Limit.succeeding(limit, charge.spec(), nowMicros);
            limits.put(charge.hash(), limit);
            limitsMade++;
        }
        if (charge.isRate()) {
            changedLimits.touch(limit, charge.hash());
        }
        return limit;
    }

    // ---- settle

    private Settled end(Settlement settlement) {
        LeaseEntry lease = leases.get(settlement.lease().value());
        if (lease == null) {
            SettleResult gone = nowMicros < settlement.lease().expiresAtMicros()
                    ? SettleResult.ALREADY_RELEASED
                    : SettleResult.EXPIRED;
            return Settled.nothing(gone, nowMicros);
        }
        wheel.remove(lease);
        boolean trained = lease.current();
        release(lease, settlement.reached());
        if (lease.session != null && settlement.reached()) {
            lease.session.told = true;
        }
        if (settlement.refund()) {
            refund(lease.charges, lease.marks);
        }
        List<TallyRow> tallies = trained ? add(settlement, lease) : List.of();
        PaceLimit pace = paceOf(lease.charges);
        boolean success = settlement.cell() == Evidence.SUCCESS;
        if (success) {
            won(pace, lease);
            won(lease.cell.pace, lease);
        }
        return new Settled(
                SettleResult.RELEASED,
                trained,
                lease.address.snapshot(),
                lease.cell.snapshot(),
                tallies,
                lease.chain.members(),
                success || pace == null ? null : pace.row(),
                lease.grantedAtMicros,
                nowMicros);
    }

    private static void won(@Nullable PaceLimit pace, LeaseEntry lease) {
        if (pace != null) {
            pace.won(lease.grantedAtMicros);
        }
    }

    /** The pace of the lease's target, if it was charged to one: it is the last of the charges. */
    private @Nullable PaceLimit paceOf(List<Charge> charges) {
        for (int i = charges.size() - 1; i >= 0; i--) {
            if (charges.get(i).spec() instanceof LimitSpec.Pace) {
                long hash = charges.get(i).hash();
                if (limits.get(hash) instanceof PaceLimit pace) {
                    changedLimits.touch(pace, hash);
                    return pace;
                }
                return null;
            }
        }
        return null;
    }

    private PaceShifted pace(PaceShift shift) {
        PaceShift.Subject subject = shift.subject();
        PaceLimit pace;
        if (subject.isCell()) {
            if (chain(subject.chain()).row(subject.slot()) == null) {
                return new PaceShifted(false, PaceRow.FRESH, nowMicros);
            }
            CellRow cell = chain(subject.chain()).cell(subject.slot(), subject.target(), nowMicros);
            chain(subject.chain()).touch(cell);
            pace = cell.pace == null ? new PaceLimit() : cell.pace;
            cell.pace = pace;
        } else if (limits.get(subject.key()) instanceof PaceLimit known) {
            changedLimits.touch(known, subject.key());
            pace = known;
        } else {
            pace = new PaceLimit();
            limits.put(subject.key(), pace);
            changedLimits.touch(pace, subject.key());
            limitsMade++;
        }
        boolean applied = pace.shift(shift.expectedEpoch(), shift.to(), nowMicros);
        return new PaceShifted(applied, pace.row(), nowMicros);
    }

    /** Adds the outcome to the rows of address and cell and to the tallies; what those have seen, where it matters. */
    private List<TallyRow> add(Settlement settlement, LeaseEntry lease) {
        AddressRow address = lease.address;
        CellRow cell = lease.cell;
        cell.ofAddressEpoch(address.standing.epoch());
        boolean good = address.good() && cell.good();
        Sign sign = settlement.sign();
        Tallies tallies = lease.chain.tallies;
        boolean excused = sign.failed() && tallies.excuse(address, cell);
        boolean signal = excused || add(address, cell.target, settlement.address(), settlement.latencyMicros());
        signal |= excused || add(cell, cell.target, settlement.cell(), settlement.latencyMicros());
        if (sign == Sign.SUCCESS && settlement.latencyMicros() >= 0) {
            float relative = tallies.took(cell.target, settlement.latencyMicros(), nowMicros);
            address.took(settlement.latencyMicros(), relative, lease.chain.latencies());
        }
        boolean burst = sign.failed() && !signal && settlement.cell() != Evidence.NONE;
        if (sign != Sign.NONE && !burst && inService(address, cell) && cell.mayBeCounted(nowMicros)) {
            address.counted(sign.failed());
            cell.counted(sign.failed());
            tallies.add(sign, address, cell.target, good, nowMicros);
        }
        return sign.failed() || tallies.anyGuilty() ? tallies.rows(address, cell.target, nowMicros) : List.of();
    }

    private static boolean inService(AddressRow address, CellRow cell) {
        return address.standing.inService() && cell.standing.inService();
    }

    /** Adds the outcome to the row of an address or a cell; true where it is a signal, not one more of a burst. */
    private boolean add(Row row, long target, Evidence evidence, long latencyMicros) {
        if (evidence == Evidence.SUCCESS) {
            row.success(target, latencyMicros);
            return true;
        }
        return evidence != Evidence.NONE && row.fault(target, evidence == Evidence.CAPTCHA, nowMicros, INSTANT_MICROS);
    }

    private void expire(LeaseEntry lease) {
        // Nobody knows whether the request reached the address, so a session must be taken to have been seen there.
        release(lease, true);
        if (lease.occupies) {
            lease.chain.ended(
                    new Due.Expired(
                            lease.id,
                            lease.address.slot,
                            lease.cell.target,
                            lease.address.live(),
                            lease.address.revision()),
                    MAX_EXPIRED);
        }
    }

    /** Takes back what the lease occupied; the one place where counts of live leases fall. */
    private void release(LeaseEntry lease, boolean reached) {
        changedLeases.gone(lease, lease.id);
        leases.remove(lease.id);
        lease.chain.touch(lease.address);
        lease.chain.touch(lease.cell);
        if (lease.session != null) {
            lease.session.list.touch(lease.session);
        }
        if (!lease.occupies) {
            return;
        }
        lease.address.vacate();
        lease.cell.vacate();
        if (lease.shared != null) {
            lease.shared.vacate(lease.cell.target);
        }
        List<Charge> charges = lease.charges;
        for (int i = 0; i < charges.size(); i++) {
            Charge charge = charges.get(i);
            if (!charge.isRate() && limits.get(charge.hash()) instanceof Limit.Concurrent l) {
                l.giveBack(nowMicros, charge.spec(), 1);
            }
        }
        if (lease.session != null) {
            lease.session.live--;
            lease.session.confirmed |= reached;
        }
    }

    private void refund(List<Charge> charges, long[] marks) {
        for (int i = 0; i < marks.length; i++) {
            Charge charge = charges.get(i);
            Limit limit = limits.get(charge.hash());
            // Under a rule that a reload has changed since, the mark means nothing.
            if (!charge.dryRun() && charge.isRate() && limit != null && limit.counts(charge.spec())) {
                changedLimits.touch(limit, charge.hash());
                limit.giveBack(marks[i], charge.spec(), charge.cost());
            }
        }
    }

    private OptionalLong lengthen(LeaseId id, long ttlMicros) {
        LeaseEntry lease = leases.get(id.value());
        if (lease == null || !lease.occupies) {
            return OptionalLong.empty();
        }
        changedLeases.touch(lease, lease.id);
        if (lease.session != null) {
            lease.session.list.touch(lease.session);
        }
        wheel.remove(lease);
        lease.expiresAtMicros = Math.max(lease.expiresAtMicros, nowMicros + ttlMicros);
        wheel.add(lease);
        if (lease.session != null) {
            lease.session.leasesUntilMicros = Math.max(lease.session.leasesUntilMicros, lease.expiresAtMicros);
        }
        return OptionalLong.of(lease.expiresAtMicros);
    }

    private Settled note(ChainTable chain, int slot, long target, Evidence onAddress, Evidence onCell) {
        AddressRow address = chain.row(slot);
        if (address == null) {
            return Settled.nothing(SettleResult.UNKNOWN, nowMicros);
        }
        chain.touch(address);
        add(address, target, onAddress, -1);
        CellRow cell = onCell == Evidence.NONE ? null : chain.cell(slot, target, nowMicros);
        if (cell != null) {
            chain.touch(cell);
            add(cell, target, onCell, -1);
        }
        SubjectRow cellRow = cell == null ? null : cell.snapshot();
        return new Settled(
                SettleResult.RELEASED,
                true,
                address.snapshot(),
                cellRow,
                List.of(),
                chain.members(),
                null,
                0,
                nowMicros);
    }
}
