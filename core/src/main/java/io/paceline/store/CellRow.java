package io.paceline.store;

import io.paceline.health.Standing;
import io.paceline.health.TallyRow;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The row of a cell, an address on one target: what it has told the tallies, and the pause of it alone. About 120 bytes.
 * Guarded by the store's lock.
 */
final class CellRow extends Row {
    final long target;

    /** The step in which it was counted last by the tallies, how often, and of which service of its address. */
    private long step;

    private byte countedInStep;
    private int addressEpoch;

    /** The pause of this cell alone, where hints are for addresses; null where there never was one. */
    @Nullable
    PaceLimit pace;

    CellRow(int slot, long target, Standing standing, long nowMicros) {
        super(slot, standing, nowMicros);
        this.target = target;
    }

    @Override
    long target() {
        return target;
    }

    @Override
    void mark(long forTarget) {
        // All outcomes of a cell are of one target.
    }

    /** Whether the tallies count one more of its outcomes in this step. */
    boolean mayBeCounted(long nowMicros) {
        long now = Tally.stepOf(nowMicros);
        if (now != step) {
            step = now;
            countedInStep = 0;
        }
        if (countedInStep >= TallyRow.MOST_PER_STEP) {
            return false;
        }
        countedInStep++;
        return true;
    }

    /** What it knows from before its address went out of service, or came back, says nothing any more. */
    void ofAddressEpoch(int epoch) {
        if (epoch != addressEpoch) {
            addressEpoch = epoch;
            forget();
        }
    }

    /** True where forgetting the row loses nothing that a decision would miss. */
    boolean forgettable(long nowMicros, long idleMicros) {
        return live() == 0
                && (pace == null || pace.idle(nowMicros))
                && standing.inService()
                && standing.relapses() == 0
                && nowMicros - lastUsedMicros > idleMicros;
    }

    @Override
    StoreSnapshot.Subject save() {
        return save(
                new StoreSnapshot.Counted(step, countedInStep, addressEpoch),
                StoreSnapshot.Latencies.NONE,
                pace == null ? List.of() : LongStream.of(pace.save()).boxed().toList());
    }

    static CellRow of(StoreSnapshot.Subject saved) {
        CellRow row = new CellRow(saved.slot(), saved.target(), saved.standing(), saved.lastUsedMicros());
        row.load(saved);
        row.step = saved.inTallies().step();
        row.countedInStep = (byte) saved.inTallies().outcomes();
        row.addressEpoch = saved.inTallies().addressEpoch();
        if (!saved.pace().isEmpty()) {
            row.pace = new PaceLimit();
            row.pace.load(saved.pace().stream().mapToLong(Long::longValue).toArray());
        }
        return row;
    }
}
