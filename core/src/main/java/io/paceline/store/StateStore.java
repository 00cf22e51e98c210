package io.paceline.store;

import io.paceline.LeaseId;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

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

    /** Checks every limit, the session, caps and standing, and grants, reserves or refuses in one step. */
    CompletionStage<Admitted> admit(Admission admission);

    /** Ends a lease once, adds its outcome to the rows, and returns them. */
    CompletionStage<Settled> settle(Settlement settlement);

    /** Lengthens a live lease to {@code ttlMicros} from now; the new end, or empty where it is gone. */
    CompletionStage<OptionalLong> renew(LeaseId lease, long ttlMicros);

    /** Adds evidence without a lease: what people and probes report. Empty result rows where the slot is empty. */
    CompletionStage<Settled> observe(
            int chain, int slot, long target, Settlement.Evidence address, Settlement.Evidence cell);

    /** Changes a standing by compare-and-set; enforces the budget in the same step. */
    CompletionStage<Shifted> shift(Shift shift);

    /** Changes the pace of a target, or of a cell, by compare-and-set; or only tells it. A cell without address has none. */
    CompletionStage<PaceShifted> shiftPace(PaceShift shift);

    /** What changed since a version, oldest first, at most {@code max}. */
    CompletionStage<Changes> changes(int chain, long sinceVersion, int max);

    /** Takes the work that has become due, at most {@code max} items of each kind. */
    CompletionStage<Due> due(int chain, int max);

    /**
     * Makes the chain's members exactly these: who stays keeps slot, row and leases; who is gone leaves a tombstone that
     * takes it back with its old slot; who is new takes a free slot.
     *
     * @param identities keyed hashes of the addresses, in list order, no two equal
     */
    CompletionStage<Enrolled> enrol(int chain, List<Long> identities);

    /** Gives a ticket back; false where it was unknown or used. */
    CompletionStage<Boolean> giveBack(long ticket);

    /** Ends a session; false where there was none. */
    CompletionStage<Boolean> endSession(int chain, long session);

    /** Live sessions of a chain. */
    CompletionStage<Integer> sessions(int chain);
}
