package io.paceline.service.proxy;

import io.paceline.Lease;
import org.jspecify.annotations.Nullable;

/**
 * What the client is told about the lease that served it.
 *
 * @param token null where it is not shown
 * @param migrated its session has left another address for this one
 */
record LeaseText(@Nullable String token, String addressId, boolean migrated) {

    static LeaseText of(ProxyContext context, Lease lease) {
        return new LeaseText(context.leaseText().apply(lease), lease.address().id(), lease.migrated());
    }
}
