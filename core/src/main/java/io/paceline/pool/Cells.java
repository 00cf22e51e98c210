package io.paceline.pool;

import io.paceline.health.Standing;
import io.paceline.health.State;
import io.paceline.health.SubjectRow;
import io.paceline.store.LongMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a pool that are not leased like any other: out, half-open, of less weight, or taken as far as this instance
 * knows. Guarded by its {@link PoolView}.
 */
final class Cells {
    /** The revision of a cell that the store has no row of: it is as good as new, whatever was known before. */
    private static final int NO_ROW = 0;

    private final LongMap<Cell> byKey = new LongMap<>();
    /** By target the slots whose cell on it is half-open: what a request may test. */
    private final LongMap<Set<Integer>> halfOpen = new LongMap<>();

    /** One of them. */
    static final class Cell {
        private final Member member;
        private final long target;
        private Standing standing;
        private int revision;
        private long busyUntilMicros;

        private Cell(Member member, long target, SubjectRow row) {
            this.member = member;
            this.target = target;
            this.standing = row.standing();
            this.revision = row.revision();
        }

        Standing standing() {
            return standing;
        }

        boolean busy(long nowMicros) {
            return busyUntilMicros > nowMicros;
        }

        private boolean plain(long nowMicros) {
            return fullWeight(standing) && !busy(nowMicros);
        }

        private long key() {
            return LongMap.keyOf(member.slot, target);
        }
    }

    boolean isEmpty() {
        return byKey.size() == 0;
    }

    /** The member's cell on the target; null where it is leased like any other. Most members have none at all. */
    @Nullable
    Cell of(Member member, long target) {
        return member.cells == 0 ? null : byKey.get(LongMap.keyOf(member.slot, target));
    }

    boolean inService(Member member, long target) {
        Cell cell = of(member, target);
        return cell == null || cell.standing.inService();
    }

    /** The store told of a cell's row. */
    void learn(Member member, long target, SubjectRow row, long nowMicros) {
        Cell cell = of(member, target);
        if (cell == null) {
            if (fullWeight(row.standing())) {
                return;
            }
            cell = add(member, target, row);
        } else if (row.revision() != NO_ROW && row.revision() - cell.revision < 0) {
            return;
        }
        cell.standing = row.standing();
        cell.revision = row.revision();
        listHalfOpen(cell, row.standing().halfOpen());
        if (cell.plain(nowMicros)) {
            remove(cell);
        }
    }

    /** The cell has as many leases as it may have: passed over until then. */
    void busy(Member member, long target, SubjectRow row, long untilMicros) {
        Cell known = of(member, target);
        Cell cell = known == null ? add(member, target, row) : known;
        cell.busyUntilMicros = untilMicros;
    }

    void noLongerBusy(Member member, long target) {
        Cell cell = of(member, target);
        if (cell != null) {
            cell.busyUntilMicros = 0;
        }
    }

    private Cell add(Member member, long target, SubjectRow row) {
        Cell cell = new Cell(member, target, row);
        byKey.put(cell.key(), cell);
        member.cells++;
        return cell;
    }

    private void remove(Cell cell) {
        byKey.remove(cell.key());
        cell.member.cells--;
    }

    /** Forgets those that are leased like any other by now. */
    void forgetPlain(long nowMicros) {
        removeIf(cell -> cell.plain(nowMicros));
    }

    /** A slot may have another owner now; cells are about addresses. */
    void forgetOthers(Predicate<Member> stays) {
        removeIf(cell -> {
            boolean gone = !stays.test(cell.member);
            if (gone) {
                listHalfOpen(cell, false);
            }
            return gone;
        });
    }

    private void removeIf(Predicate<Cell> condition) {
        if (isEmpty()) {
            return;
        }
        List<Cell> found = new ArrayList<>();
        byKey.forEach((cell, key) -> {
            if (condition.test(cell)) {
                found.add(cell);
            }
        });
        found.forEach(this::remove);
    }

    void clear() {
        byKey.forEach((cell, key) -> cell.member.cells = 0);
        byKey.clear();
        halfOpen.clear();
    }

    // ---- half-open ones

    boolean anyHalfOpen() {
        return halfOpen.size() > 0;
    }

    /** The slots whose cell on the target is half-open, the longest so first. */
    Set<Integer> halfOpenOn(long target) {
        Set<Integer> slots = halfOpen.get(target);
        return slots == null ? Set.of() : slots;
    }

    private void listHalfOpen(Cell cell, boolean belongs) {
        Set<Integer> slots = halfOpen.get(cell.target);
        if (belongs && slots == null) {
            slots = new LinkedHashSet<>();
            halfOpen.put(cell.target, slots);
        }
        if (belongs && slots != null) {
            slots.add(cell.member.slot);
        } else if (slots != null && slots.remove(cell.member.slot) && slots.isEmpty()) {
            halfOpen.remove(cell.target);
        }
    }

    // ---- for people

    /** How many of each slot's cells are out of service; slots without any are left out. */
    Map<Integer, Integer> outBySlot() {
        Map<Integer, Integer> out = new HashMap<>();
        byKey.forEach((cell, key) -> {
            if (!cell.standing.inService()) {
                out.merge(cell.member.slot, 1, Integer::sum);
            }
        });
        return out;
    }

    private static boolean fullWeight(Standing standing) {
        return standing.inService() && standing.state() == State.HEALTHY;
    }
}
