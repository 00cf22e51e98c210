package io.paceline;

import io.paceline.pace.SuggestedFields;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The right to send one request to one target from one address, until it is settled or expires.
 *
 * @param id what to settle or renew; null for a permit that needs no release
 * @param address where the request must leave from
 * @param target the site as Paceline sees it
 * @param pool the pool that the address came from (the fallback's name where that served)
 * @param session the session key that binds the address, or null
 * @param grantedAtMicros when the lease began
 * @param expiresAtMicros when it ends by itself
 * @param probe true where this lease tests an address on its way back from quarantine
 * @param panic true where the address is in quarantine, and serves because nobody else does
 * @param migrated true where the session has left another address for this one, and no request has been seen here yet
 * @param tenant whose it is; empty for the only one
 * @param headers fields that the request should carry, as configured for its rule and its target
 */
public record Lease(
        @Nullable LeaseId id,
        Address address,
        Target target,
        String pool,
        @Nullable String session,
        long grantedAtMicros,
        long expiresAtMicros,
        boolean probe,
        boolean panic,
        boolean migrated,
        String tenant,
        Map<String, String> headers) {

    /** A lease of the only tenant, for a target of which nothing is suggested. */
    public Lease(
            @Nullable LeaseId id,
            Address address,
            Target target,
            String pool,
            @Nullable String session,
            long grantedAtMicros,
            long expiresAtMicros,
            boolean probe,
            boolean panic,
            boolean migrated) {
        this(
                id,
                address,
                target,
                pool,
                session,
                grantedAtMicros,
                expiresAtMicros,
                probe,
                panic,
                migrated,
                "",
                Map.of());
    }

    /** What the request should call itself; null where nothing is configured. */
    public @Nullable String userAgent() {
        return headers.get(SuggestedFields.USER_AGENT);
    }

    /** An ordinary lease, or a probe. */
    public Lease(
            @Nullable LeaseId id,
            Address address,
            Target target,
            String pool,
            @Nullable String session,
            long grantedAtMicros,
            long expiresAtMicros,
            boolean probe) {
        this(id, address, target, pool, session, grantedAtMicros, expiresAtMicros, probe, false, false);
    }
}
