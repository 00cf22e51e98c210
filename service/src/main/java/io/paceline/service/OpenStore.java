package io.paceline.service;

import io.paceline.Alarm;
import io.paceline.redis.RedisSettings;
import io.paceline.redis.RedisStore;
import io.paceline.redis.StoreException;
import io.paceline.redis.degraded.DividedStore;
import io.paceline.redis.degraded.DivisionState;
import io.paceline.redis.degraded.EnduringStore;
import io.paceline.redis.degraded.MixedDivisionException;
import io.paceline.redis.degraded.StoreAwayException;
import io.paceline.redis.degraded.StoreState;
import io.paceline.service.StartException.Part;
import io.paceline.service.config.StoreChoice;
import io.paceline.store.MemoryStore;
import io.paceline.store.StateStore;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Opens the store that is configured; who opens it closes it. */
record OpenStore(StateStore store, Supplier<@Nullable DivisionState> division, AutoCloseable connection) {
    /** How long a store that does not answer at once is asked again at the start: young processes and busy machines are slow. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Any pool at all: only the time of the answer is of interest. */
    private static final int NO_CHAIN = 0;

    /**
     * @param rest how long what an instance granted that has left since may matter
     * @param memory what is taken where no Redis is configured
     * @param ticker goes by the store's time from then on
     * @param listener hears when a Redis goes away and comes back
     * @throws StartException where a Redis is configured and does not answer, or is divided in another way
     */
    static OpenStore open(
            StoreChoice choice,
            Duration rest,
            MemoryStore memory,
            SystemTicker ticker,
            Alarm alarm,
            RandomGenerator random,
            StoreState.Listener listener)
            throws StartException {
        RedisSettings redis = choice.redis();
        if (redis == null) {
            return new OpenStore(memory, () -> null, () -> {});
        }
        RedisStore shared;
        try {
            shared = RedisStore.connect(redis);
        } catch (StoreException e) {
            throw unable(e);
        }
        try {
            ticker.follow(patiently(() -> shared.due(NO_CHAIN, 1)).nowMicros());
            return choice.division().isLocal()
                    ? joined(
                            shared,
                            () -> DividedStore.join(shared, choice.division(), rest, ticker, alarm, random, listener),
                            DividedStore::division)
                    : joined(
                            shared,
                            () -> EnduringStore.join(shared, ticker, alarm, random, listener),
                            EnduringStore::division);
        } catch (StartException e) {
            shared.close();
            throw e;
        }
    }

    private static <S extends StateStore & AutoCloseable> OpenStore joined(
            RedisStore shared, Supplier<CompletionStage<S>> join, Function<S, DivisionState> division)
            throws StartException {
        S store = patiently(join);
        return new OpenStore(store, () -> division.apply(store), () -> {
            store.close();
            shared.close();
        });
    }

    /**
     * The answer of a call that may be repeated, as all of a store may.
     *
     * @throws StartException where a shared store does not answer in time, again and again
     */
    static <T> T patiently(Supplier<CompletionStage<T>> call) throws StartException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                return call.get().toCompletableFuture().join();
            } catch (CompletionException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                if (cause instanceof MixedDivisionException) {
                    throw new StartException(Part.STORE, String.valueOf(cause.getMessage()), cause);
                }
                if (!(cause instanceof StoreException || cause instanceof StoreAwayException)) {
                    throw e;
                }
                if (System.nanoTime() - deadline > 0) {
                    throw unable(cause);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private static StartException unable(Throwable cause) {
        return new StartException(
                Part.STORE,
                cause.getMessage() + "; start Redis there, correct the address, or choose another with --store",
                cause);
    }

    void close() {
        try {
            connection.close();
        } catch (Exception e) {
            throw new IllegalStateException("the store cannot be closed", e);
        }
    }
}
