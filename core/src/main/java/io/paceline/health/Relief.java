package io.paceline.health;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** When a guilty target, tag or pool is well again: what {@link Blame} asks before it acquits. */
final class Relief {
    /** A guilty group is acquitted once at most a fifth of so many outcomes failed that came after its verdict ... */
    private static final int RELIEF = 20;

    /** ... or none of so many, but not before a dwell. */
    private static final int QUICK_RELIEF = 10;

    private static final long DWELL_MICROS = 10_000_000;
    private static final int IN_A_ROW = 4;

    /** So many addresses speak for the whole pool. */
    private static final int ENOUGH_ADDRESSES = 7;

    /** A group that nobody asked anything for so long is asked anew. */
    private static final long STALE_MICROS = 300_000_000;

    private Relief() {}

    static boolean of(TallyRow tally, long nowMicros) {
        if (nowMicros - tally.guiltySinceMicros() < DWELL_MICROS) {
            return false;
        }
        if (tally.id() == TallyRow.POOL && mostGetThrough(tally)) {
            return true;
        }
        int seen = 0;
        int failed = 0;
        for (int age = 0;
                seen < RELIEF && age < tally.size() && tally.atMicros(age) > tally.guiltySinceMicros();
                age++) {
            if (tally.proven(age)) {
                failed += tally.failed(age) ? 1 : 0;
                seen++;
            }
            if (seen == QUICK_RELIEF && failed == 0) {
                return true;
            }
        }
        boolean quietBefore = seen > 0
                && !tally.failed(0)
                && tally.size() > 1
                && tally.atMicros(0) - tally.atMicros(1) > STALE_MICROS;
        return quietBefore || (seen == RELIEF && failed * 5 <= RELIEF);
    }

    /**
     * Our own side is well again where half of the addresses got through four times in a row: the others may be sick, and were
     * not judged meanwhile.
     */
    private static boolean mostGetThrough(TallyRow pool) {
        Map<Long, Integer> newest = new HashMap<>();
        Set<Long> failed = new HashSet<>();
        for (int age = 0; age < pool.size() && pool.atMicros(age) > pool.guiltySinceMicros(); age++) {
            long slot = pool.slotMark(age);
            if (pool.proven(age) && newest.merge(slot, 1, Integer::sum) <= IN_A_ROW && pool.failed(age)) {
                failed.add(slot);
            }
        }
        newest.values().removeIf(outcomes -> outcomes < IN_A_ROW);
        long good =
                newest.keySet().stream().filter(slot -> !failed.contains(slot)).count();
        return newest.size() >= ENOUGH_ADDRESSES && 2 * good >= newest.size();
    }
}
