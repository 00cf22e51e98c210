package io.paceline.store;

import io.paceline.health.Sign;
import io.paceline.health.TallyRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the targets, the watched tags and the pool of one chain have seen. Guarded by the store's lock. */
final class Tallies {
    /** A target or a tag that nobody has used for so long is forgotten. */
    private static final long IDLE_MICROS = 86_400_000_000L;

    private final LongMap<Tally> byId = new LongMap<>();
    private int guilty;
    private int sweepPlace;

    void add(Sign sign, Row address, long target, boolean good, long nowMicros) {
        long entry = TallyRow.entry(sign, good, address.slot, target, address.tag, address.otherTag);
        of(StateStore.POOL, nowMicros).add(entry, sign, good, nowMicros);
        of(target, nowMicros).add(entry, sign, good, nowMicros);
        if (address.tag != 0) {
            of(address.tag, nowMicros).add(entry, sign, good, nowMicros);
        }
        if (address.otherTag != 0) {
            of(address.otherTag, nowMicros).add(entry, sign, good, nowMicros);
        }
    }

    private Tally of(long id, long nowMicros) {
        Tally known = byId.get(id);
        if (known != null) {
            return known;
        }
        int remembered = id == StateStore.POOL ? TallyRow.POOL_ENTRIES : TallyRow.ENTRIES;
        Tally tally = new Tally(id, remembered, nowMicros);
        byId.put(id, tally);
        sweepPlace = byId.visitNext(sweepPlace, (old, key) -> {
            if (old != tally && old.forgettable(nowMicros, IDLE_MICROS)) {
                byId.remove(key);
            }
        });
        return tally;
    }

    /** Whether a failure is that of a guilty group: then it is not held against the address or the cell. */
    boolean excuse(Row address, Row cell) {
        return guilty > 0
                && (guilty(StateStore.POOL)
                        || guilty(cell.target)
                        || (address.standing.inService() && (guilty(address.tag) || guilty(address.otherTag))));
    }

    private boolean guilty(long id) {
        Tally tally = byId.get(id);
        return tally != null && tally.guiltySinceMicros != 0;
    }

    boolean anyGuilty() {
        return guilty > 0;
    }

    /** Of the target, the pool, and the tags of the address. */
    List<TallyRow> rows(Row address, long target, long nowMicros) {
        List<TallyRow> rows = new ArrayList<>(4);
        rows.add(of(target, nowMicros).row(nowMicros));
        rows.add(of(StateStore.POOL, nowMicros).row(nowMicros));
        if (address.tag != 0) {
            rows.add(of(address.tag, nowMicros).row(nowMicros));
        }
        if (address.otherTag != 0) {
            rows.add(of(address.otherTag, nowMicros).row(nowMicros));
        }
        return rows;
    }

    boolean convict(long id, long expectedSinceMicros, boolean toGuilty, long nowMicros) {
        @Nullable Tally tally = byId.get(id);
        if (tally == null || tally.guiltySinceMicros != expectedSinceMicros) {
            return false;
        }
        boolean wasGuilty = expectedSinceMicros != 0;
        guilty += toGuilty == wasGuilty ? 0 : toGuilty ? 1 : -1;
        tally.judged(toGuilty, nowMicros);
        return true;
    }
}
