package io.paceline.service;

import io.paceline.Ticker;
import io.paceline.redis.RedisSettings;
import io.paceline.redis.RedisStore;
import io.paceline.redis.StoreException;
import io.paceline.service.StartException.Part;
import io.paceline.service.config.StoreChoice;
import io.paceline.service.journal.Journal;
import io.paceline.store.MemoryStore;
import io.paceline.store.StateStore;
import org.jspecify.annotations.Nullable;

/** Opens the store that is configured; who opens it closes it. */
record OpenStore(StateStore store, AutoCloseable connection) {

    /**
     * @param journal from which the embedded store goes on; null for none
     * @throws StartException where a Redis is configured and does not answer
     */
    static OpenStore open(StoreChoice choice, Ticker ticker, @Nullable Journal journal) throws StartException {
        RedisSettings redis = choice.redis();
        if (redis == null) {
            return new OpenStore(journal == null ? new MemoryStore(ticker) : journal.store(ticker), () -> {});
        }
        try {
            RedisStore shared = RedisStore.connect(redis);
            return new OpenStore(shared, shared);
        } catch (StoreException e) {
            throw new StartException(
                    Part.STORE,
                    e.getMessage() + "; start Redis there, correct the address, or choose another with --store",
                    e);
        }
    }

    void close() {
        try {
            connection.close();
        } catch (Exception e) {
            throw new IllegalStateException("the store cannot be closed", e);
        }
    }
}
