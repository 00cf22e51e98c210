package io.paceline.service.proxy;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.paceline.Gatekeeper;
import io.paceline.Lease;
import io.paceline.LeaseId;
import io.paceline.Outcome;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one lease alive while its request runs, and ends it exactly once. For one event loop's use.
 *
 * <p>Renewed when half of its time is over, so that one lost renewal does no harm.
 */
final class LeaseKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

    private final Gatekeeper gatekeeper;
    private final EventLoop loop;
    private final Lease lease;
    private @Nullable ScheduledFuture<?> renewal;
    private boolean settled;

    LeaseKeeper(Gatekeeper gatekeeper, EventLoop loop, Lease lease) {
        this.gatekeeper = gatekeeper;
        this.loop = loop;
        this.lease = lease;
        scheduleRenewal();
    }

    Lease lease() {
        return lease;
    }

    /** The second and every further call does nothing. */
    void settle(Outcome outcome) {
        if (settled) {
            return;
        }
        settled = true;
        if (renewal != null) {
            renewal.cancel(false);
        }
        settle(gatekeeper, lease, outcome);
    }

    /** Ends a lease that nobody keeps: its request had gone when it came. */
    static void settle(Gatekeeper gatekeeper, Lease lease, Outcome outcome) {
        LeaseId id = lease.id();
        if (id == null) {
            return;
        }
        try {
            gatekeeper.settle(id, outcome).whenComplete((result, failure) -> {
                if (failure != null) {
                    LOG.warn(
                            "a lease on {} could not be ended and will expire: {}",
                            lease.address().id(),
                            failure.toString());
                }
            });
        } catch (RuntimeException e) {
            LOG.warn(
                    "a lease on {} could not be ended and will expire: {}",
                    lease.address().id(),
                    e.toString());
        }
    }

    private void scheduleRenewal() {
        long halfMicros = Math.max(1_000, (lease.expiresAtMicros() - lease.grantedAtMicros()) / 2);
        renewal = loop.schedule(this::renew, halfMicros, TimeUnit.MICROSECONDS);
    }

    private void renew() {
        LeaseId id = lease.id();
        if (settled || id == null) {
            return;
        }
        try {
            gatekeeper.renew(id).whenComplete((end, failure) -> {
                if (failure != null) {
                    LOG.warn(
                            "a lease on {} could not be renewed: {}",
                            lease.address().id(),
                            failure.toString());
                }
            });
        } catch (RuntimeException e) {
            LOG.warn("a lease on {} could not be renewed: {}", lease.address().id(), e.toString());
        }
        scheduleRenewal();
    }
}
