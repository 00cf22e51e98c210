package io.paceline.redis.degraded;

import io.paceline.Ticker;
import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.PaceRow;
import io.paceline.store.Admission;
import io.paceline.store.MemoryStore;
import io.paceline.store.PaceShift;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * What a site asked for holds for the fleet: a pause, or a slower pace, that one instance has decided is written to the shared
 * store, and each instance reads that of the targets that it serves, once a second at most, beside its work. Thread-safe.
 */
final class PaceCopies {
    static final long LOOK_EVERY_MICROS = 1_000_000;
    private static final int MOST = 10_000;

    private final SharedStore shared;
    private final MemoryStore local;
    private final Homecoming teller;
    private final Ticker ticker;
    /** When each was read last, the oldest first. */
    private final Map<PaceShift.Subject, Long> lookedAt = new LinkedHashMap<>();

    PaceCopies(SharedStore shared, MemoryStore local, Homecoming teller, Ticker ticker) {
        this.shared = shared;
        this.local = local;
        this.teller = teller;
        this.ticker = ticker;
    }

    void decided(PaceShift.Subject subject, PaceRow row) {
        CompletionStage<?> ignored = teller.pace(subject, row);
    }

    void asked(Admission asked) {
        for (Charge charge : asked.charges()) {
            if (charge.spec() instanceof LimitSpec.Pace && isTime(PaceShift.Subject.ofTarget(charge.hash()))) {
                look(PaceShift.Subject.ofTarget(charge.hash()));
            }
        }
    }

    private boolean isTime(PaceShift.Subject subject) {
        long now = ticker.micros();
        synchronized (lookedAt) {
            Long last = lookedAt.get(subject);
            if (last != null && now - last < LOOK_EVERY_MICROS) {
                return false;
            }
            lookedAt.remove(subject);
            if (lookedAt.size() >= MOST) {
                lookedAt.remove(lookedAt.keySet().iterator().next());
            }
            lookedAt.put(subject, now);
            return true;
        }
    }

    private void look(PaceShift.Subject subject) {
        CompletionStage<Void> ignored = shared.shiftPace(PaceShift.read(subject))
                .thenAccept(there -> {
                    PaceRow here = local.shiftPace(PaceShift.read(subject))
                            .toCompletableFuture()
                            .join()
                            .row();
                    PaceRow both = Homecoming.slower(here, there.row());
                    if (!both.equals(here)) {
                        CompletionStage<?> unused = local.shiftPace(new PaceShift(subject, here.epoch(), both));
                    }
                });
    }
}
