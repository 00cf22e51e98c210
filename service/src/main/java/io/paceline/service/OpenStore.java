package io.paceline.service;

import io.paceline.Alarm;
import io.paceline.Ticker;
import io.paceline.redis.RedisSettings;
import io.paceline.redis.RedisStore;
import io.paceline.redis.StoreException;
import io.paceline.redis.degraded.EnduringStore;
import io.paceline.redis.degraded.StoreState;
import io.paceline.service.StartException.Part;
import io.paceline.service.config.StoreChoice;
import io.paceline.store.MemoryStore;
import io.paceline.store.StateStore;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Opens the store that is configured; who opens it closes it. */
record OpenStore(StateStore store, AutoCloseable connection) {
    private static final long JOIN_SECONDS = 5;

    /**
     * @param memory what is taken where no Redis is configured
     * @param listener hears when a Redis goes away and comes back
     * @throws StartException where a Redis is configured and does not answer
     */
    static OpenStore open(
            StoreChoice choice,
            MemoryStore memory,
            Ticker ticker,
            Alarm alarm,
            RandomGenerator random,
            StoreState.Listener listener)
            throws StartException {
        RedisSettings redis = choice.redis();
        if (redis == null) {
            return new OpenStore(memory, () -> {});
        }
        try {
            return join(RedisStore.connect(redis), ticker, alarm, random, listener);
        } catch (StoreException e) {
            throw unable(e);
        }
    }

    private static OpenStore join(
            RedisStore shared, Ticker ticker, Alarm alarm, RandomGenerator random, StoreState.Listener listener)
            throws StartException {
        try {
            EnduringStore store = EnduringStore.join(shared, ticker, alarm, random, listener)
                    .toCompletableFuture()
                    .orTimeout(JOIN_SECONDS, TimeUnit.SECONDS)
                    .join();
            return new OpenStore(store, () -> {
                store.close();
                shared.close();
            });
        } catch (CompletionException e) {
            shared.close();
            throw unable(e.getCause() == null ? e : e.getCause());
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
