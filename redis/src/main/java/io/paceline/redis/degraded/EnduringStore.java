package io.paceline.redis.degraded;

import io.paceline.Alarm;
import io.paceline.LeaseId;
import io.paceline.SettleResult;
import io.paceline.Ticker;
import io.paceline.redis.degraded.Membership.Mode;
import io.paceline.redis.degraded.Notebook.SessionName;
import io.paceline.redis.degraded.Notebook.Subject;
import io.paceline.store.Admission;
import io.paceline.store.Admitted;
import io.paceline.store.Candidate;
import io.paceline.store.Changes;
import io.paceline.store.Due;
import io.paceline.store.Enrolled;
import io.paceline.store.Enrollee;
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
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A shared store that an instance does not need to be there: while it is away, the instance decides by a {@link LocalStore},
 * for its own slice of the pools and with its own share of the limits, and tells afterwards what it did.
 *
 * <p>Which of the two decides is known to {@link Membership}. Here each call of the port goes its way: to the shared store,
 * and what it answers is noted; to the local one; or back at once with a {@link StoreAwayException}. No call waits.
 *
 * <p>While another instance is apart, nothing of its slice is leased here either. Thread-safe; the embedded store's answers
 * are complete at once, the shared one's within its time-out. Reasons and bounds: docs/distributed.md, decision 0020.
 */
public final class EnduringStore implements StateStore, AutoCloseable {
    /** Asks for more than has ever changed, which is answered with everything. */
    private static final long EVERYTHING = 1L << 52;

    private static final long ASK_AGAIN_MICROS = 500_000;

    private final SharedStore shared;
    private final Notebook notebook = new Notebook();
    private final Outbox outbox = new Outbox();
    private final Membership membership;
    private volatile Home home = new Home(null, null);

    private record Home(
            Roster.@Nullable Slice slice, @Nullable LongPredicate share) {}

    private EnduringStore(
            SharedStore shared, Ticker ticker, Alarm alarm, RandomGenerator random, StoreState.Listener listener) {
        this.shared = shared;
        this.membership = new Membership(shared, notebook, outbox, ticker, alarm, random, listener);
    }

    /** Joins those who share the store; the stage fails where it does not answer, or where others divide it. */
    public static CompletionStage<EnduringStore> join(
            SharedStore shared, Ticker ticker, Alarm alarm, RandomGenerator random, StoreState.Listener listener) {
        EnduringStore store = new EnduringStore(shared, ticker, alarm, random, listener);
        return store.membership
                .join()
                .thenAccept(joined -> Division.BROKER.checkAlike(store.membership.roster()))
                .thenApply(joined -> store)
                .whenComplete((joined, failure) -> {
                    if (failure != null) {
                        store.close(); // the store may have seen it: nobody need wait for somebody who never was
                    }
                });
    }

    /** How it stands to the shared store now. */
    public StoreState state() {
        return membership.state();
    }

    /** How the work is divided, for people. */
    public DivisionState division() {
        return new DivisionState(
                Division.BROKER,
                DividedStore.name(membership.self()),
                membership.roster().members().size(),
                state().detail());
    }

    /** Leaves: nobody keeps its slice free any more. The shared store itself stays open. */
    @Override
    public void close() {
        membership.leave();
    }

    // ---- one way or the other

    private boolean isShared() {
        return membership.mode() == Mode.SHARED;
    }

    private <T> CompletionStage<T> noted(CompletionStage<T> answer) {
        return answer.whenComplete((value, failure) -> membership.answered(failure));
    }

    private <T> CompletionStage<T> away() {
        return CompletableFuture.failedFuture(
                new StoreAwayException(membership.state().detail()));
    }

    /** Asks the shared store, or the local one while alone; nobody in between. */
    private <T> CompletionStage<T> ask(
            Supplier<CompletionStage<T>> whenShared, Function<LocalStore, CompletionStage<T>> whenAlone) {
        if (isShared()) {
            return noted(whenShared.get());
        }
        LocalStore local = membership.local();
        return local == null || membership.mode() != Mode.ALONE ? away() : whenAlone.apply(local);
    }

    private static <T> CompletionStage<T> now(T value) {
        return CompletableFuture.completedFuture(value);
    }

    // ---- permits

    @Override
    public CompletionStage<Admitted> admit(Admission asked) {
        if (!isShared()) {
            int era = membership.era();
            LocalStore local = membership.local();
            Admitted answer = local == null || membership.mode() != Mode.ALONE ? null : local.admit(asked);
            return answer == null ? away() : now(Eras.admitted(era, answer));
        }
        List<Roster.Slice> apart = membership.apart();
        if (apart.isEmpty()) {
            return admitShared(asked);
        }
        SessionClaim claim = asked.session();
        Admission rest = without(apart, asked);
        return claim == null
                ? admitShared(rest)
                : noted(shared.session(claim.chain(), claim.key()))
                        .thenCompose(bound -> bound.isPresent()
                                        && ownedBy(
                                                apart,
                                                bound.get().chain(),
                                                bound.get().slot())
                                ? now(new Admitted.SessionPaused(bound.get().slot(), 0, membership.storeMicros()))
                                : admitShared(rest));
    }

