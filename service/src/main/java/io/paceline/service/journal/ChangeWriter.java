package io.paceline.service.journal;

import io.paceline.health.Hold;
import io.paceline.health.Standing;
import io.paceline.health.Trail;
import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.Scope;
import io.paceline.store.Due;
import io.paceline.store.StoreChange;
import io.paceline.store.StoreSnapshot.Binding;
import io.paceline.store.StoreSnapshot.Lease;
import io.paceline.store.StoreSnapshot.LimitState;
import io.paceline.store.StoreSnapshot.Reservation;
import io.paceline.store.StoreSnapshot.Subject;
import io.paceline.store.StoreSnapshot.TallyState;
import java.util.List;

/**
 * One change of the store as octets. {@link ChangeReader} is its mirror: what stands here in one order is read there in the same.
 * Whoever changes either makes a new {@link Frame#VERSION}.
 *
 * <p>Of a charge the key is not written: it may name a client or a session, and nothing that a store does later asks for it.
 */
final class ChangeWriter {
    static final int CHAIN = 1;
    static final int ADDRESS = 2;
    static final int CELL = 3;
    static final int SESSION = 4;
    static final int TALLY = 5;
    static final int LEASE = 6;
    static final int LIMIT = 7;
    static final int TICKET = 8;
    static final int GONE = 9;

    static final int GCRA = 1;
    static final int WINDOW = 2;
    static final int CALENDAR = 3;
    static final int CONCURRENCY = 4;
    static final int PACE = 5;

    private final OctetWriter out;

    ChangeWriter(OctetWriter out) {
        this.out = out;
    }

    void write(StoreChange change) {
        if (change instanceof StoreChange.OfChain chain) {
            out.octet(CHAIN).number(chain.chain()).number(chain.version());
            out.number(chain.expired().size());
            chain.expired().forEach(this::expired);
        } else if (change instanceof StoreChange.OfAddress address) {
            out.octet(ADDRESS).number(address.chain());
            out.hash(address.slot().owner().identity())
                    .hash(address.slot().owner().tag())
                    .hash(address.slot().owner().otherTag())
                    .flag(address.slot().removed());
            subject(address.slot().row());
        } else if (change instanceof StoreChange.OfCell cell) {
            out.octet(CELL).number(cell.chain());
            subject(cell.row());
        } else if (change instanceof StoreChange.OfSession session) {
            out.octet(SESSION).number(session.chain());
            session(session.binding());
        } else if (change instanceof StoreChange.OfTally tally) {
            out.octet(TALLY).number(tally.chain());
            tally(tally.tally());
        } else if (change instanceof StoreChange.OfLease lease) {
            out.octet(LEASE);
            lease(lease.lease());
        } else if (change instanceof StoreChange.OfLimit limit) {
            out.octet(LIMIT);
            limit(limit.limit());
        } else if (change instanceof StoreChange.OfTicket ticket) {
            out.octet(TICKET);
            ticket(ticket.ticket());
        } else if (change instanceof StoreChange.Gone gone) {
            out.octet(GONE)
                    .octet(Codes.KINDS.indexOf(gone.kind()))
                    .number(gone.chain())
                    .hash(gone.key());
        }
    }

    private void expired(Due.Expired lease) {
        out.hash(lease.leaseId())
                .number(lease.slot())
                .hash(lease.target())
                .number(lease.live())
                .number(lease.revision());
    }

    private void subject(Subject row) {
        out.number(row.slot()).hash(row.target());
        standing(row.standing());
        out.number(row.revision());
        trail(row.trail());
        out.number(row.owed());
        out.number(row.inTallies().step())
                .number(row.inTallies().outcomes())
                .number(row.inTallies().addressEpoch());
        out.number(row.failStreak()).number(row.winStreak()).number(row.wins()).decimal(row.latencyMicros());
        boolean latencies = !row.latencies().counts().isEmpty();
        out.flag(latencies);
        if (latencies) {
            out.number(row.latencies().counts().size());
            row.latencies().counts().forEach(out::hash);
            out.number(row.latencies().outcomes()).decimal(row.latencies().norm());
            out.decimal(row.latencies().lately().p50Micros())
                    .decimal(row.latencies().lately().p95Micros())
                    .decimal(row.latencies().lately().jump());
        }
        out.number(row.lastFaultMicros()).number(row.lastUsedMicros()).numbers(row.pace());
    }

