package io.paceline;

import io.paceline.Judge.Case;
import io.paceline.Order.Result;
import io.paceline.health.Budget;
import io.paceline.health.Hold;
import io.paceline.health.Standing;
import io.paceline.health.SubjectRow;
import io.paceline.store.Shift;
import io.paceline.store.Shifted;
import io.paceline.store.StateStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * Carries what people set to the store, by the same compare-and-set as judgement: what came between is looked at again.
 * Thread-safe.
 */
final class Orders {
    /** Far more than can come between two looks; a store that is never up to date must not be asked for ever. */
    private static final int TRIES = 10;

    private final StateStore store;
    private final GateListener listener;

    Orders(StateStore store, GateListener listener) {
        this.store = store;
        this.listener = listener;
    }

    CompletionStage<Result> carryOut(Case subject, Order order, long nowMicros) {
        Standing known = subject.pool().view.standing(subject.slot(), subject.targetHash());
        if (known == null) {
            return CompletableFuture.completedFuture(Result.UNKNOWN_ADDRESS);
        }
        Setting setting = new Setting(
                subject, hold -> order.applied(hold, nowMicros), order.verb().word(), order.sentence(), nowMicros);
        return set(setting, known, false, 1);
    }

    /** Takes a ban away whose time is over; nothing where another instance did. */
    void banOver(Case subject, SubjectRow row, long nowMicros) {
        Setting setting = new Setting(
                subject,
                hold -> hold.banOver(nowMicros) ? hold.withBan(null) : hold,
                "ban_over",
                "the ban's time is over",
                nowMicros);
        set(setting, row.standing(), false, 1);
    }

    private record Setting(Case subject, UnaryOperator<Hold> change, String cause, String reason, long nowMicros) {}

    /** @param mayBeDone an earlier try was not answered, and may be what made it so */
    private CompletionStage<Result> set(Setting setting, Standing from, boolean mayBeDone, int attempt) {
        Case subject = setting.subject();
        Standing to = from.under(setting.change().apply(from.hold()));
        // Where nothing is to change this asks whether that is still so: the view may be a second old.
        Shift shift = new Shift(subject.pool().chain, subject.slot(), subject.targetHash(), from, to, Budget.NONE);
        return store.shift(shift)
                .handle((shifted, failure) -> {
                    if (failure != null) {
                        listener.storeError("shift", failure);
                        return attempt < TRIES
                                ? set(setting, from, true, attempt + 1)
                                : CompletableFuture.<Result>failedStage(failure);
                    }
                    if (shifted instanceof Shifted.Applied applied) {
                        return CompletableFuture.completedStage(applied(setting, from, to, applied.row(), mayBeDone));
                    }
                    if (shifted instanceof Shifted.Stale stale && attempt < TRIES) {
                        return set(setting, stale.row().standing(), mayBeDone, attempt + 1);
                    }
                    return shifted instanceof Shifted.Gone
                            ? CompletableFuture.completedStage(Result.UNKNOWN_ADDRESS)
                            : CompletableFuture.<Result>failedStage(
                                    new IllegalStateException("the standing changed at every try"));
                })
                .thenCompose(stage -> stage);
    }

    private Result applied(Setting setting, Standing from, Standing to, SubjectRow row, boolean mayBeDone) {
        Case subject = setting.subject();
        PoolRuntime pool = subject.pool();
        pool.view.shifted(subject.slot(), subject.targetHash(), row, setting.nowMicros());
        if (from.equals(to)) {
            return mayBeDone ? Result.DONE : Result.ALREADY;
        }
        Address address = pool.view.address(subject.slot());
        if (address != null) {
            listener.transition(new Transition(
                    pool.name, address.id(), subject.targetName(), from, to, setting.cause(), setting.reason()));
        }
        return Result.DONE;
    }
}
