package io.paceline.store;

import io.paceline.pace.Charge;
import io.paceline.pace.Quota;
import io.paceline.pace.RuleBook;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one atomic step must check and count before a request may go.
 *
 * <p>It may be repeated with the same {@code leaseId} and then gives its first answer.
 *
 * @param leaseId drawn at random by the caller; with a {@code count} the leases are leaseId, leaseId + 1, ...
 * @param purpose what the lease is for
 * @param chain hash of the chain's name
 * @param target the target's hash
 * @param charges limits that must have room, at most {@link #MAX_CHARGES}; one whose scope names an address is checked, and
 *     charged, for the candidate that is taken
 * @param candidates addresses in order of preference, at most {@link #MAX_CANDIDATES}; ignored for a session that is bound
 * @param session the session to get or create, or null
 * @param count how many permits at most
 * @param ttlMicros how long a lease lives; 0 for permits that need no release
 * @param maxWaitMicros the longest wait that the caller accepts; each charge has a bound of its own besides
 * @param ticket the ticket that has paid for the slot already, or 0
 */
public record Admission(
        long leaseId,
        Purpose purpose,
        int chain,
        long target,
        List<Charge> charges,
        List<Candidate> candidates,
        @Nullable SessionClaim session,
        int count,
        long ttlMicros,
        long maxWaitMicros,
        long ticket) {

    /**
     * Twice what rules have, since low priority passes a second clock beside each rate; what a target has of its own; and
     * the tenant's quotas.
     */
    public static final int MAX_CHARGES = 2 * RuleBook.MAX_CHARGES + 4 + Quota.MAX_CHARGES;

    public static final int MAX_CANDIDATES = 64;

    /** What a lease is for. */
    public enum Purpose {
        /** An ordinary request. */
        SERVE,
        /** The only lease on an address, or cell, that is half-open. */
        PROBE,
        /** On an address, or cell, in quarantine, since nobody is in service: never on what is dead or held by people. */
        PANIC
    }

    /** The same, with other addresses to choose from. */
    public Admission proposing(List<Candidate> others) {
        return new Admission(
                leaseId, purpose, chain, target, charges, others, session, count, ttlMicros, maxWaitMicros, ticket);
    }

    /** The same in another session, or in none. */
    public Admission within(@Nullable SessionClaim other) {
        return new Admission(
                leaseId, purpose, chain, target, charges, candidates, other, count, ttlMicros, maxWaitMicros, ticket);
    }

    /** The same, charged to other buckets. */
    public Admission charging(List<Charge> others) {
        return others.equals(charges)
                ? this
                : new Admission(
                        leaseId,
                        purpose,
                        chain,
                        target,
                        others,
                        candidates,
                        session,
                        count,
                        ttlMicros,
                        maxWaitMicros,
                        ticket);
    }

    public Admission {
        if (charges.size() > MAX_CHARGES) {
            throw new IllegalArgumentException("more than " + MAX_CHARGES + " charges: " + charges.size());
        }
        if (candidates.size() > MAX_CANDIDATES) {
            throw new IllegalArgumentException("more than " + MAX_CANDIDATES + " candidates: " + candidates.size());
        }
    }
}