    private CompletionStage<Admitted> admitShared(Admission asked) {
        int era = membership.era();
        return noted(shared.admit(asked))
                .whenComplete((answer, failure) -> {
                    if (failure == null) {
                        notebook.admitted(asked, answer, false);
                    } else {
                        notebook.unanswered(asked);
                    }
                })
                .thenApply(answer -> Eras.admitted(era, answer));
    }

    private Admission without(List<Roster.Slice> apart, Admission asked) {
        List<Candidate> left = asked.candidates().stream()
                .filter(candidate -> !ownedBy(apart, asked.chain(), candidate.slot()))
                .toList();
        return asked.proposing(left);
    }

    private boolean ownedBy(List<Roster.Slice> slices, int chain, int slot) {
        Enrollee owner = slices.isEmpty() ? null : notebook.member(chain, slot);
        return owner != null && slices.stream().anyMatch(slice -> slice.owns(owner.identity()));
    }

    /** An end is never lost: what cannot be told now is told later, and the caller need not care. */
    @Override
    public CompletionStage<Settled> settle(Settlement settlement) {
        int era = membership.era();
        if (!isShared()) {
            return now(settledAway(settlement));
        }
        return noted(shared.settle(settlement))
                .handle((settled, failure) -> {
                    if (failure == null) {
                        boolean own = notebook.held.remove(settlement.lease().value()) != null;
                        return now(Eras.settled(era, own ? settled : ofAnother(settlement, settled)));
                    }
                    return isShared()
                            ? CompletableFuture.<Settled>failedFuture(failure)
                            : now(settledInDoubt(settlement));
                })
                .thenCompose(stage -> stage);
    }

    /** A lease that another instance has granted alone is not known here yet: its end is told once it is. */
    private Settled ofAnother(Settlement settlement, Settled settled) {
        LeaseId lease = settlement.lease();
        boolean gone = settled.result() == SettleResult.ALREADY_RELEASED
                && ownedBy(membership.apart(), lease.chain(), lease.slot());
        if (!gone) {
            return settled;
        }
        outbox.settle(settlement);
        return Settled.nothing(SettleResult.RELEASED, settled.nowMicros());
    }

    /**
     * The shared store may have done it all the same, and let the place to somebody else since: it is told once more, and
     * until all leases of before are over the place is not this instance's own.
     */
    private Settled settledInDoubt(Settlement settlement) {
        if (membership.local() == null) {
            notebook.held.remove(settlement.lease().value());
        }
        return settledAway(settlement);
    }

    private Settled settledAway(Settlement settlement) {
        LocalStore local = membership.local();
        if (local != null) {
            return Eras.settled(membership.era(), local.settle(settlement));
        }
        long id = settlement.lease().value();
        boolean granted = settlement.lease().slot() >= 0;
        if (granted || notebook.doubted(id)) {
            notebook.endedUntold(id);
            outbox.settle(settlement);
        }
        return Settled.nothing(SettleResult.RELEASED, membership.storeMicros());
    }

    @Override
    public CompletionStage<OptionalLong> renew(LeaseId lease, long ttlMicros) {
        if (isShared() && ownedBy(membership.apart(), lease.chain(), lease.slot())) {
            // Its owner counts on everybody else's leases to end.
            Notebook.Held held = notebook.held.get(lease.value());
            return now(OptionalLong.of(held == null ? lease.expiresAtMicros() : held.expiresAtMicros()));
        }
        return ask(
                () -> shared.renew(lease, ttlMicros).thenApply(end -> {
                    end.ifPresent(until -> notebook.renewed(lease.value(), ttlMicros, until));
                    return end;
                }),
                local -> now(local.renew(lease, ttlMicros)));
    }

    @Override
    public CompletionStage<Boolean> giveBack(long ticket) {
        return ask(() -> shared.giveBack(ticket), local -> local.store.giveBack(ticket));
    }

    // ---- judgement

    @Override
    public CompletionStage<Settled> observe(int chain, int slot, long target, Evidence address, Evidence cell) {
        int era = membership.era();
        return ask(
                        () -> shared.observe(chain, slot, target, address, cell),
                        local -> local.store.observe(chain, slot, target, address, cell))
                .thenApply(settled -> Eras.settled(era, settled));
    }

    @Override
    public CompletionStage<Boolean> claimProbe(ProbeClaim claim) {
        return ownedBy(membership.apart(), claim.chain(), claim.slot())
                ? now(false)
                : ask(() -> shared.claimProbe(claim), local -> now(local.claimProbe(claim)));
    }

