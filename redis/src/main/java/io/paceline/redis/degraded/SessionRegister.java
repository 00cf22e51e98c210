package io.paceline.redis.degraded;

import io.paceline.Ticker;
import io.paceline.redis.degraded.Notebook.SessionName;
import io.paceline.store.Admission;
import io.paceline.store.Admission.Purpose;
import io.paceline.store.Admitted;
import io.paceline.store.Candidate;
import io.paceline.store.SessionClaim;
import io.paceline.store.SessionRow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Which address a session is bound to, written where all instances that divide the work can read it: a session lives with
 * whoever owns its address. Written when it begins, and again when a third of its time is over; nothing is asked in between.
 *
 * <p>The record is a session of the shared store, made by an admission of no lease. Thread-safe; bounded by the live sessions
 * of this instance.
 */
final class SessionRegister {
    private static final int SWEEP_EVERY = 4_096;

    private record Entry(SessionClaim claim, Admitted.Grant grant, long target, long untilMicros) {
        boolean binds(int chain, int slot) {
            return grant.chain() == chain && grant.slot() == slot;
        }

        Entry until(long micros) {
            return new Entry(claim, grant, target, micros);
        }
    }

    private final SharedStore shared;
    private final Ticker ticker;
    private final RandomGenerator random;
    private final Consumer<SessionName> boundElsewhere;
    private final Map<SessionName, Entry> written = new ConcurrentHashMap<>();
    private final AtomicInteger kept = new AtomicInteger();

    /** @param boundElsewhere hears of a session that lived here, and turned out to be bound to another address */
    SessionRegister(SharedStore shared, Ticker ticker, RandomGenerator random, Consumer<SessionName> boundElsewhere) {
        this.shared = shared;
        this.ticker = ticker;
        this.random = random;
        this.boundElsewhere = boundElsewhere;
    }

    private static SessionName name(SessionClaim claim) {
        return new SessionName(claim.chain(), claim.key());
    }

    CompletionStage<Optional<SessionRow>> find(SessionClaim claim) {
        return shared.session(claim.chain(), claim.key());
    }

    /** Writes a binding where there is none; false where the session is bound to another address already. */
    CompletionStage<Boolean> write(SessionClaim claim, Admitted.Grant grant, long target) {
        long until = ticker.micros() + claim.ttlMicros();
        Admission binding = new Admission(
                random.nextLong(),
                Purpose.SERVE,
                grant.chain(),
                target,
                List.of(),
                List.of(new Candidate(grant.slot(), Integer.MAX_VALUE, Integer.MAX_VALUE)),
                claim,
                1,
                0,
                0,
                0);
        return shared.admit(binding).thenApply(answer -> {
            boolean bound = answer instanceof Admitted.Granted granted
                    && granted.grants().get(0).chain() == grant.chain()
                    && granted.grants().get(0).slot() == grant.slot();
            if (bound) {
                written.put(name(claim), new Entry(claim, grant, target, until));
            } else {
                written.remove(name(claim));
                boundElsewhere.accept(name(claim));
            }
            return bound;
        });
    }

    /** A binding that was read and is used here now: it is renewed at once, so that it is known when it ends. */
    CompletionStage<Boolean> goesOn(SessionClaim claim, Admitted.Grant grant, long target) {
        written.put(name(claim), new Entry(claim, grant, target, ticker.micros() + claim.ttlMicros()));
        return claim.sliding() ? write(claim, grant, target) : done();
    }

    private static CompletionStage<Boolean> done() {
        return CompletableFuture.completedFuture(true);
    }

    /** The session has been used: its record is renewed where that is due, and moves where its address has changed. */
    CompletionStage<Boolean> used(SessionClaim claim, Admitted.Grant grant, long target) {
        long now = ticker.micros();
        Entry entry = written.get(name(claim));
        if (kept.incrementAndGet() % SWEEP_EVERY == 0) {
            written.values().removeIf(each -> each.untilMicros + claim.ttlMicros() < now);
        }
        if (entry != null && !entry.binds(grant.chain(), grant.slot())) {
            return shared.endSession(claim.chain(), claim.key()).thenCompose(ended -> write(claim, grant, target));
        }
        if (entry == null || !claim.sliding() || entry.untilMicros - now >= claim.ttlMicros() * 2 / 3) {
            return done();
        }
        // Not by the next use again: a renewal that fails is tried after another third.
        written.put(name(claim), entry.until(now + claim.ttlMicros()));
        return write(claim, grant, target);
    }

    /** Everything that lives here, to a store that has lost it. */
    CompletionStage<Void> writeAll() {
        long now = ticker.micros();
        CompletionStage<?> all = done();
        for (Entry entry : written.values()) {
            if (entry.untilMicros > now) {
                all = all.thenCompose(before -> write(entry.claim, entry.grant, entry.target));
            }
        }
        return all.thenApply(last -> null);
    }

    CompletionStage<Boolean> end(int chain, long session) {
        written.remove(new SessionName(chain, session));
        return shared.endSession(chain, session);
    }
}
