package io.paceline.store;

import io.paceline.health.SubjectRow;
import io.paceline.pace.Charge;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of an {@link Admission}. All but {@link Granted} and {@link Reserved} have changed nothing, but that a session
 * which is told to wait, or that it has ended, remembers that.
 */
public sealed interface Admitted {

    /**
     * @param grants one for each permit
     * @param dryRunRefusals names of dry-run rules that would have refused
     * @param nearLimits names of rules of which a bucket has just come near its limit
     * @param nowMicros the store's time
     */
    record Granted(List<Grant> grants, List<String> dryRunRefusals, List<String> nearLimits, long nowMicros)
            implements Admitted {}

    /**
     * One lease.
     *
     * @param leaseId as asked for
     * @param chain of the address; another than asked for where a session is bound to a fallback's address
     * @param slot whose lease it is
     * @param live leases on that address now
     * @param revision of the address's row after the grant
     * @param grantedAtMicros when it began
     * @param expiresAtMicros when it ends by itself
     * @param migrated the session has left another address for this one, and nobody has been seen here yet
     */
    record Grant(
            long leaseId,
            int chain,
            int slot,
            int live,
            int revision,
            long grantedAtMicros,
            long expiresAtMicros,
            boolean migrated) {}

    /** Time is reserved and paid for; come back with the ticket (it is the lease id asked with) at the time given. */
    record Reserved(long ticket, Charge binding, long atMicros, long useByMicros, long nowMicros) implements Admitted {}

    /**
     * The wait would be accepted, but the slots of the limits lie too far apart to reserve them all: ask again then.
     *
     * @param atMicros when the slowest limit has room
     */
    record Later(Charge binding, long atMicros, long nowMicros) implements Admitted {}

    /**
     * A limit has no room within the wait that is accepted.
     *
     * @param binding the limit that refuses
     * @param atMicros when it would have room; negative for a concurrency limit, where nobody knows
     * @param hintMicros a staggered time to come back: the first refused is told {@code atMicros} exactly
     */
    record Full(Charge binding, long atMicros, long hintMicros, long nowMicros) implements Admitted {}

    /**
     * No candidate is free; the rows say why, but for those that a limit, or a pause, of their own holds back.
     *
     * @param limited what lets a candidate go first, where such limits or pauses hold any back; else null
     */
    record Busy(List<CandidateRow> rows, @Nullable Full limited, long nowMicros) implements Admitted {}

    /**
     * A candidate that was not free.
     *
     * @param cell a fresh row where the store has none
     * @param live leases on the address, over all pools that it stands in
     * @param cellLive those of them on the target
     */
    record CandidateRow(int slot, SubjectRow address, SubjectRow cell, int live, int cellLive) {}

    /** The session's address cannot serve now; {@code untilMicros} is when its wait ends, or 0 where nobody knows. */
    record SessionPaused(int slot, long untilMicros, long nowMicros) implements Admitted {}

    /** The session's address, of the chain given, is at its cap; ask again when a lease on it has ended. */
    record SessionBusy(int chain, int slot, long nowMicros) implements Admitted {}

    /**
     * The session is to go to another address, and its leases on the old one, of the chain given, have not ended.
     *
     * @param untilMicros when the last of them ends by itself
     */
    record SessionMoving(int chain, long untilMicros, long nowMicros) implements Admitted {}

    /** The session has ended: its address is lost. Stays so until it is ended, re-pinned or over. */
    record SessionEnded(long nowMicros) implements Admitted {}

    /**
     * Another instance decides this; ask there.
     *
     * @param what belongs to it, as a sentence begins: {@code target example.com}
     * @param instance its name
     */
    record Elsewhere(String what, String instance, long nowMicros) implements Admitted {}

    /** The ticket is unknown, used or past its time. */
    record TicketGone(long nowMicros) implements Admitted {}

    /** The ticket's slot has not come yet. */
    record TicketEarly(Charge binding, long atMicros, long nowMicros) implements Admitted {}
}
