package io.paceline.service.config;

import io.paceline.redis.RedisSettings;
import io.paceline.redis.degraded.Division;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where state is kept: in this process, or in a Redis that several gatekeepers share. As text it is what may be told: a
 * password is never in it.
 *
 * @param redis null for the memory of this process
 * @param division how the gatekeepers divide the work; means nothing in memory
 */
public record StoreChoice(@Nullable RedisSettings redis, Division division) {
    private static final String MEMORY_WORD = "memory";

    public static final StoreChoice MEMORY = new StoreChoice(null, Division.BROKER);

    /** @throws IllegalArgumentException where it is neither; the message says what to write */
    static StoreChoice parse(String text) {
        if (text.equals(MEMORY_WORD)) {
            return MEMORY;
        }
        if (!text.contains("://")) {
            throw new IllegalArgumentException("store is unknown: write store: memory, or store: redis://host:6379");
        }
        return new StoreChoice(RedisSettings.of(text), Division.BROKER);
    }

    public boolean isMemory() {
        return redis == null;
    }

    /** What people read: the store, and how it is divided where it is shared. */
    public String described() {
        return isMemory() ? toString() : this + ", division " + division.word();
    }

    @Override
    public String toString() {
        return isMemory()
                ? MEMORY_WORD
                : "redis(" + Objects.requireNonNull(redis).places() + ")";
    }
}
