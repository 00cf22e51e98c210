package io.paceline.redis.degraded;

import io.paceline.Alarm;
import io.paceline.LeaseId;
import io.paceline.SettleResult;
import io.paceline.Ticker;
import io.paceline.health.Hold;
import io.paceline.health.SubjectRow;
import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.redis.degraded.Notebook.SessionName;
import io.paceline.store.Admission;
import io.paceline.store.Admitted;
import io.paceline.store.Candidate;
import io.paceline.store.Changes;
import io.paceline.store.Due;
import io.paceline.store.Enrolled;
import io.paceline.store.Enrollee;
import io.paceline.store.MemoryStore;
import io.paceline.store.OnAddressDeath;
import io.paceline.store.PaceShift;
import io.paceline.store.PaceShifted;
import io.paceline.store.ProbeClaim;
import io.paceline.store.SessionClaim;
import io.paceline.store.SessionPage;
import io.paceline.store.SessionRow;
import io.paceline.store.Settled;
import io.paceline.store.Settlement;
import io.paceline.store.Settlement.Evidence;
import io.paceline.store.Shift;
import io.paceline.store.Shifted;
import io.paceline.store.SlotRows;
import io.paceline.store.StateStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A store in which each instance decides by itself what is its own: the divisions {@code hash}, {@code modulo} and
 * {@code domain}. An admission or a settlement asks nobody; what others must know is written to the shared store beside the
 * work: who is there ({@link Attendance}), which address a session is bound to ({@link SessionRegister}), judgement
 * ({@link StandingCopies}) and what sites have asked for ({@link PaceCopies}).
 *
 * <p>What belongs to another instance is answered with {@link Admitted.Elsewhere} and its name. A lease must be ended where it
 * was granted. Thread-safe. Reasons and bounds: docs/distributed.md, decision 0021.
 */
public final class DividedStore implements StateStore, AutoCloseable {
    private static final Hold FROZEN = Hold.NONE.withFrozen(true);
    /** The longest window that is waited for before a limit is divided anew. */
    private static final long LONGEST_WINDOW_MICROS = Membership.LONGEST_WINDOW_MICROS;

    private final SharedStore shared;
    private final Ticker ticker;
    private final MemoryStore local;
    private final Notebook notebook = new Notebook();
    private final Attendance attendance;
    private final SessionRegister register;
    private final StandingCopies copies;
    private final PaceCopies paces;
    private final Homecoming teller;
    /** Sessions whose first request waits for the register. */
    private final Map<SessionName, CompletionStage<?>> beginning = new ConcurrentHashMap<>();

    private final Object lock = new Object();

    private DividedStore(
            SharedStore shared,
            Division division,
            Duration rest,
            Ticker ticker,
            Alarm alarm,
            RandomGenerator random,
            StoreState.Listener listener) {
        this.shared = shared;
        this.ticker = ticker;
        local = new MemoryStore(ticker);
        attendance = new Attendance(
                shared,
                division,
                rest.toNanos() / 1_000,
                ticker,
                alarm,
                random,
                listener,
                lock,
                this::sliceChanged,
                this::afterBeat);
        register = new SessionRegister(shared, ticker, random, this::endHere);
        copies = new StandingCopies(
                shared, local, notebook, address -> attendance.holdings().owns(address), lock);
        teller = new Homecoming(shared, notebook, new Outbox(), ticker, random);
        paces = new PaceCopies(shared, local, teller, ticker);
    }

    /**
     * Joins those who divide the work.
     *
     * @param division not {@link Division#BROKER}
     * @param rest how long what an instance granted that has left since may matter: the longest lease, and the longest window
     *     of a limit up to a minute
     * @return fails where the store does not answer, or where others divide the work in another way
     */
    public static CompletionStage<DividedStore> join(
            SharedStore shared,
            Division division,
            Duration rest,
            Ticker ticker,
            Alarm alarm,
            RandomGenerator random,
            StoreState.Listener listener) {
        if (!division.isLocal()) {
            throw new IllegalArgumentException("division " + division.word() + " is decided by the shared store");
        }
        DividedStore store = new DividedStore(shared, division, rest, ticker, alarm, random, listener);
        return store.attendance.join().thenApply(joined -> store).whenComplete((joined, failure) -> {
            if (failure != null) {
                store.close(); // the store may have seen it: nobody need wait for somebody who never was
            }
        });
    }

