package io.paceline;

import io.paceline.health.Budget;
import io.paceline.health.Ejection.Subject;
import io.paceline.health.Move;
import io.paceline.health.Standing;
import io.paceline.health.SubjectRow;
import io.paceline.store.Shift;
import io.paceline.store.Shifted;
import io.paceline.store.StateStore;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Carries judgement to the store: from a row to a move, from a move to a shift, and the outcome back to view and listener.
 * What to do is decided by {@link io.paceline.health.Ejection} alone. Thread-safe.
 */
final class Judge {
    private final StateStore store;
    private final RandomGenerator random;
    private final GateListener listener;

    Judge(StateStore store, RandomGenerator random, GateListener listener) {
        this.store = store;
        this.random = random;
        this.listener = listener;
    }

    /** Whom a row is about. {@code targetHash} 0 and {@code targetName} null for an address as a whole. */
    record Case(
            PoolRuntime pool,
            int slot,
            long targetHash,
            @Nullable String targetName) {
        Subject subject() {
            return targetHash == 0 ? Subject.ADDRESS : Subject.CELL;
        }
    }

    void afterOutcome(Case subject, SubjectRow row, boolean credentialsRefused, long nowMicros) {
        subject.pool()
                .view
                .ejection()
                .afterOutcome(subject.subject(), row, credentialsRefused, nowMicros, random)
                .ifPresent(move -> carryOut(subject, row.standing(), move, nowMicros));
    }

    void whenDue(Case subject, SubjectRow row, long nowMicros) {
        subject.pool()
                .view
                .ejection()
                .whenDue(row.standing(), nowMicros)
                .ifPresent(move -> carryOut(subject, row.standing(), move, nowMicros));
    }

    /** Brings back a dead one where too few are left in service. */
    void whenNeeded(Case subject, Standing standing, long nowMicros) {
        subject.pool()
                .view
                .ejection()
                .whenNeeded(standing, nowMicros)
                .ifPresent(move -> carryOut(subject, standing, move, nowMicros));
    }

    private void carryOut(Case subject, Standing from, Move move, long nowMicros) {
        PoolRuntime pool = subject.pool();
        Budget budget = move.ejects() ? Budget.of(pool.settings().quarantine()) : Budget.NONE;
        // Judgement never touches what people have set.
        Standing to = move.to().keeping(from.hold());
        Shift shift = new Shift(pool.chain, subject.slot(), subject.targetHash(), from, to, budget);
        store.shift(shift).whenComplete((shifted, failure) -> {
            if (failure != null) {
                listener.storeError("shift", failure);
            } else if (shifted instanceof Shifted.Applied applied) {
                applied(subject, from, to, move, applied.row(), nowMicros);
            } else if (shifted instanceof Shifted.Stale stale) {
                pool.view.shifted(subject.slot(), subject.targetHash(), stale.row(), nowMicros);
            } else if (shifted instanceof Shifted.Capped) {
                Optional<Move> instead = pool.view.ejection().whenCapped(from, move, nowMicros);
                instead.ifPresent(lesser -> carryOut(subject, from, lesser, nowMicros));
            }
        });
    }

    private void applied(Case subject, Standing from, Standing to, Move move, SubjectRow row, long nowMicros) {
        PoolRuntime pool = subject.pool();
        pool.view.shifted(subject.slot(), subject.targetHash(), row, nowMicros);
        Address address = pool.view.address(subject.slot());
        if (address != null) {
            listener.transition(new Transition(
                    pool.name, address.id(), subject.targetName(), from, to, move.cause(), move.reason()));
        }
    }
}
