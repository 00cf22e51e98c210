package io.paceline.store;

import io.paceline.SettleResult;
import io.paceline.health.SubjectRow;
import io.paceline.pace.PaceRow;
import org.jspecify.annotations.Nullable;

/**
 * What became of a {@link Settlement}.
 *
 * @param result whether this call ended the lease
 * @param trained false where the outcome was of an older epoch and was not added to the rows
 * @param address the address's row after the step; null where nothing was settled
 * @param cell the cell's row after the step; null where nothing was settled
 * @param pace the target's pace, where the outcome was no success and the lease was charged to one; else null
 * @param grantedAtMicros when the lease had been granted; 0 where nothing was settled
 */
public record Settled(
        SettleResult result,
        boolean trained,
        @Nullable SubjectRow address,
        @Nullable SubjectRow cell,
        @Nullable PaceRow pace,
        long grantedAtMicros,
        long nowMicros) {

    Settled(
            SettleResult result,
            boolean trained,
            @Nullable SubjectRow address,
            @Nullable SubjectRow cell,
            long nowMicros) {
        this(result, trained, address, cell, null, 0, nowMicros);
    }

    /** That nothing was settled by this call. */
    public static Settled nothing(SettleResult result, long nowMicros) {
        return new Settled(result, false, null, null, nowMicros);
    }
}
