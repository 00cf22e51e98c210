package io.paceline.health;

import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;

/** What is left of a tally's newest outcomes once the worst of some kind are taken away. Mutable. */
final class Without {
    private final TallyRow tally;
    private final boolean[] gone;

    Without(TallyRow tally, int oldest) {
        this.tally = tally;
        this.gone = new boolean[oldest + 1];
        for (int age = 0; age <= oldest; age++) {
            gone[age] = !tally.proven(age);
        }
    }

    /** The worst among what is left: what went with the worst target says nothing about a tag. */
    Without worst(IntToLongFunction markOf, int most) {
        return worst(left(markOf), markOf, most);
    }

    /** A third of them, rounded up: what is wrong with a group shows on most of its members. */
    Without worstThird(IntToLongFunction markOf) {
        Spread spread = Spread.of(tally, gone.length - 1, markOf);
        return worst(spread, markOf, (spread.active() + 2) / 3);
    }

    Without where(IntPredicate unwanted) {
        for (int age = 0; age < gone.length; age++) {
            gone[age] |= unwanted.test(age);
        }
        return this;
    }

    /** How many different ones are left. */
    int different(IntToLongFunction markOf) {
        Spread left = new Spread();
        for (int age = 0; age < gone.length; age++) {
            if (keeps(age)) {
                left.add(markOf.applyAsLong(age), false);
            }
        }
        return left.active();
    }

    Without all(IntToLongFunction markOf, long mark) {
        for (int age = 0; age < gone.length; age++) {
            gone[age] |= markOf.applyAsLong(age) == mark;
        }
        return this;
    }

    Without copy() {
        Without copy = new Without(tally, gone.length - 1);
        System.arraycopy(gone, 0, copy.gone, 0, gone.length);
        return copy;
    }

    private Without worst(Spread spread, IntToLongFunction markOf, int most) {
        boolean[] worst = spread.worst(most);
        for (int age = 0; age < gone.length; age++) {
            gone[age] |= spread.isAmong(worst, markOf.applyAsLong(age));
        }
        return this;
    }

    boolean keeps(int age) {
        return !gone[age];
    }

    /** How many different ones fail among what is left. */
    int failing(IntToLongFunction markOf) {
        return left(markOf).failing();
    }

    private Spread left(IntToLongFunction markOf) {
        Spread left = new Spread();
        for (int age = 0; age < gone.length; age++) {
            left.add(markOf.applyAsLong(age), keeps(age) && tally.failed(age));
        }
        return left;
    }

    double score(double normal, double delta) {
        Stretch rest = new Stretch(delta);
        for (int age = 0; age < gone.length; age++) {
            if (keeps(age)) {
                rest.add(tally.failed(age), normal);
            }
        }
        return rest.score();
    }
}
