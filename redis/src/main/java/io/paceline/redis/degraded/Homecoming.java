package io.paceline.redis.degraded;

import io.paceline.LeaseId;
import io.paceline.Ticker;
import io.paceline.health.Budget;
import io.paceline.health.Standing;
import io.paceline.health.State;
import io.paceline.health.SubjectRow;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.PaceRow;
import io.paceline.redis.degraded.Notebook.Bound;
import io.paceline.redis.degraded.Notebook.Held;
import io.paceline.redis.degraded.Notebook.SessionName;
import io.paceline.redis.degraded.Notebook.Subject;
import io.paceline.store.Admission;
import io.paceline.store.Admission.Purpose;
import io.paceline.store.Admitted;
import io.paceline.store.Candidate;
import io.paceline.store.Enrollee;
import io.paceline.store.PaceShift;
import io.paceline.store.SessionClaim;
import io.paceline.store.Settlement;
import io.paceline.store.Shift;
import io.paceline.store.Shifted;
import io.paceline.store.SlotRows;
import io.paceline.store.StateStore;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Tells the shared store what was done alone, by its own calls: leases are admitted again under their own ids, standings are
 * set where they are still what they were, sessions are bound where there is none of that key.
 *
 * <p>What must be known before anybody else may use this instance's slice comes first, in {@link #assertLive} and
 * {@link #tell}; outcomes come {@linkplain #tellOutcomes later}.
 */
final class Homecoming {
    /** Calls under way at once. */
    private static final int BATCH = 64;

    private static final Purpose[] ANY_PURPOSE = {Purpose.SERVE, Purpose.PANIC, Purpose.PROBE};
    /** Of what is only counted: the limit has been kept already. */
    private static final LimitSpec COUNTED = new LimitSpec.Concurrency(1_000_000);

    private static final Budget UNBOUND = new Budget(1, 0);

    private final StateStore shared;
    private final Notebook notebook;
    private final Outbox outbox;
    private final Ticker time;
    private final RandomGenerator random;

    /** @param time as the shared store counts it */
    Homecoming(StateStore shared, Notebook notebook, Outbox outbox, Ticker time, RandomGenerator random) {
        this.shared = shared;
        this.notebook = notebook;
        this.outbox = outbox;
        this.time = time;
        this.random = random;
    }

    /**
     * Everything that this instance knew before it was alone, to a store that has lost it. Sessions that it began alone come
     * later, in {@link #tell}: somebody else may know the same key from before.
     */
    CompletionStage<Void> assertLive(LocalStore local) {
        return enrolAll()
                .thenCompose(done -> each(List.copyOf(notebook.held.values()), this::adopt))
                .thenCompose(done -> each(standings(local::owns), this::judgeAnew))
                .thenCompose(done ->
                        each(List.copyOf(notebook.paces.entrySet()), pace -> pace(pace.getKey(), pace.getValue())))
                .thenCompose(done -> each(sessions(false), this::bind));
    }

    private List<Bound> sessions(boolean alone) {
        return notebook.sessions.values().stream()
                .filter(bound -> bound.alone() == alone)
                .toList();
    }

    /**
     * What was done alone. Own leases of before are lengthened as they were here.
     *
     * @param emptied the store has lost what it knew
     * @param absent slices of instances that will not tell how their addresses stand
     */
    CompletionStage<Void> tell(@Nullable LocalStore local, boolean emptied, List<Roster.Slice> absent) {
        List<Held> held = local == null ? List.of() : local.close();
        List<Held> alone = held.stream().filter(Held::alone).toList();
        List<Held> before = held.stream()
                .filter(lease -> !lease.alone() && local != null && local.owns(lease.chain(), lease.slot()))
                .toList();
        return each(standings((chain, slot) -> ownedBy(absent, chain, slot)), this::judgeAnew)
                .thenCompose(done -> each(alone, this::adopt))
                .thenCompose(done -> each(before, this::lengthen))
                .thenCompose(done -> each(outbox.takeEnded(), this::end))
                .thenCompose(done -> each(sessions(true), this::bind))
                .thenCompose(done -> each(
                        List.copyOf(outbox.takeMoved().entrySet()),
                        moved -> move(moved.getKey(), moved.getValue(), emptied)))
                // Where the address may be leased only since it was moved.
                .thenCompose(done -> each(untold(alone), this::adopt))
                .thenCompose(done ->
                        each(List.copyOf(outbox.takePaces().entrySet()), pace -> pace(pace.getKey(), pace.getValue())));
    }

    private List<Held> untold(List<Held> leases) {
        return leases.stream()
                .map(lease -> notebook.held.get(lease.id()))
                .filter(Objects::nonNull)
                .filter(Held::alone)
                .toList();
    }

    private boolean ownedBy(List<Roster.Slice> slices, int chain, int slot) {
        Enrollee owner = notebook.member(chain, slot);
        return owner != null && slices.stream().anyMatch(slice -> slice.owns(owner.identity()));
    }

    /** Ends and outcomes, each once. A call that fails is not repeated unless it may be: a settlement names its lease. */
    CompletionStage<Void> tellOutcomes() {
        List<Settlement> settlements = outbox.takeSettlements(BATCH);
        List<Outbox.Seen> seen = outbox.takeSeen(BATCH);
        if (settlements.isEmpty() && seen.isEmpty()) {
            return done();
        }
        return each(settlements, this::settle)
                .thenCompose(done -> each(seen, this::observe))
                .thenCompose(done -> tellOutcomes());
    }

    private CompletionStage<?> settle(Settlement settlement) {
        return shared.settle(settlement).whenComplete((settled, failure) -> {
            if (failure != null) {
                outbox.settle(settlement);
            }
        });
    }

    /** What came of an older standing than the shared store's says nothing. */
    private CompletionStage<?> observe(Outbox.Seen seen) {
        Settlement settlement = seen.settlement();
        int chain = settlement.lease().chain();
        int slot = settlement.lease().slot();
        long target = settlement.lease().target();
        return shared.rows(chain, slot, List.of(target)).thenCompose(rows -> {
            SubjectRow address = rows.address();
            SubjectRow cell = rows.cells().get(target);
            boolean current = address != null
                    && address.standing().epoch() == seen.addressEpoch()
                    && (cell == null ? 0 : cell.standing().epoch()) == seen.cellEpoch();
            return current
                    ? shared.observe(chain, slot, target, settlement.address(), settlement.cell())
                            .thenApply(settled -> true)
                    : CompletableFuture.completedStage(false);
        });
    }

    // ---- leases

    private CompletionStage<?> adopt(Held held) {
        return adopt(held, held.claim(), 0);
    }

    /** Whoever has it already counts it once: the id is the same. An address that nobody may lease needs no count. */
    private CompletionStage<Boolean> adopt(Held held, @Nullable SessionClaim claim, int purpose) {
        long left = held.expiresAtMicros() - time.micros();
        if (left <= 0 || purpose == ANY_PURPOSE.length) {
            return CompletableFuture.completedStage(false);
        }
        Admission again = new Admission(
                held.id(),
                ANY_PURPOSE[purpose],
                held.chain(),
                held.target(),
                held.concurrency().stream()
                        .map(charge -> charge.countedBy(COUNTED))
                        .toList(),
                List.of(new Candidate(held.slot(), Integer.MAX_VALUE, Integer.MAX_VALUE)),
                claim,
                1,
                left,
                0,
                0);
        return shared.admit(again).thenCompose(answer -> {
            if (answer instanceof Admitted.Granted granted) {
                Admitted.Grant grant = granted.grants().get(0);
                if (grant.chain() == held.chain() && grant.slot() == held.slot()) {
                    notebook.held.computeIfPresent(held.id(), (id, known) -> known.shared());
                    return CompletableFuture.completedStage(true);
                }
                // Its session is bound elsewhere: that binding is the one that holds.
                return shared.settle(Settlement.unused(new LeaseId(
                                held.id(), grant.chain(), grant.slot(), held.target(), grant.expiresAtMicros())))
                        .thenCompose(settled -> adopt(held, null, purpose));
            }
            return claim != null ? adopt(held, null, purpose) : adopt(held, null, purpose + 1);
        });
    }

    private CompletionStage<?> lengthen(Held held) {
        long left = held.expiresAtMicros() - time.micros();
        return left <= 0
                ? done()
                : shared.renew(
                        new LeaseId(held.id(), held.chain(), held.slot(), held.target(), held.expiresAtMicros()), left);
    }

    // ---- sessions

    private CompletionStage<?> end(SessionName session) {
        return shared.endSession(session.chain(), session.key());
    }

    private CompletionStage<?> bind(Bound bound) {
        SessionClaim claim = bound.claim();
        if (bound.expiresAtMicros() <= time.micros()) {
            return done();
        }
        return shared.session(claim.chain(), claim.key()).thenCompose(there -> {
            if (there.isPresent()) {
                return CompletableFuture.completedStage(false);
            }
            Admission binding = new Admission(
                    random.nextLong(),
                    Purpose.SERVE,
                    bound.chain(),
                    bound.target(),
                    List.of(),
                    List.of(new Candidate(bound.slot(), Integer.MAX_VALUE, Integer.MAX_VALUE)),
                    claim,
                    1,
                    0,
                    0,
                    0);
            return shared.admit(binding).thenApply(answer -> true);
        });
    }

    // ---- members and standings

    CompletionStage<Void> enrolAll() {
        return each(List.copyOf(notebook.tables.keySet()), this::enrol);
    }

    /** Everybody in his old slot: places that nobody has are filled for a moment. */
    private CompletionStage<?> enrol(int chain) {
        Notebook.Table table = notebook.tables.get(chain);
        if (table == null) {
            return done();
        }
        List<Enrollee> bySlot = new ArrayList<>();
        for (int slot = 0; slot < table.size(); slot++) {
            Enrollee owner = table.bySlot.get(slot);
            bySlot.add(owner == null ? Notebook.placeholder(chain, slot) : owner);
        }
        return shared.enrol(chain, bySlot)
                .thenCompose(done -> shared.enrol(chain, table.members))
                .thenAccept(enrolled -> {
                    if (!enrolled.slots().equals(table.slots)) {
                        throw new StoreAwayException(
                                "the shared store was emptied, and has been filled with other slots"
                                        + " since: restart this instance");
                    }
                });
    }

    private record Known(Subject subject, Standing standing) {}

    private interface Which {
        boolean has(int chain, int slot);
    }

    private List<Known> standings(Which which) {
        List<Known> out = new ArrayList<>();
        notebook.tables.forEach((chain, table) -> {
            for (int slot = 0; slot < table.size(); slot++) {
                Standing standing = table.standings.get(slot);
                if (standing != null && !plain(standing) && which.has(chain, slot)) {
                    out.add(new Known(new Subject(chain, slot, 0), standing));
                }
            }
        });
        notebook.cells.forEach((subject, standing) -> {
            if (!plain(standing) && which.has(subject.chain(), subject.slot())) {
                out.add(new Known(subject, standing));
            }
        });
        return out;
    }

    private static boolean plain(Standing standing) {
        return standing.state() == State.HEALTHY && standing.hold().isNone() && standing.relapses() == 0;
    }

    private CompletionStage<?> judgeAnew(Known known) {
        return move(known.subject, new Outbox.Moved(known.standing, known.standing, UNBOUND), true);
    }

    /** Where somebody else has moved it since, his is the newer; but a store that was emptied has it as good as new. */
    private CompletionStage<?> move(Subject subject, Outbox.Moved moved, boolean emptied) {
        return shared.rows(
                        subject.chain(), subject.slot(), subject.target() == 0 ? List.of() : List.of(subject.target()))
                .thenCompose(rows -> {
                    Standing now = standing(rows, subject.target());
                    boolean fits =
                            now.equals(moved.expected()) || (plain(now) && (emptied || !plain(moved.expected())));
                    Standing to = fits ? moved.to() : withHold(now, moved);
                    return to == null
                            ? CompletableFuture.<Shifted>completedStage(new Shifted.Gone())
                            : shared.shift(new Shift(
                                    subject.chain(), subject.slot(), subject.target(), now, to, moved.budget()));
                });
    }

    /** What people have set alone holds, whatever judgement has done meanwhile; null where they have set something else since. */
    private static @Nullable Standing withHold(Standing now, Outbox.Moved moved) {
        boolean set = !moved.to().hold().equals(moved.expected().hold());
        return set && now.hold().equals(moved.expected().hold())
                ? now.under(moved.to().hold())
                : null;
    }

    private static Standing standing(SlotRows rows, long target) {
        SubjectRow row = target == 0 ? rows.address() : rows.cells().get(target);
        return row == null ? Standing.fresh(0, 0) : row.standing();
    }

    /** The longer pause and the slower pace hold. */
    CompletionStage<?> pace(PaceShift.Subject subject, PaceRow own) {
        return shared.shiftPace(PaceShift.read(subject)).thenCompose(read -> {
            PaceRow there = read.row();
            PaceRow both = slower(there, own);
            return both.equals(there)
                    ? CompletableFuture.completedStage(read)
                    : shared.shiftPace(new PaceShift(subject, there.epoch(), both));
        });
    }

    /** The first, or a next row of it that pauses as long and goes as slowly as the other. */
    static PaceRow slower(PaceRow there, PaceRow own) {
        if (there.blockedUntilMicros() >= own.blockedUntilMicros()
                && there.slowIntervalMicros() >= own.slowIntervalMicros()) {
            return there;
        }
        return new PaceRow(
                there.epoch() + 1,
                Math.max(there.sinceMicros(), own.sinceMicros()),
                Math.max(there.blockedUntilMicros(), own.blockedUntilMicros()),
                Math.max(there.step(), own.step()),
                there.wins(),
                Math.max(there.slowIntervalMicros(), own.slowIntervalMicros()),
                there.peak() == 0 ? own.peak() : there.peak(),
                there.growthMicros());
    }

    // ---- many calls, some at once

    private static CompletionStage<Void> done() {
        return CompletableFuture.completedFuture(null);
    }

    private static <T> CompletionStage<Void> each(List<T> items, Function<T, CompletionStage<?>> step) {
        return batch(items.iterator(), step);
    }

    private static <T> CompletionStage<Void> batch(Iterator<T> items, Function<T, CompletionStage<?>> step) {
        List<CompletableFuture<?>> some = new ArrayList<>();
        while (items.hasNext() && some.size() < BATCH) {
            some.add(step.apply(items.next()).toCompletableFuture());
        }
        return some.isEmpty()
                ? done()
                : CompletableFuture.allOf(some.toArray(CompletableFuture[]::new))
                        .thenCompose(done -> batch(items, step));
    }
}