    private void standing(Standing standing) {
        out.octet(Codes.STATES.indexOf(standing.state()))
                .number(standing.epoch())
                .number(standing.sinceMicros())
                .number(standing.untilMicros())
                .number(standing.waitMicros())
                .number(standing.relapses())
                .number(standing.rampFromMicros())
                .number(standing.outSinceMicros());
        Hold hold = standing.hold();
        Hold.Ban ban = hold.ban();
        out.octet((hold.frozen() ? 1 : 0) | (hold.draining() ? 2 : 0) | (ban == null ? 0 : 4));
        if (ban != null) {
            out.text(ban.reason()).number(ban.untilMicros());
        }
    }

    private void trail(Trail trail) {
        out.flag(trail.length() > 0);
        if (trail.length() > 0) {
            out.hash(trail.faults()).hash(trail.captchas()).number(trail.length());
            out.hash(trail.marksLow()).hash(trail.marksHigh());
        }
        out.number(trail.stretch())
                .number(trail.sinceMicros())
                .number(trail.counted())
                .number(trail.countedFaults());
    }

    private void session(Binding session) {
        out.hash(session.key())
                .number(session.chain())
                .number(session.slot())
                .number(session.expiresAtMicros())
                .number(session.leasesUntilMicros());
        out.octet((session.orphaned() ? 1 : 0)
                | (session.migrated() ? 2 : 0)
                | (session.confirmed() ? 4 : 0)
                | (session.told() ? 8 : 0)
                | (session.ended() ? 16 : 0)
                | (session.repinned() ? 32 : 0));
    }

    private void tally(TallyState tally) {
        out.hash(tally.id()).number(tally.guiltySinceMicros());
        out.number(tally.entries().size());
        tally.entries().forEach(out::hash);
        times(tally.timesMicros());
        out.numbers(tally.steps()).numbers(tally.stepsOfGood()).number(tally.newestStep());
        out.decimal(tally.usual())
                .decimal(tally.usualUnreached())
                .decimal(tally.usualFaults())
                .decimal(tally.usualCaptchas());
        out.number(tally.usualAtMicros()).decimal(tally.typicalMicros());
    }

    /** Each as what it is behind the one before. */
    private void times(List<Long> times) {
        out.number(times.size());
        long before = 0;
        for (long time : times) {
            out.number(time - before);
            before = time;
        }
    }

    private void lease(Lease lease) {
        out.hash(lease.id()).number(lease.chain()).number(lease.slot()).hash(lease.target());
        out.number(lease.addressEpoch()).number(lease.cellEpoch());
        out.number(lease.grantedAtMicros()).number(lease.expiresAtMicros());
        charges(lease.charges());
        out.numbers(lease.marks());
        out.octet((lease.occupies() ? 1 : 0) | (lease.ofSession() ? 2 : 0) | (lease.migrated() ? 4 : 0));
        if (lease.ofSession()) {
            out.number(lease.sessionChain()).hash(lease.session());
        }
    }

    private void charges(List<Charge> charges) {
        out.number(charges.size());
        charges.forEach(this::charge);
    }

    private void charge(Charge charge) {
        out.text(charge.rule()).hash(charge.hash());
        spec(charge.spec());
        out.number(charge.maxWaitMicros());
        out.octet((charge.dryRun() ? 1 : 0) | (charge.reserves() ? 2 : 0) | (charge.isLow() ? 4 : 0));
        scope(charge.scope());
        out.number(charge.cost());
    }

    private void scope(Scope scope) {
        int words = 0;
        for (int i = 0; i < Codes.SCOPES.size(); i++) {
            words |= scope.has(Codes.SCOPES.get(i)) ? 1 << i : 0;
        }
        out.octet(words);
    }

    private void spec(LimitSpec spec) {
        if (spec instanceof LimitSpec.Gcra gcra) {
            out.octet(GCRA).number(gcra.intervalMicros()).number(gcra.burst());
        } else if (spec instanceof LimitSpec.Window window) {
            out.octet(WINDOW).number(window.limit()).number(window.windowMicros());
        } else if (spec instanceof LimitSpec.Calendar calendar) {
            out.octet(CALENDAR)
                    .number(calendar.limit())
                    .number(calendar.windowMicros())
                    .text(calendar.zone().getId());
        } else if (spec instanceof LimitSpec.Concurrency concurrency) {
            out.octet(CONCURRENCY).number(concurrency.max());
        } else if (spec instanceof LimitSpec.Pace pace) {
            out.octet(PACE).decimal(pace.floor()).decimal(pace.ceiling());
        }
    }

    private void limit(LimitState limit) {
        out.hash(limit.hash());
        spec(limit.spec());
        out.number(limit.hintMicros()).flag(limit.near());
        times(limit.numbers());
    }

    private void ticket(Reservation ticket) {
        out.hash(ticket.id());
        charges(ticket.charges());
        out.numbers(ticket.marks());
        charge(ticket.binding());
        out.number(ticket.atMicros()).number(ticket.useByMicros());
    }
}
