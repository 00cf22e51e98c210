package io.paceline.service;

import io.paceline.Alarm;
import io.paceline.Ticker;
import io.paceline.redis.RedisSettings;
import io.paceline.redis.RedisStore;
import io.paceline.redis.StoreException;
import io.paceline.redis.degraded.DividedStore;
import io.paceline.redis.degraded.DivisionState;
import io.paceline.redis.degraded.EnduringStore;
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
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Opens the store that is configured; who opens it closes it. */
record OpenStore(StateStore store, Supplier<@Nullable DivisionState> division, AutoCloseable connection) {
    private static final long JOIN_SECONDS = 5;

    /**
     * @param rest how long what an instance granted that has left since may matter
     * @param memory what is taken where no Redis is configured
     * @param listener hears when a Redis goes away and comes back
     * @throws StartException where a Redis is configured and does not answer
     */
    static OpenStore open(
            StoreChoice choice,
            Duration rest,
            MemoryStore memory,
            Ticker ticker,
            Alarm alarm,
            RandomGenerator random,
            StoreState.Listener listener)
            throws StartException {
        RedisSettings redis = choice.redis();
        if (redis == null) {
            return new OpenStore(memory, () -> null, () -> {});
        }
        try {
            RedisStore shared = RedisStore.connect(redis);
            return choice.division().isLocal()
                    ? joined(
                            shared,
                            DividedStore.join(shared, choice.division(), rest, ticker, alarm, random, listener),
                            DividedStore::division)
                    : joined(
                            shared,
                            EnduringStore.join(shared, ticker, alarm, random, listener),
                            EnduringStore::division);
        } catch (StoreException e) {
            throw unable(e);
        }
    }

    private static <S extends StateStore & AutoCloseable> OpenStore joined(
            RedisStore shared, CompletionStage<S> joining, Function<S, DivisionState> division) throws StartException {
        try {
            S store = joining.toCompletableFuture()
                    .orTimeout(JOIN_SECONDS, TimeUnit.SECONDS)
                    .join();
            return new OpenStore(store, () -> division.apply(store), () -> {
                store.close();
                shared.close();
            });
        } catch (CompletionException e) {
            shared.close();
            throw unable(e.getCause() == null ? e : e.getCause());
        }
    }

    private static StartException unable(Throwable cause) {
        if (cause instanceof StoreAwayException) {
            return new StartException(Part.STORE, String.valueOf(cause.getMessage()), cause);
        }
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