    @Override
    public CompletionStage<Shifted> shift(Shift shift) {
        int era = membership.era();
        return ask(() -> shared.shift(shift), local -> now(local.shift(shift))).thenApply(shifted -> {
            Subject subject = new Subject(shift.chain(), shift.slot(), shift.target());
            if (shifted instanceof Shifted.Applied applied && isShared()) {
                notebook.stands(subject, applied.row());
            }
            return Eras.shifted(era, shift.target(), shifted);
        });
    }

    @Override
    public CompletionStage<PaceShifted> shiftPace(PaceShift shift) {
        return ask(
                () -> shared.shiftPace(shift).thenApply(shifted -> {
                    notebook.paced(shift.subject(), shifted.row());
                    return shifted;
                }),
                local -> local.store.shiftPace(shift).thenApply(shifted -> {
                    if (shifted.applied()) {
                        outbox.paced(shift.subject(), shifted.row());
                    }
                    return shifted;
                }));
    }

    @Override
    public CompletionStage<Boolean> convict(int chain, long tally, long expectedSinceMicros, boolean guilty) {
        return ask(
                () -> shared.convict(chain, tally, expectedSinceMicros, guilty),
                local -> local.store.convict(chain, tally, expectedSinceMicros, guilty));
    }

    // ---- what changed

    /** After each change of store everything is told anew. */
    @Override
    public CompletionStage<Changes> changes(int chain, long sinceVersion, int max) {
        if (nobody()) {
            return now(new Changes(sinceVersion, false, List.of()));
        }
        int era = membership.era();
        long since = membership.isCurrent(chain) ? sinceVersion : EVERYTHING;
        return ask(
                        () -> shared.changes(chain, since, max).thenApply(changes -> {
                            notebook.changed(chain, changes);
                            return changes;
                        }),
                        local -> local.store.changes(chain, since, max))
                .thenApply(changes -> {
                    membership.caughtUp(chain, era);
                    return Eras.changes(era, changes);
                });
    }

    /** While alone there is nothing to hear, and to ask in vain does no harm. */
    @Override
    public void listen(IntConsumer toChains) {
        shared.listen(toChains);
    }

    /** The slice that is served alone while the store is away: the same addresses, before and after. */
    @Override
    public @Nullable LongPredicate home() {
        Roster.Slice slice = membership.ownSlice();
        Home known = home;
        if (!Objects.equals(known.slice, slice)) {
            known = new Home(slice, slice == null ? null : slice::owns);
            home = known;
        }
        return known.share;
    }

    private boolean nobody() {
        Mode mode = membership.mode();
        return mode == Mode.SILENT || mode == Mode.RETURNING;
    }

    @Override
    public CompletionStage<Due> due(int chain, int max) {
        int era = membership.era();
        if (nobody()) {
            long now = membership.storeMicros();
            return now(new Due(List.of(), List.of(), now + ASK_AGAIN_MICROS, now));
        }
        return ask(() -> shared.due(chain, max), local -> local.store.due(chain, max))
                .thenApply(due -> Eras.due(era, due));
    }

    /** Only by the shared store: slots are given once, for all. */
    @Override
    public CompletionStage<Enrolled> enrol(int chain, List<Enrollee> members) {
        int era = membership.era();
        return isShared()
                ? noted(shared.enrol(chain, members)).thenApply(enrolled -> {
                    notebook.enrolled(chain, members, enrolled);
                    return Eras.enrolled(era, enrolled);
                })
                : away();
    }

    // ---- sessions, and what people look at

    @Override
    public CompletionStage<Boolean> endSession(int chain, long session) {
        SessionName name = new SessionName(chain, session);
        notebook.sessions.remove(name);
        return ask(() -> shared.endSession(chain, session), local -> {
            outbox.ended(name);
            return local.store.endSession(chain, session);
        });
    }

    /** Only by the shared store: another address may be another instance's. */
    @Override
    public CompletionStage<Boolean> repinSession(int chain, long session) {
        return isShared() ? noted(shared.repinSession(chain, session)) : away();
    }

    @Override
    public CompletionStage<SlotRows> rows(int chain, int slot, List<Long> targets) {
        return ask(() -> shared.rows(chain, slot, targets), local -> local.store.rows(chain, slot, targets));
    }

    @Override
    public CompletionStage<Optional<SessionRow>> session(int chain, long session) {
        return ask(() -> shared.session(chain, session), local -> local.store.session(chain, session));
    }

    @Override
    public CompletionStage<Integer> sessions(int chain) {
        return ask(() -> shared.sessions(chain), local -> local.store.sessions(chain));
    }

    @Override
    public CompletionStage<SessionPage> sessionPage(int chain, long from, int max) {
        return ask(() -> shared.sessionPage(chain, from, max), local -> local.store.sessionPage(chain, from, max));
    }
}
