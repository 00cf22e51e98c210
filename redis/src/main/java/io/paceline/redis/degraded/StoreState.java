package io.paceline.redis.degraded;

/**
 * How this instance stands to the shared store, for people.
 *
 * @param degraded it goes on alone, or waits to
 * @param sinceMicros by the clock of this instance
 * @param detail a sentence
 */
public record StoreState(boolean degraded, long sinceMicros, String detail) {

    /** Hears of each change, after it, on the thread that made it; must not block or throw. */
    @FunctionalInterface
    public interface Listener {
        /** Hears nothing. */
        Listener NONE = state -> {};

        void changed(StoreState state);
    }
}