    /** How it stands to the others now. */
    public StoreState state() {
        return attendance.state();
    }

    /** Leaves: nothing is granted any more. The shared store itself stays open. */
    @Override
    public void close() {
        synchronized (lock) {
            attendance.leave();
        }
    }

    /** What other instances call it when they send somebody here. */
    public String name() {
        return name(attendance.self());
    }

    /** How the work is divided, for people. */
    public DivisionState division() {
        return new DivisionState(
                attendance.division(), name(), attendance.roster().members().size(), state().detail());
    }

    static String name(long instance) {
        return String.format(Locale.ROOT, "%016x", instance);
    }

    // ---- slices

    private void sliceChanged() {
        for (int chain : notebook.tables.keySet()) {
            copies.layAside(chain, false);
        }
    }

    /** Four times a second: what could not be done while the store was away is done now. */
    private void afterBeat(boolean forgot) {
        if (forgot) {
            CompletionStage<Void> ignored =
                    teller.enrolAll().thenRun(copies::tellAll).thenCompose(done -> register.writeAll());
        }
        for (int chain : notebook.tables.keySet()) {
            CompletionStage<Void> ignored = copies.takeUp(chain);
        }
        copies.tell();
    }

    private boolean owns(int chain, int slot) {
        Enrollee member = notebook.member(chain, slot);
        return member != null && attendance.holdings().owns(member.identity());
    }

    private static <T> CompletionStage<T> now(T value) {
        return CompletableFuture.completedFuture(value);
    }

    private <T> CompletionStage<T> away(String why) {
        return CompletableFuture.failedFuture(new StoreAwayException(why));
    }

    // ---- permits

    @Override
    public CompletionStage<Admitted> admit(Admission asked) {
        paces.asked(asked);
        SessionClaim claim = asked.session();
        if (claim != null) {
            return admitSession(asked, claim);
        }
        Admitted answer = admitHere(asked);
        return answer == null ? away(state().detail()) : now(answer);
    }

    /** Null where this instance has no part. */
    private @Nullable Admitted admitHere(Admission asked) {
        synchronized (lock) {
            Holdings holdings = attendance.holdings();
            Team newest = holdings.last();
            if (!holdings.serves() || newest == null) {
                return null;
            }
            if (!holdings.servesTarget(asked.target())) {
                return elsewhere("the target", newest.ownerOfTarget(asked.target(), attendance.self()));
            }
            List<Charge> charges = new ArrayList<>(asked.charges().size());
            for (Charge charge : asked.charges()) {
                Charge own = share(holdings, charge, asked);
                if (own == null) {
                    return elsewhere(
                            "what there is of limit " + charge.rule() + ", too small to be divided,",
                            newest.firstOf(charge, asked.target()));
                }
                charges.add(own);
            }
            List<Candidate> candidates = asked.candidates().stream()
                    .filter(candidate -> owns(asked.chain(), candidate.slot()))
                    .toList();
            Admitted answer = local.admit(asked.charging(charges).proposing(candidates))
                    .toCompletableFuture()
                    .join();
            if (answer instanceof Admitted.Granted) {
                attendance.granted(Math.max(asked.ttlMicros(), window(asked.charges())));
            }
            return answer;
        }
    }

    private Admitted elsewhere(String what, long instance) {
        return new Admitted.Elsewhere(what, name(instance), ticker.micros());
    }

    private static @Nullable Charge share(Holdings holdings, Charge charge, Admission asked) {
        LimitSpec own = holdings.share(charge, asked.target(), asked.session() != null);
        // A share that could never hold so much as one such permit is none.
        if (own == null || (charge.cost() > own.mostAtOnce() && charge.isRate() && !charge.neverFits())) {
            return charge.dryRun() ? charge : null;
        }
        return charge.countedBy(own);
    }

