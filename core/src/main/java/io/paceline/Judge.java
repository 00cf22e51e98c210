package io.paceline;

import io.paceline.health.Blame;
import io.paceline.health.Budget;
import io.paceline.health.Ejection;
import io.paceline.health.Ejection.Heard;
import io.paceline.health.Ejection.Subject;
import io.paceline.health.Hearing;
import io.paceline.health.Move;
import io.paceline.health.Standing;
import io.paceline.health.SubjectRow;
import io.paceline.health.TallyRow;
import io.paceline.health.Verdict;
import io.paceline.health.Verdict.Guilty;
import io.paceline.store.Settled;
import io.paceline.store.Shift;
import io.paceline.store.Shifted;
import io.paceline.store.StateStore;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Carries judgement to the store: from rows to a verdict, from a verdict to a move, from a move to a shift, and the outcome
 * back to view and listener. Who is guilty is decided by {@link Blame}, what follows by {@link Ejection}. Thread-safe.
 */
final class Judge {
    /** So many failures in a row are enough where a client reports the last of them. */
    private static final int REPORTS = 5;

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

    /**
     * What follows from an outcome that was just added.
     *
     * @param cell the address on the target of the outcome
     * @param settled with the rows of both
     */
    void afterOutcome(Case cell, Outcome outcome, Settled settled) {
        SubjectRow addressRow = settled.address();
        SubjectRow cellRow = settled.cell();
        if (addressRow == null || cellRow == null) {
            return;
        }
        Verdict verdict = settled.tallies().isEmpty() ? null : hear(cell, outcome, settled, addressRow, cellRow);
        boolean excused = excused(settled.tallies(), verdict);
        String guilty = against(Guilty.ADDRESS, verdict);
        boolean deadly = guilty != null && !isProbed(cell);
        Heard onAddress = heard(guilty, excused, outcome.authRefused(), deadly);
        Move move = moveAfter(cell.pool(), Subject.ADDRESS, addressRow, onAddress, settled.nowMicros());
        if (move != null) {
            Case address = new Case(cell.pool(), cell.slot(), 0, null);
            carryOut(address, addressRow.standing(), move, settled.nowMicros());
        }
        Heard onCell = heard(against(Guilty.CELL, verdict), excused, false, true);
        afterOutcome(cell, cellRow, onCell, settled.nowMicros());
    }

    private static Heard heard(
            @Nullable String convicted, boolean excused, boolean credentialsRefused, boolean deadly) {
        return convicted == null && !excused && !credentialsRefused
                ? Heard.NOTHING
                : new Heard(convicted, excused, credentialsRefused, deadly);
    }

    /** What follows from a row alone, to which what clients report was added: they have seen more than we, and are believed. */
    void afterReport(Case subject, SubjectRow row, long nowMicros) {
        String convicted = row.failStreak() < REPORTS ? null : row.failStreak() + " failures in a row, by reports too";
        afterOutcome(subject, row, new Heard(convicted, false, false), nowMicros);
    }

    private void afterOutcome(Case subject, SubjectRow row, Heard heard, long nowMicros) {
        Move move = moveAfter(subject.pool(), subject.subject(), row, heard, nowMicros);
        if (move != null) {
            carryOut(subject, row.standing(), move, nowMicros);
        }
    }

    private @Nullable Move moveAfter(PoolRuntime pool, Subject subject, SubjectRow row, Heard heard, long nowMicros) {
        return pool.view
                .ejection()
                .afterOutcome(subject, row, heard, nowMicros, random)
                .orElse(null);
    }

    /**
     * What follows from an active probe that told something: a control URL was asked through the address, and directly.
     *
     * @param failed it failed through the address, and passed directly at the same moment
     */
    void afterProbe(Case address, SubjectRow row, boolean failed, boolean credentialsRefused, long nowMicros) {
        boolean enough = row.standing().halfOpen()
                || row.failStreak()
                        >= address.pool().settings().health().suspect().failures();
        String convicted =
                failed && enough ? inARow(row.failStreak(), "control probe") + ", though direct ones passed" : null;
        afterOutcome(address, row, new Heard(convicted, false, credentialsRefused), nowMicros);
    }

    /** What works on control URLs is not dead, whatever else fails. */
    private static boolean isProbed(Case subject) {
        Address address = subject.pool().view.address(subject.slot());
        return !subject.pool().settings().probe().urls().isEmpty() && address != null && !address.metered();
    }

    private static String inARow(int failures, String what) {
        return failures == 1 ? "a " + what + " failed" : failures + " " + what + "s failed in a row";
    }

