package io.paceline.health;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/** Over how many different addresses, targets or tags outcomes and failures are spread. At most some dozens. Mutable. */
final class Spread {
    private long[] marks = new long[16];
    private int[] faults = new int[16];
    private int active;
    private int failing;

    /** The outcomes of a tally up to that age, by a mark. */
    static Spread of(TallyRow tally, int oldest, IntToLongFunction markOf) {
        Spread spread = new Spread();
        for (int age = 0; age <= oldest; age++) {
            spread.add(markOf.applyAsLong(age), tally.failed(age));
        }
        return spread;
    }

    void add(long mark, boolean fault) {
        int place = place(mark);
        if (fault) {
            failing += faults[place] == 0 ? 1 : 0;
            faults[place]++;
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
            faults = Arrays.copyOf(faults, 2 * active);
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

    /** Those with the most failures, so many at most; the earlier ones where some are equal. */
    boolean[] worst(int most) {
        boolean[] worst = new boolean[active];
        for (int n = 0; n < most; n++) {
            int next = -1;
            for (int i = 0; i < active; i++) {
                boolean worse = !worst[i] && faults[i] > 0 && (next < 0 || faults[i] > faults[next]);
                next = worse ? i : next;
            }
            if (next < 0) {
                return worst;
            }
            worst[next] = true;
        }
        return worst;
    }

    /** Whether a mark is among them. */
    boolean isAmong(boolean[] some, long mark) {
        return some[place(mark)];
    }
}
