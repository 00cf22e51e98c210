package io.paceline.store;

import io.paceline.health.Sign;
import io.paceline.health.TallyRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the targets, the watched tags and the pool of one chain have seen. Guarded by the store's lock. */
final class Tallies {
    /** A target or a tag that nobody has used for so long is forgotten. */
    private static final long IDLE_MICROS = 86_400_000_000L;

    private final LongMap<Tally> byId = new LongMap<>();
    private final ChangeTrack<Tally> changed;
    /** Of {@link StateStore#POOL}, which every outcome asks for; null until the first one. */
    private @Nullable Tally pool;

    private int guilty;
    private int sweepPlace;

    Tallies(int chain, ChangeLog log) {
        changed = new ChangeTrack<>(
                log,
                (tally, id) -> new StoreChange.OfTally(chain, tally.save()),
                id -> new StoreChange.Gone(StoreChange.Kind.TALLY, chain, id));
    }

    void touchAll() {
        byId.forEach(changed::touch);
    }

    void add(Sign sign, AddressRow address, long target, boolean good, long nowMicros) {
        long entry = TallyRow.entry(
                sign,
                good,
                sign == Sign.SUCCESS || address.proven(),
                address.slot,
                target,
                address.tag(),
                address.otherTag());
        of(StateStore.POOL, nowMicros).add(entry, sign, good, nowMicros);
        of(target, nowMicros).add(entry, sign, good, nowMicros);
        if (address.tag() != 0) {
            of(address.tag(), nowMicros).add(entry, sign, good, nowMicros);
        }
        if (address.otherTag() != 0) {
            of(address.otherTag(), nowMicros).add(entry, sign, good, nowMicros);
        }
    }

    /** A success took so long; how many times what is typical of its target that is. */
    float took(long target, long latencyMicros, long nowMicros) {
        return of(target, nowMicros).took(latencyMicros);
    }

    /** For whoever may change it. */
    private Tally of(long id, long nowMicros) {
        Tally known = id == StateStore.POOL ? pool : byId.get(id);
        if (known != null) {
            changed.touch(known, id);
            return known;
        }
        Tally tally = new Tally(id, remembered(id), nowMicros);
        put(tally);
        changed.touch(tally, id);
        sweepPlace = byId.visitNext(sweepPlace, (old, key) -> {
            if (old != tally && old != pool && old.forgettable(nowMicros, IDLE_MICROS)) {
                changed.gone(old, key);
                byId.remove(key);
            }
        });
        return tally;
    }

    private void put(Tally tally) {
        byId.put(tally.id, tally);
        pool = tally.id == StateStore.POOL ? tally : pool;
    }

    /** Whether a failure is that of a guilty group: then it is not held against the address or the cell. */
    boolean excuse(AddressRow address, CellRow cell) {
        return guilty > 0
                && (guilty(StateStore.POOL)
                        || guilty(cell.target)
                        || (address.standing.inService() && (guilty(address.tag()) || guilty(address.otherTag()))));
    }

    private boolean guilty(long id) {
        Tally tally = byId.get(id);
        return tally != null && tally.guiltySinceMicros != 0;
    }

    /** Since when they are guilty: those of the targets, of the tags of the address, and of the pool that are. */
    Map<Long, Long> guiltyFor(AddressRow address, List<Long> targets) {
        Map<Long, Long> found = new LinkedHashMap<>();
        if (guilty > 0) {
            List<Long> ids = new ArrayList<>(List.of(StateStore.POOL, address.tag(), address.otherTag()));
            ids.addAll(targets);
            for (long id : ids) {
                Tally tally = byId.get(id);
                if (tally != null && tally.guiltySinceMicros != 0) {
                    found.put(id, tally.guiltySinceMicros);
                }
            }
        }
        return found;
    }

    boolean anyGuilty() {
        return guilty > 0;
    }

    /** Of the target, the pool, and the tags of the address. */
    List<TallyRow> rows(AddressRow address, long target, long nowMicros) {
        List<TallyRow> rows = new ArrayList<>(4);
        rows.add(of(target, nowMicros).row(nowMicros));
        rows.add(of(StateStore.POOL, nowMicros).row(nowMicros));
        if (address.tag() != 0) {
            rows.add(of(address.tag(), nowMicros).row(nowMicros));
        }
        if (address.otherTag() != 0) {
            rows.add(of(address.otherTag(), nowMicros).row(nowMicros));
        }
        return rows;
    }

    // ---- restarts

    List<StoreSnapshot.TallyState> save() {
        List<StoreSnapshot.TallyState> saved = new ArrayList<>();
        byId.forEach((tally, id) -> saved.add(tally.save()));
        saved.sort(Comparator.comparingLong(StoreSnapshot.TallyState::id));
        return saved;
    }

    void load(List<StoreSnapshot.TallyState> saved) {
        for (StoreSnapshot.TallyState state : saved) {
            Tally tally = new Tally(state.id(), remembered(state.id()), 0);
            tally.load(state);
            put(tally);
            guilty += tally.guiltySinceMicros == 0 ? 0 : 1;
        }
    }

    private static int remembered(long id) {
        return id == StateStore.POOL ? TallyRow.POOL_ENTRIES : TallyRow.ENTRIES;
    }

    // ---- judgement

    boolean convict(long id, long expectedSinceMicros, boolean toGuilty, long nowMicros) {
        @Nullable Tally tally = byId.get(id);
        if (tally == null || tally.guiltySinceMicros != expectedSinceMicros) {
            return false;
        }
        boolean wasGuilty = expectedSinceMicros != 0;
        changed.touch(tally, id);
        guilty += toGuilty == wasGuilty ? 0 : toGuilty ? 1 : -1;
        tally.judged(toGuilty, nowMicros);
        return true;
    }
}
