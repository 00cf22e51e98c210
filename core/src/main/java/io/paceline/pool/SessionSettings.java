package io.paceline.pool;

import io.paceline.store.OnAddressDeath;
import java.time.Duration;

/**
 * How long a session key keeps its address.
 *
 * @param ttl how long a binding lasts
 * @param mode whether use renews it
 * @param onAddressDeath what becomes of a session whose address is dead, banned, removed, or out for over two minutes
 */
public record SessionSettings(Duration ttl, Mode mode, OnAddressDeath onAddressDeath) {

    /** Whether a binding's life starts anew with each use. */
    public enum Mode {
        SLIDING,
        FIXED
    }

    private static final SessionSettings DEFAULTS =
            new SessionSettings(Duration.ofMinutes(15), Mode.SLIDING, OnAddressDeath.END);

    public SessionSettings {
        if (ttl.isZero() || ttl.isNegative()) {
            throw new IllegalArgumentException("session.ttl " + ttl + " is not above 0");
        }
    }

    public static SessionSettings defaults() {
        return DEFAULTS;
    }
}
