package io.paceline.store;

import io.paceline.SettleResult;
import io.paceline.health.SubjectRow;
import org.jspecify.annotations.Nullable;

/**
 * What became of a {@link Settlement}.
 *
 * @param result whether this call ended the lease
 * @param trained false where the outcome was of an older epoch and was not added to the rows
 * @param address the address's row after the step; null where nothing was settled
 * @param cell the cell's row after the step; null where nothing was settled
 */
public record Settled(
        SettleResult result,
        boolean trained,
        @Nullable SubjectRow address,
        @Nullable SubjectRow cell,
        long nowMicros) {}
