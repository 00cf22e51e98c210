package io.paceline.redis.degraded;

/** The shared store is away, and this instance cannot decide the call alone. Told at once: nothing was waited for. */
public final class StoreAwayException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StoreAwayException(String message) {
        // Without a stack: it is thrown for each request while the store is away, and the place tells nothing.
        super(message, null, false, false);
    }
}