    private static @Nullable String against(Guilty guilty, @Nullable Verdict verdict) {
        return verdict != null && verdict.guilty() == guilty ? verdict.sentence() : null;
    }

    private static boolean excused(List<TallyRow> tallies, @Nullable Verdict verdict) {
        if (tallies.isEmpty()) {
            return false;
        }
        boolean ofGroup = verdict != null && verdict.guilty() != Guilty.ADDRESS && verdict.guilty() != Guilty.CELL;
        return ofGroup || tallies.stream().limit(2).anyMatch(TallyRow::guilty);
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

    // ---- groups

    /** Acquits what is well again, and finds out who is guilty; a verdict against a group is carried out here. */
    private @Nullable Verdict hear(
            Case cell, Outcome outcome, Settled settled, SubjectRow addressRow, SubjectRow cellRow) {
        List<TallyRow> tallies = settled.tallies();
        TallyRow target = tallies.get(0);
        TallyRow pool = tallies.get(1);
        List<TallyRow> tags = tallies.subList(2, tallies.size());
        cell.pool().incidents.seen(target.id(), target.guilty());
        tags.forEach(tag -> cell.pool().incidents.seen(tag.id(), tag.guilty()));
        acquit(cell, Guilty.TARGET, target, settled.nowMicros());
        acquit(cell, Guilty.OWN_SIDE, pool, settled.nowMicros());
        tags.forEach(tag -> acquit(cell, Guilty.TAG, tag, settled.nowMicros()));
        if (!EmbeddedGatekeeper.sign(outcome).failed()) {
            return null;
        }
        boolean certain = outcome.kind().blames() == Outcome.Blames.ADDRESS;
        Hearing hearing = new Hearing(
                addressRow,
                cellRow,
                cell.slot(),
                cell.targetHash(),
                target,
                pool,
                tags,
                cell.pool().incidents.guilty(),
                settled.members(),
                certain,
                settled.nowMicros());
        Verdict verdict = Blame.judge(hearing).orElse(null);
        if (verdict != null && verdict.guilty() != Guilty.ADDRESS && verdict.guilty() != Guilty.CELL) {
            convict(cell, verdict, settled.nowMicros());
        }
        return verdict;
    }

    private void acquit(Case cell, Guilty guilty, TallyRow tally, long nowMicros) {
        if (!tally.guilty() || !Blame.relieved(tally, nowMicros)) {
            return;
        }
        store.convict(cell.pool().chain, tally.id(), tally.guiltySinceMicros(), false)
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        listener.storeError("convict", failure);
                    } else if (done) {
                        cell.pool().incidents.seen(tally.id(), false);
                        listener.verdict(cell.pool().name, guilty, name(cell, guilty, tally.id()), null);
                    }
                });
    }

    private void convict(Case cell, Verdict verdict, long nowMicros) {
        store.convict(cell.pool().chain, verdict.tally(), 0, true).whenComplete((done, failure) -> {
            if (failure != null) {
                listener.storeError("convict", failure);
            } else if (done) {
                String name = name(cell, verdict.guilty(), verdict.tally());
                listener.verdict(cell.pool().name, verdict.guilty(), name, verdict);
                if (verdict.guilty() == Guilty.TARGET) {
                    cell.pool().incidents.seen(verdict.tally(), true);
                } else if (verdict.guilty() == Guilty.TAG) {
                    outWithTag(cell.pool(), verdict.tally(), name + ": " + verdict.sentence(), nowMicros);
                }
            }
        });
    }

    private static String name(Case cell, Guilty guilty, long tally) {
        if (guilty == Guilty.TARGET) {
            return String.valueOf(cell.targetName());
        }
        return guilty == Guilty.TAG ? cell.pool().view.tagName(tally) : cell.pool().name;
    }

    private void outWithTag(PoolRuntime pool, long tag, String why, long nowMicros) {
        Budget budget = Budget.ofTag(pool.settings().quarantine());
        pool.view
                .membersOf(tag)
                .forEach((slot, standing) -> pool.view
                        .ejection()
                        .withItsTag(standing, why, nowMicros, random)
                        .ifPresent(move -> carryOut(new Case(pool, slot, 0, null), standing, move, budget, nowMicros)));
    }

    // ---- one subject

    private void carryOut(Case subject, Standing from, Move move, long nowMicros) {
        Budget budget = move.ejects() ? Budget.of(subject.pool().settings().quarantine()) : Budget.NONE;
        carryOut(subject, from, move, budget, nowMicros);
    }

    private void carryOut(Case subject, Standing from, Move move, Budget budget, long nowMicros) {
        PoolRuntime pool = subject.pool();
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
