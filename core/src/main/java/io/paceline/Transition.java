package io.paceline;

import io.paceline.health.Standing;
import org.jspecify.annotations.Nullable;

/**
 * An address, or the cell of an address and a target, changed its standing.
 *
 * @param pool the pool it belongs to
 * @param addressId the {@link Address#id()}
 * @param target the target's name; null where the whole address changed
 * @param from the standing before
 * @param to the standing now; its {@code untilMicros} says when it ends by itself
 * @param cause a word for metrics: {@code failures}, {@code relapse}, {@code credentials}, ...
 * @param reason one sentence with the figures, for a log line
 */
public record Transition(
        String pool,
        String addressId,
        @Nullable String target,
        Standing from,
        Standing to,
        String cause,
        String reason) {}
