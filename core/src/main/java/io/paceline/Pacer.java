package io.paceline;

import io.paceline.Outcome.Kind;
import io.paceline.Routes.OwnPace;
import io.paceline.pace.AdaptivePace;
import io.paceline.pace.LatencyWatch;
import io.paceline.pace.PaceRow;
import io.paceline.pace.Pauses;
import io.paceline.pace.TargetPace;
import io.paceline.store.PaceShift;
import io.paceline.store.PaceShift.Subject;
import io.paceline.store.Settled;
import io.paceline.store.StateStore;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Carries what sites ask of our pace to the store: from an outcome to a pause of its target, or of its cell. What follows
 * from a refusal is decided by {@link Pauses} alone; that every other instance sees it, by the store. Thread-safe.
 *
 * <p>Taking the step again after a lost answer does no harm: the row then says that the request belongs to the step.
 */
final class Pacer {
    private static final int TRIES = 4;

    private final StateStore store;
    private final RandomGenerator random;
    private final GateListener listener;
    /** By target, those with an adaptive pace alone. */
    private final Map<Long, LatencyWatch> watches = new ConcurrentHashMap<>();

    Pacer(StateStore store, RandomGenerator random, GateListener listener) {
        this.store = store;
        this.random = random;
        this.listener = listener;
    }

    /** One refusal, or announcement, on its way. */
    private record Case(Subject subject, OwnPace own, Outcome outcome, long grantedAtMicros, Pause pause) {
        Optional<PaceRow> next(PaceRow row, long nowMicros, RandomGenerator random) {
            return pause.refused()
                    ? Pauses.afterRefusal(
                            row, own.spec(), grantedAtMicros, nowMicros, outcome.hintedWaitMicros(), random)
                    : Pauses.afterAnnouncement(row, nowMicros, outcome.hintedWaitMicros());
        }
    }

    void afterOutcome(LeaseId lease, Outcome outcome, Settled settled, Routes routes) {
        if (outcome.kind() == Kind.SUCCESS && outcome.latencyMicros() > 0 && routes.hasOwnPaces()) {
            watch(lease.target(), outcome.latencyMicros(), routes);
        }
        boolean refused = outcome.kind() == Kind.RATE_LIMITED;
        boolean late = settled.result() == SettleResult.EXPIRED;
        if (!(refused || outcome.hintedWaitMicros() > 0) || !(settled.result() == SettleResult.RELEASED || late)) {
            return;
        }
        OwnPace own = routes.paceOf(lease.target());
        PoolRuntime pool = routes.ofChain(lease.chain());
        boolean cell = own.pausesAddresses() && pool != null;
        Address address = cell && pool != null ? pool.view.address(lease.slot()) : null;
        Pause pause = new Pause(
                routes.targetName(lease.target()),
                address == null ? null : address.id(),
                PaceRow.FRESH,
                outcome.hint(),
                refused,
                settled.nowMicros());
        Subject subject = cell
                ? Subject.ofCell(lease.chain(), lease.slot(), lease.target())
                : Subject.ofTarget(TargetPace.key(lease.target()));
        Case at = new Case(subject, own, outcome, grantedAt(lease, settled, pool), pause);
        PaceRow known = cell ? null : settled.pace();
        if (known == null) {
            carryOut(at, PaceShift.read(subject), 1);
        } else {
            decide(at, known, settled.nowMicros(), 1);
        }
    }

    /** What gets slow under our requests is asked less before it refuses. Latency lowers a pace, and never raises it. */
    private void watch(long target, long latencyMicros, Routes routes) {
        OwnPace own = routes.paceOf(target);
        if (!own.spec().adaptive()) {
            return;
        }
        if (watches.size() >= Routes.MAX_REMEMBERED) {
            watches.clear(); // as the routes do: what is asked still is learned again
        }
        LatencyWatch watch = watches.merge(
                target, LatencyWatch.NEW.after(latencyMicros), (known, fresh) -> known.after(latencyMicros));
        if (watch.tooFast()) {
            Subject subject = Subject.ofTarget(TargetPace.key(target));
            store.shiftPace(PaceShift.read(subject))
                    .thenCompose(read -> {
                        PaceRow slower = Pauses.afterSlowness(read.row(), own.spec());
                        return store.shiftPace(new PaceShift(subject, read.row().epoch(), slower));
                    })
                    .whenComplete((shifted, failure) -> {
                        if (failure != null) {
                            listener.storeError("pace", failure);
                        } else if (shifted.applied()) { // else somebody was first, and has slowed it for all
                            double perSecond = AdaptivePace.rate(shifted.row(), own.spec());
                            listener.slowed(routes.targetName(target), perSecond, watch);
                        }
                    });
        }
    }

    /** Of a lease that had expired the store no longer knows when it began; its end says it. */
    private static long grantedAt(LeaseId lease, Settled settled, @Nullable PoolRuntime pool) {
        if (settled.grantedAtMicros() != 0 || pool == null) {
            return settled.grantedAtMicros();
        }
        return lease.expiresAtMicros() - pool.settings().leaseTtl().toNanos() / 1_000;
    }

    private void decide(Case at, PaceRow row, long nowMicros, int attempt) {
        at.next(row, nowMicros, random)
                .ifPresent(next -> carryOut(at, new PaceShift(at.subject, row.epoch(), next), attempt));
    }

    private void carryOut(Case at, PaceShift shift, int attempt) {
        store.shiftPace(shift).whenComplete((shifted, failure) -> {
            if (failure != null) {
                listener.storeError("pace", failure);
                if (attempt < TRIES) {
                    carryOut(at, PaceShift.read(at.subject), attempt + 1);
                }
            } else if (shifted.applied()) {
                Pause pause = at.pause;
                listener.paused(new Pause(
                        pause.target(),
                        pause.addressId(),
                        shifted.row(),
                        pause.hint(),
                        pause.refused(),
                        shifted.nowMicros()));
            } else if (attempt < TRIES || shift.expectedEpoch() == PaceShift.READ) {
                decide(at, shifted.row(), shifted.nowMicros(), attempt + 1);
            }
        });
    }
}
