package io.paceline.store;

import io.paceline.SettleResult;
import io.paceline.health.SubjectRow;
import io.paceline.health.TallyRow;
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
 */
public record Settled(
        SettleResult result,
        boolean trained,
        @Nullable SubjectRow address,
        @Nullable SubjectRow cell,
        List<TallyRow> tallies,
        int members,
        long nowMicros) {

    public Settled {
        tallies = List.copyOf(tallies);
    }

    /** Nothing was settled. */
    static Settled nothing(SettleResult result, long nowMicros) {
        return new Settled(result, false, null, null, List.of(), 0, nowMicros);
    }
}
