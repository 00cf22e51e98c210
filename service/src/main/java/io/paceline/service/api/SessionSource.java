package io.paceline.service.api;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Tells which sessions live. Thread-safe; nothing blocks. */
@FunctionalInterface
public interface SessionSource {

    /**
     * Some sessions of a pool.
     *
     * @param pool null means the first of the configuration
     * @param shown whether a session, by a hash of tenant and key, is to be listed
     * @param from 0, or what the page before gave as {@code next}
     * @throws IllegalArgumentException where there is no such pool
     */
    CompletionStage<Page> page(LongPredicate shown, @Nullable String pool, long from, int max);

    /** {@code next} begins the next page, and is negative after the last. */
    record Page(List<Row> sessions, long next) {
        public Page {
            sessions = List.copyOf(sessions);
        }
    }

    /**
     * One session.
     *
     * @param name a pseudonym: the one that the log shows
     * @param servedBy the pool of its address
     * @param address its id; null where it is in no list any more
     * @param state the word of its state
     */
    record Row(
            String name, String servedBy, @Nullable String address, int leases, long expiresAtMicros, String state) {}
}
