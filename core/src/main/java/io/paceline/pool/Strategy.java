package io.paceline.pool;

import java.util.Locale;
import java.util.Optional;

/** How a pool chooses among its eligible addresses. */
public enum Strategy {
    /** In turn; a degraded address every second turn. */
    ROUND_ROBIN,
    /** In proportion to static weight x success rate / normalised latency; of two draws the one with fewer leases. */
    WEIGHTED,
    /** The one with the fewest live leases. */
    LEAST_LEASES,
    /** The same key always gets the same address; stable under churn. */
    HASH,
    /** The one whose last use is longest ago. */
    LEAST_RECENTLY_USED,
    /** Any, with equal chances. */
    RANDOM,
    /** The key chooses a small group by hash; inside it the one with the fewest leases. */
    HASH_LEAST_LEASES;

    /** The word of the configuration: {@code least-recently-used}, {@code hash+least-leases}. */
    public String word() {
        return this == HASH_LEAST_LEASES
                ? "hash+least-leases"
                : name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The strategy written as the word given; empty for any other word. */
    public static Optional<Strategy> ofWord(String word) {
        for (Strategy strategy : values()) {
            if (strategy.word().equals(word)) {
                return Optional.of(strategy);
            }
        }
        return Optional.empty();
    }
}
