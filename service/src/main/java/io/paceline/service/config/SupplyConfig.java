package io.paceline.service.config;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who is asked for more addresses when a pool runs low.
 *
 * @param pool whose
 * @param below the low-water mark: asked while fewer addresses than this are in service
 * @param url where to ask, a template; may hold a key
 * @param shown the same for people: scheme and host alone
 * @param items where the answer's addresses are, a JSON pointer in which {@code *} stands for every item of an array; null
 *     where the answer is a list in one of the forms that files have
 * @param every the least time between two requests
 * @param most how many addresses may be asked for in any {@code period}
 */
public record SupplyConfig(
        String pool,
        int below,
        Secret url,
        String shown,
        @Nullable String items,
        Duration every,
        int most,
        Duration period) {

    public SupplyConfig {
        Objects.requireNonNull(pool, "pool");
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(shown, "shown");
        if (below < 1) {
            throw new IllegalArgumentException("below " + below + " is not at least 1");
        }
        if (every.isZero() || every.isNegative()) {
            throw new IllegalArgumentException("every " + every + " is not above 0");
        }
        if (most < 1) {
            throw new IllegalArgumentException("budget " + most + " is not at least 1");
        }
        if (period.isZero() || period.isNegative()) {
            throw new IllegalArgumentException("period " + period + " is not above 0");
        }
    }
}