    private static long window(List<Charge> charges) {
        long longest = 0;
        for (Charge charge : charges) {
            longest = Math.max(longest, Notebook.window(charge.spec()));
        }
        return Math.min(longest, LONGEST_WINDOW_MICROS);
    }

    // ---- sessions

    /** A session lives with the owner of its address: only its first request here asks the register. */
    private CompletionStage<Admitted> admitSession(Admission asked, SessionClaim claim) {
        SessionName name = new SessionName(claim.chain(), claim.key());
        CompletionStage<?> begins = beginning.get(name);
        if (begins != null) {
            return begins.handle((done, failure) -> true).thenCompose(done -> admitSession(asked, claim));
        }
        SessionRow here = here(claim.chain(), claim.key());
        if (here != null && owns(here.chain(), here.slot())) {
            Admitted answer = admitHere(asked);
            if (answer == null) {
                return away(state().detail());
            }
            keep(claim, answer, asked.target());
            return now(answer);
        }
        if (here != null) {
            endHere(name);
        }
        CompletableFuture<Admitted> answer = new CompletableFuture<>();
        if (beginning.putIfAbsent(name, answer) != null) {
            return admitSession(asked, claim);
        }
        register.find(claim)
                .thenCompose(found -> found.isPresent() ? goOn(asked, claim, found.get()) : begin(asked, claim))
                .whenComplete((admitted, failure) -> {
                    beginning.remove(name);
                    if (failure == null) {
                        answer.complete(admitted);
                    } else {
                        answer.completeExceptionally(failure);
                    }
                });
        return answer;
    }

    private @Nullable SessionRow here(int chain, long session) {
        return local.session(chain, session).toCompletableFuture().join().orElse(null);
    }

    private void keep(SessionClaim claim, Admitted answer, long target) {
        if (answer instanceof Admitted.Granted granted) {
            CompletionStage<?> ignored = register.used(claim, granted.grants().get(0), target);
        }
    }

    private void endHere(SessionName name) {
        CompletionStage<?> ignored = local.endSession(name.chain(), name.key());
    }

    /** It has been bound before, here or at another instance. */
    private CompletionStage<Admitted> goOn(Admission asked, SessionClaim claim, SessionRow row) {
        Enrollee member = notebook.member(row.chain(), row.slot());
        Holdings holdings = attendance.holdings();
        Team newest = holdings.last();
        if (!holdings.serves() || newest == null) {
            return away(state().detail());
        }
        if (member == null || !row.present()) {
            return now(new Admitted.SessionEnded(ticker.micros()));
        }
        if (!holdings.owns(member.identity())) {
            long owner = newest.ownerOfAddress(member.identity());
            boolean torn = newest.ownerOfTarget(asked.target(), owner) != owner;
            if (torn && claim.onAddressDeath() != OnAddressDeath.PAUSE) {
                return now(new Admitted.SessionEnded(ticker.micros()));
            }
            return now(
                    torn || owner == attendance.self()
                            ? new Admitted.SessionPaused(row.slot(), 0, ticker.micros())
                            : elsewhere("the session's address", owner));
        }
        Admission bound = new Admission(
                asked.leaseId(),
                asked.purpose(),
                row.chain(),
                asked.target(),
                asked.charges(),
                List.of(candidate(claim, row)),
                claim,
                asked.count(),
                asked.ttlMicros(),
                asked.maxWaitMicros(),
                asked.ticket());
        Admitted answer = admitHere(bound);
        if (answer == null) {
            return away(state().detail());
        }
        if (answer instanceof Admitted.Busy) {
            return now(new Admitted.SessionBusy(row.chain(), row.slot(), ticker.micros()));
        }
        if (answer instanceof Admitted.Granted granted) {
            CompletionStage<?> ignored = register.goesOn(claim, granted.grants().get(0), asked.target());
        }
        return now(answer);
    }

    private static Candidate candidate(SessionClaim claim, SessionRow row) {
        SessionClaim.Caps caps = claim.caps().get(0);
        for (SessionClaim.Caps each : claim.caps()) {
            caps = each.chain() == row.chain() ? each : caps;
        }
        return new Candidate(row.slot(), caps.cap(), caps.cellCap());
    }

