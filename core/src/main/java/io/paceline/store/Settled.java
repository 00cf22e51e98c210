package io.paceline.store;

import io.paceline.SettleResult;
import io.paceline.health.SubjectRow;
import io.paceline.health.TallyRow;
import io.paceline.pace.PaceRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a {@link Settlement}.
 *
 * @param result whether this call ended the lease
 * @param trained false where the outcome was of an older epoch and was not added to the rows
 * @param address the address's row after the step; null where nothing was settled
 * @param cell the cell's row after the step; null where nothing was settled
 * @param tallies what target, pool and the watched tags of the address have seen, in that order; empty where nothing failed and none of them is
 *     guilty
 * @param members addresses in the chain
 * @param pace the target's pace, where the outcome was no success and the lease was charged to one; else null
 * @param grantedAtMicros when the lease had been granted; 0 where nothing was settled
 */
public record Settled(
        SettleResult result,
        boolean trained,
        @Nullable SubjectRow address,
        @Nullable SubjectRow cell,
        List<TallyRow> tallies,
        int members,
        @Nullable PaceRow pace,
        long grantedAtMicros,
        long nowMicros) {

    public Settled {
        tallies = List.copyOf(tallies);
    }

    /** That nothing was settled by this call. */
    public static Settled nothing(SettleResult result, long nowMicros) {
        return new Settled(result, false, null, null, List.of(), 0, null, 0, nowMicros);
    }
}
