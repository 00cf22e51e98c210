package io.paceline.service.config;

import io.paceline.redis.RedisSettings;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where state is kept: in this process, or in a Redis that several gatekeepers share. As text it is what may be told: a
 * password is never in it.
 *
 * @param redis null for the memory of this process
 */
public record StoreChoice(@Nullable RedisSettings redis) {
    private static final String MEMORY_WORD = "memory";

    public static final StoreChoice MEMORY = new StoreChoice(null);

    /** @throws IllegalArgumentException where it is neither; the message says what to write */
    static StoreChoice parse(String text) {
        if (text.equals(MEMORY_WORD)) {
            return MEMORY;
        }
        if (!text.contains("://")) {
            throw new IllegalArgumentException("store is unknown: write store: memory, or store: redis://host:6379");
        }
        return new StoreChoice(RedisSettings.of(text));
    }

    public boolean isMemory() {
        return redis == null;
    }

    @Override
    public String toString() {
        return isMemory()
                ? MEMORY_WORD
                : "redis(" + Objects.requireNonNull(redis).places() + ")";
    }
}