    /** Nobody knows it: it is bound here, and that holds once it is written. */
    private CompletionStage<Admitted> begin(Admission asked, SessionClaim claim) {
        Admitted answer = admitHere(asked);
        if (answer == null) {
            return away(state().detail());
        }
        if (!(answer instanceof Admitted.Granted granted)) {
            return now(answer);
        }
        return register.write(claim, granted.grants().get(0), asked.target())
                .whenComplete((bound, failure) -> {
                    if (!Boolean.TRUE.equals(bound)) {
                        undo(asked, claim, granted);
                    }
                })
                .thenApply(bound -> bound ? granted : new Admitted.SessionPaused(-1, 0, ticker.micros()));
    }

    private void undo(Admission asked, SessionClaim claim, Admitted.Granted granted) {
        for (Admitted.Grant grant : granted.grants()) {
            LeaseId lease =
                    new LeaseId(grant.leaseId(), grant.chain(), grant.slot(), asked.target(), grant.expiresAtMicros());
            CompletionStage<?> ignored = local.settle(Settlement.unused(lease));
        }
        endHere(new SessionName(claim.chain(), claim.key()));
    }

    @Override
    public CompletionStage<Boolean> endSession(int chain, long session) {
        SessionRow here = here(chain, session);
        if (here != null && owns(here.chain(), here.slot())) {
            return register.end(chain, session)
                    .thenCompose(ended -> local.endSession(chain, session).thenApply(gone -> gone || ended));
        }
        return atItsOwner(chain, session, false, () -> register.end(chain, session));
    }

    /** What belongs to this instance without living here; another's is only ended by its owner, who would not know. */
    private <T> CompletionStage<T> atItsOwner(int chain, long session, T absent, Supplier<CompletionStage<T>> own) {
        return shared.session(chain, session).thenCompose(found -> {
            if (found.isEmpty()) {
                return now(absent);
            }
            Enrollee member = notebook.member(found.get().chain(), found.get().slot());
            Team newest = attendance.holdings().last();
            if (member == null || newest == null || newest.ownerOfAddress(member.identity()) == attendance.self()) {
                return own.get();
            }
            return away("the session belongs to instance " + name(newest.ownerOfAddress(member.identity()))
                    + ": ask there");
        });
    }

    /** Its next request is bound, and written, anew. */
    @Override
    public CompletionStage<Boolean> repinSession(int chain, long session) {
        SessionRow here = here(chain, session);
        return here != null && owns(here.chain(), here.slot())
                ? local.repinSession(chain, session)
                : atItsOwner(chain, session, false, () -> now(false));
    }

    @Override
    public CompletionStage<Optional<SessionRow>> session(int chain, long session) {
        SessionRow here = here(chain, session);
        return here != null ? now(Optional.of(here)) : shared.session(chain, session);
    }

    /** Those that live here. */
    @Override
    public CompletionStage<Integer> sessions(int chain) {
        return local.sessions(chain);
    }

    @Override
    public CompletionStage<SessionPage> sessionPage(int chain, long from, int max) {
        return local.sessionPage(chain, from, max);
    }

    // ---- leases

    @Override
    public CompletionStage<Settled> settle(Settlement settlement) {
        LeaseId lease = settlement.lease();
        return local.settle(settlement)
                .thenApply(settled -> settled.result() == SettleResult.RELEASED || owns(lease.chain(), lease.slot())
                        ? settled
                        : Settled.nothing(SettleResult.UNKNOWN, settled.nowMicros()));
    }

    /** A lease on an address that is another's, or is to be, ends when it was to end: its next owner counts on that. */
    @Override
    public CompletionStage<OptionalLong> renew(LeaseId lease, long ttlMicros) {
        synchronized (lock) {
            if (!owns(lease.chain(), lease.slot())) {
                boolean live = lease.expiresAtMicros() > ticker.micros();
                return now(live ? OptionalLong.of(lease.expiresAtMicros()) : OptionalLong.empty());
            }
            attendance.granted(ttlMicros);
            return local.renew(lease, ttlMicros);
        }
    }

