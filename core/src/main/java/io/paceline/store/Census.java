package io.paceline.store;

import io.paceline.health.Budget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who counts in a chain, and who of them is out: kept step by step, so that a budget is checked without counting anew.
 *
 * <p>Every change of a row goes through {@link #change}: what the row contributed is taken away, the row changes, and what
 * it contributes now is added. A step costs as much as its address has cells out, whatever else is out. Guarded by the
 * store's lock.
 */
final class Census {
    /** Members: in the list, neither dead nor held by people. */
    private int members;
    /** Members that are not in service. */
    private int out;

    /** Cells that are not in service, by slot: their addresses' changes concern them. */
    private final Map<Integer, List<CellRow>> cellsOf = new HashMap<>();

    private final LongMap<OfTarget> targets = new LongMap<>();
    /** For each number of {@link OfTarget#missing} above 0, how many targets have it. */
    private final TreeMap<Integer, Integer> targetsMissing = new TreeMap<>();

    /** What the cells of one target add up to, over addresses that are members. */
    private static final class OfTarget {
        /** Cells that are out by judgement. */
        int out;
        /** Cells that do not count here: dead, or held by people. */
        int uncounted;
        /** Cells not in service of addresses that are: what the target misses beyond what all miss. */
        int missing;
    }

    int members() {
        return members;
    }

    // ---- changes

    /** An address that has no cells yet. */
    void add(AddressRow address) {
        count(address, 1);
    }

    /** A cell of whatever standing, after its address. */
    void add(CellRow cell, AddressRow address) {
        if (!cell.standing.inService()) {
            count(cell, address, 1);
            cellsOf.computeIfAbsent(cell.slot, slot -> new ArrayList<>(1)).add(cell);
        }
    }

    /** An address changes, or comes and goes: its cells with it. */
    void change(AddressRow address, Runnable step) {
        List<CellRow> cells = cellsOf.getOrDefault(address.slot, List.of());
        cells.forEach(cell -> count(cell, address, -1));
        count(address, -1);
        step.run();
        count(address, 1);
        cells.forEach(cell -> count(cell, address, 1));
    }

    /** A cell changes. */
    void change(CellRow cell, AddressRow address, Runnable step) {
        boolean wasOut = !cell.standing.inService();
        if (wasOut) {
            count(cell, address, -1);
        }
        step.run();
        boolean isOut = !cell.standing.inService();
        if (isOut) {
            count(cell, address, 1);
        }
        if (isOut && !wasOut) {
            cellsOf.computeIfAbsent(cell.slot, slot -> new ArrayList<>(1)).add(cell);
        } else if (wasOut && !isOut) {
            cellsOf.computeIfPresent(cell.slot, (slot, cells) -> without(cells, cell));
        }
    }

    @SuppressWarnings("ReferenceEquality") // a row is itself alone
    private static @Nullable List<CellRow> without(List<CellRow> cells, CellRow cell) {
        cells.removeIf(other -> other == cell);
        return cells.isEmpty() ? null : cells;
    }

    /** The slot gets another owner; the one before was removed, so that its cells add nothing any more. */
    void forget(int slot) {
        cellsOf.remove(slot);
    }

    private void count(AddressRow address, int by) {
        if (!address.removed && address.standing.counts()) {
            members += by;
            out += address.standing.inService() ? 0 : by;
        }
    }

    private void count(CellRow cell, AddressRow address, int by) {
        if (address.removed || !address.standing.counts()) {
            return;
        }
        OfTarget tally = targets.get(cell.target);
        if (tally == null) {
            tally = new OfTarget();
            targets.put(cell.target, tally);
        }
        if (cell.standing.counts()) {
            tally.out += by;
        } else {
            tally.uncounted += by;
        }
        if (address.standing.inService()) {
            level(tally.missing, -1);
            tally.missing += by;
            level(tally.missing, 1);
        }
        if (tally.out == 0 && tally.uncounted == 0) {
            targets.remove(cell.target);
        }
    }

    private void level(int missing, int by) {
        if (missing > 0) {
            targetsMissing.merge(missing, by, (before, more) -> before + more == 0 ? null : before + more);
        }
    }

    // ---- questions

    /**
     * Whether a subject that is in service may leave it. The share is counted over addresses for an address, over the
     * target's cells for a cell; the floor over what would really be left, for the target that is worst off of those that
     * lose by the step. Who leaves counts, so "at least so many, or all, if fewer" never lets the floor be undercut.
     */
    boolean allows(Budget budget, Row subject, AddressRow address) {
        if (subject.target() == 0) {
            return budget.allows(members, out + 1) && members - out - 1 - mostMissingBeside(address) >= floor(budget);
        }
        if (address.removed || !address.standing.counts()) {
            return true;
        }
        OfTarget tally = targets.get(subject.target());
        int cellsOut = tally == null ? 0 : tally.out;
        int uncounted = tally == null ? 0 : tally.uncounted;
        int missing = tally == null ? 0 : tally.missing;
        boolean shareLeft = budget.allows(members - uncounted, cellsOut + 1);
        boolean loses = address.standing.inService();
        return shareLeft && (!loses || members - out - missing - 1 >= floor(budget));
    }

    private int floor(Budget budget) {
        return Math.min(budget.minInService(), members);
    }

    /** The most that any target misses for which the address serves: the others lose nothing when it goes. */
    private int mostMissingBeside(AddressRow address) {
        List<CellRow> own = cellsOf.getOrDefault(address.slot, List.of());
        Map<Integer, Integer> ownAt = new HashMap<>();
        for (CellRow cell : own) {
            OfTarget tally = targets.get(cell.target);
            ownAt.merge(tally == null ? 0 : tally.missing, 1, Integer::sum);
        }
        for (Map.Entry<Integer, Integer> level : targetsMissing.descendingMap().entrySet()) {
            if (level.getValue() > ownAt.getOrDefault(level.getKey(), 0)) {
                return level.getKey();
            }
        }
        return 0;
    }

    /** Visits every cell that is not in service, of addresses in the list; in no order that means anything. */
    void forEachCellOut(Consumer<CellRow> visitor) {
        cellsOf.values().forEach(cells -> cells.forEach(visitor));
    }
}
