package io.paceline.store;

import io.paceline.LeaseId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.IntConsumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The port through which all shared state is decided: every call is one atomic step, whoever else calls.
 *
 * <p>What every implementation promises, and the contract suite checks:
 *
 * <ul>
 *   <li>No operation takes the time: the store has its own, and every answer carries it.
 *   <li>All or nothing: an admission that is not granted or reserved has charged nothing and bound nothing.
 *   <li>Every call may be repeated after an unknown result, and then gives its first answer or says that it was done.
 *   <li>Numbers only: thresholds, blame and back-off live in {@code core.health}; a store counts, compares, binds and expires.
 *   <li>Nothing hangs: leases, sessions, tickets and idle limits end by themselves.
 * </ul>
 *
 * <p>Thread-safe; nothing blocks. A stage fails only where the store cannot be reached.
 */
public interface StateStore {

    /** The tally of the pool as a whole. */
    long POOL = 0;

    /** Checks every limit, the session, caps and standing, and grants, reserves or refuses in one step. */
    CompletionStage<Admitted> admit(Admission admission);

    /** Ends a lease once, adds its outcome to the rows, and returns them. */
    CompletionStage<Settled> settle(Settlement settlement);

    /** Lengthens a live lease to {@code ttlMicros} from now; the new end, or empty where it is gone. */
    CompletionStage<OptionalLong> renew(LeaseId lease, long ttlMicros);

    /** Adds evidence without a lease: what people and probes report. Empty result rows where the slot is empty. */
    CompletionStage<Settled> observe(
            int chain, int slot, long target, Settlement.Evidence address, Settlement.Evidence cell);

    /**
     * Claims an active probe: granted where the address is half-open and has no lease, or serves and has had none for the
     * time given, and no other claimer holds it. While it is held, no lease tests the address either. A claim ends by
     * itself, so that an instance that dies leaves nothing behind.
     */
    CompletionStage<Boolean> claimProbe(ProbeClaim claim);

    /** Changes a standing by compare-and-set; enforces the budget in the same step. */
    CompletionStage<Shifted> shift(Shift shift);

    /** Changes the pace of a target, or of a cell, by compare-and-set; or only tells it. A cell without address has none. */
    CompletionStage<PaceShifted> shiftPace(PaceShift shift);

    /**
     * Finds a tally guilty, or acquits it, by compare-and-set.
     *
     * @param tally a target's hash, a tag's hash, or {@link #POOL}
     * @param expectedSinceMicros since when it is guilty as far as the caller knows; 0 for not guilty
     * @return false where somebody was first
     */
    CompletionStage<Boolean> convict(int chain, long tally, long expectedSinceMicros, boolean guilty);

    /** What changed since a version, oldest first, at most {@code max}. */
    CompletionStage<Changes> changes(int chain, long sinceVersion, int max);

    /**
     * Has somebody called, with the chain, soon after whoever has changed something that {@link #changes} tells of. It is only
     * a hint: it may come late, several times or never, on any thread, and whoever is called must not block. The last one
     * named is called. A store that nobody else changes has nothing to announce.
     */
    default void listen(IntConsumer toChains) {}

    /**
     * The addresses, by identity, that this instance had better ask for first, so that several instances seldom ask for the
     * same one at once; null where it is alone. The same object until somebody joins or leaves. It binds nobody.
     */
    default @Nullable LongPredicate home() {
        return null;
    }

    /** Takes the work that has become due, at most {@code max} items of each kind. */
    CompletionStage<Due> due(int chain, int max);

    /**
     * Makes the chain's members exactly these: who stays keeps slot, row and leases; who is gone leaves a tombstone that
     * takes it back with its old slot; who is new takes a free slot.
     *
     * @param members in list order, no two of one identity
     */
    CompletionStage<Enrolled> enrol(int chain, List<Enrollee> members);

    /** Gives a ticket back; false where it was unknown or used. */
    CompletionStage<Boolean> giveBack(long ticket);

    /** Ends a session; false where there was none. */
    CompletionStage<Boolean> endSession(int chain, long session);

    /**
     * Makes a session leave its address: its next admission binds it to another one, if there is one. False where there is
     * no such session.
     */
    CompletionStage<Boolean> repinSession(int chain, long session);

    /** The rows of one address, and of its cells on these targets; changes nothing. */
    CompletionStage<SlotRows> rows(int chain, int slot, List<Long> targets);

    /** A live session; empty where there is none. Changes nothing. */
    CompletionStage<Optional<SessionRow>> session(int chain, long session);

    /** How many live sessions a chain has. */
    CompletionStage<Integer> sessions(int chain);

    /**
     * Some of a chain's live sessions, in no order that means anything.
     *
     * @param from 0, or {@link SessionPage#next()} of the page before
     * @param max at most so many
     */
    CompletionStage<SessionPage> sessionPage(int chain, long from, int max);
}
