package io.paceline.health;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/** How many different addresses, or targets, had outcomes, and how many of them failures. At most some dozens. Mutable. */
final class Spread {
    private long[] marks = new long[16];
    private boolean[] failed = new boolean[16];
    private int active;
    private int failing;

    void add(long mark, boolean fault) {
        int place = place(mark);
        if (fault && !failed[place]) {
            failed[place] = true;
            failing++;
        }
    }

    private int place(long mark) {
        for (int i = 0; i < active; i++) {
            if (marks[i] == mark) {
                return i;
            }
        }
        if (active == marks.length) {
            marks = Arrays.copyOf(marks, 2 * active);
            failed = Arrays.copyOf(failed, 2 * active);
        }
        marks[active] = mark;
        return active++;
    }

    int active() {
        return active;
    }

    int failing() {
        return failing;
    }

    /** As {@link #worst}; 0 where all bear the same mark, of which nothing follows. */
    static long worstOfSeveral(TallyRow tally, int oldest, IntToLongFunction markOf) {
        for (int age = 1; age <= oldest; age++) {
            if (markOf.applyAsLong(age) != markOf.applyAsLong(0)) {
                return worst(tally, oldest, markOf);
            }
        }
        return 0;
    }

    /** The mark that most failures bear, of the outcomes up to that age; 0 where there is none. */
    static long worst(TallyRow tally, int oldest, IntToLongFunction markOf) {
        long worst = 0;
        int most = 0;
        for (int age = 0; age <= oldest; age++) {
            long mark = markOf.applyAsLong(age);
            int same = 0;
            for (int other = 0; other <= oldest && tally.failed(age); other++) {
                same += tally.failed(other) && markOf.applyAsLong(other) == mark ? 1 : 0;
            }
            if (same > most) {
                most = same;
                worst = mark;
            }
        }
        return worst;
    }
}
