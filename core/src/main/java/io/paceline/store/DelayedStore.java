package io.paceline.store;

import io.paceline.Alarm;
import io.paceline.LeaseId;
import io.paceline.Ticker;
import io.paceline.store.Settlement.Evidence;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A store behind a bad network, for simulations and tests: calls arrive late, answers come later still, some never come,
 * some calls arrive twice.
 *
 * <p>What reaches the inner store reaches it one step at a time, as with any store; what an instance believes meanwhile is
 * old. A lost answer looks like a time-out to the caller, who cannot know whether the step was taken.
 */
public final class DelayedStore implements StateStore {
    private static final long TIMEOUT_MICROS = 100_000;

    private final StateStore inner;
    private final Ticker ticker;
    private final Alarm alarm;
    private final RandomGenerator random;
    private final Faults faults;

    /**
     * @param maxDelayMicros the longest way of a call, and of an answer
     * @param lostCalls share of calls that never arrive
     * @param lostAnswers share of answers that never arrive
     * @param repeated share of calls that arrive twice
     */
    public record Faults(long maxDelayMicros, double lostCalls, double lostAnswers, double repeated) {}

    public DelayedStore(StateStore inner, Ticker ticker, Alarm alarm, RandomGenerator random, Faults faults) {
        this.inner = inner;
        this.ticker = ticker;
        this.alarm = alarm;
        this.random = random;
        this.faults = faults;
    }

    private <T> CompletionStage<T> later(Supplier<CompletionStage<T>> call, boolean mayFail) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        boolean callLost = mayFail && random.nextDouble() < faults.lostCalls();
        boolean answerLost = mayFail && random.nextDouble() < faults.lostAnswers();
        if (!callLost) {
            long arrival = ticker.micros() + delay();
            alarm.at(
                    arrival,
                    () -> call.get().whenComplete((result, failure) -> {
                        if (!answerLost) {
                            alarm.at(ticker.micros() + delay(), () -> complete(answer, result, failure));
                        }
                    }));
            if (mayFail && random.nextDouble() < faults.repeated()) {
                alarm.at(arrival + delay(), () -> {
                    CompletionStage<T> ignored = call.get();
                });
            }
        }
        if (callLost || answerLost) {
            alarm.at(
                    ticker.micros() + TIMEOUT_MICROS,
                    () -> answer.completeExceptionally(new TimeoutException("no answer within 100 ms")));
        }
        return answer;
    }

    private static <T> void complete(CompletableFuture<T> answer, T result, Throwable failure) {
        if (failure != null) {
            answer.completeExceptionally(failure);
        } else {
            answer.complete(result);
        }
    }

    private long delay() {
        return random.nextLong(faults.maxDelayMicros() + 1);
    }

    @Override
    public CompletionStage<Admitted> admit(Admission admission) {
        return later(() -> inner.admit(admission), true);
    }

    @Override
    public CompletionStage<Settled> settle(Settlement settlement) {
        return later(() -> inner.settle(settlement), true);
    }

    @Override
    public CompletionStage<OptionalLong> renew(LeaseId lease, long ttlMicros) {
        return later(() -> inner.renew(lease, ttlMicros), true);
    }

    @Override
    public CompletionStage<Settled> observe(int chain, int slot, long target, Evidence address, Evidence cell) {
        return later(() -> inner.observe(chain, slot, target, address, cell), false);
    }

    @Override
    public CompletionStage<Boolean> claimProbe(ProbeClaim claim) {
        return later(() -> inner.claimProbe(claim), true);
    }

    @Override
    public CompletionStage<Shifted> shift(Shift shift) {
        return later(() -> inner.shift(shift), true);
    }

    @Override
    public CompletionStage<PaceShifted> shiftPace(PaceShift shift) {
        return later(() -> inner.shiftPace(shift), true);
    }

    @Override
    public CompletionStage<Boolean> convict(int chain, long tally, long expectedSinceMicros, boolean guilty) {
        return later(() -> inner.convict(chain, tally, expectedSinceMicros, guilty), true);
    }

    @Override
    public CompletionStage<Changes> changes(int chain, long sinceVersion, int max) {
        return later(() -> inner.changes(chain, sinceVersion, max), true);
    }

    @Override
    public CompletionStage<Due> due(int chain, int max) {
        return later(() -> inner.due(chain, max), true);
    }

    @Override
    public CompletionStage<Enrolled> enrol(int chain, List<Enrollee> members) {
        return later(() -> inner.enrol(chain, members), false);
    }

    @Override
    public CompletionStage<Boolean> giveBack(long ticket) {
        return later(() -> inner.giveBack(ticket), true);
    }

    @Override
    public CompletionStage<Boolean> endSession(int chain, long session) {
        return later(() -> inner.endSession(chain, session), false);
    }

    @Override
    public CompletionStage<Boolean> repinSession(int chain, long session) {
        return later(() -> inner.repinSession(chain, session), true);
    }

    @Override
    public CompletionStage<SessionPage> sessionPage(int chain, long from, int max) {
        return later(() -> inner.sessionPage(chain, from, max), false);
    }

    @Override
    public CompletionStage<SlotRows> rows(int chain, int slot, List<Long> targets) {
        return later(() -> inner.rows(chain, slot, targets), true);
    }

    @Override
    public CompletionStage<Optional<SessionRow>> session(int chain, long session) {
        return later(() -> inner.session(chain, session), true);
    }

    @Override
    public CompletionStage<Integer> sessions(int chain) {
        return later(() -> inner.sessions(chain), false);
    }
}