    @Override
    public CompletionStage<Boolean> giveBack(long ticket) {
        return local.giveBack(ticket);
    }

    // ---- judgement

    @Override
    public CompletionStage<Settled> observe(int chain, int slot, long target, Evidence address, Evidence cell) {
        return owns(chain, slot)
                ? local.observe(chain, slot, target, address, cell)
                : now(Settled.nothing(SettleResult.UNKNOWN, ticker.micros()));
    }

    @Override
    public CompletionStage<Boolean> claimProbe(ProbeClaim claim) {
        return owns(claim.chain(), claim.slot()) ? local.claimProbe(claim) : now(false);
    }

    /** What people set on another's address is set in the shared store, where its owner finds it. */
    @Override
    public CompletionStage<Shifted> shift(Shift shift) {
        if (owns(shift.chain(), shift.slot())) {
            return local.shift(shift).thenApply(shifted -> {
                if (shifted instanceof Shifted.Applied && !shift.to().equals(shift.expected())) {
                    copies.decided(shift);
                }
                return shifted;
            });
        }
        boolean judged =
                shift.to().hold().equals(shift.expected().hold()) && !shift.to().equals(shift.expected());
        return judged
                ? now(new Shifted.Capped())
                : shared.shift(shift)
                        .thenApply(shifted -> shifted instanceof Shifted.Applied applied && shift.target() == 0
                                ? new Shifted.Applied(asOfAnother(applied.row()), applied.version())
                                : shifted);
    }

    private static SubjectRow asOfAnother(SubjectRow row) {
        return row.as(row.standing().keeping(FROZEN), row.revision());
    }

    @Override
    public CompletionStage<PaceShifted> shiftPace(PaceShift shift) {
        return local.shiftPace(shift).thenApply(shifted -> {
            if (shifted.applied() && shift.expectedEpoch() != PaceShift.READ) {
                paces.decided(shift.subject(), shifted.row());
            }
            return shifted;
        });
    }

    @Override
    public CompletionStage<Boolean> convict(int chain, long tally, long expectedSinceMicros, boolean guilty) {
        return local.convict(chain, tally, expectedSinceMicros, guilty);
    }

    @Override
    public CompletionStage<SlotRows> rows(int chain, int slot, List<Long> targets) {
        return local.rows(chain, slot, targets);
    }

    @Override
    public CompletionStage<Changes> changes(int chain, long sinceVersion, int max) {
        copies.look(chain);
        return local.changes(chain, sinceVersion, max);
    }

    @Override
    public CompletionStage<Due> due(int chain, int max) {
        CompletionStage<Due> ignored = shared.due(chain, max); // keeps what is written there from running out
        return local.due(chain, max);
    }

    // ---- members

    /** Slots are given by the shared store, once and for all instances. */
    @Override
    public CompletionStage<Enrolled> enrol(int chain, List<Enrollee> members) {
        return shared.enrol(chain, members).thenCompose(enrolled -> {
            synchronized (lock) {
                notebook.enrolled(chain, members, enrolled);
                enrolHere(chain, members, enrolled.slots());
                copies.layAside(chain, true);
            }
            return copies.takeUp(chain).exceptionally(failure -> null).thenCompose(done -> local.enrol(chain, members));
        });
    }

    /** In the same slots: places that nobody has are filled for a moment. */
    private void enrolHere(int chain, List<Enrollee> members, List<Integer> slots) {
        List<Enrollee> bySlot = new ArrayList<>();
        for (int slot = 0; slot < notebook.size(chain); slot++) {
            Enrollee owner = notebook.member(chain, slot);
            bySlot.add(owner == null ? Notebook.placeholder(chain, slot) : owner);
        }
        Enrolled ignored = local.enrol(chain, bySlot).toCompletableFuture().join();
        Enrolled here = local.enrol(chain, members).toCompletableFuture().join();
        if (!here.slots().equals(slots)) {
            throw new StoreAwayException("the addresses of a pool have other slots here than at other instances:"
                    + " restart this instance");
        }
    }
}
