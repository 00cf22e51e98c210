package io.paceline.pool;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Draws seats in proportion to their weights, in constant time.
 *
 * <p>Seats lie in dense arrays, one for each power of two of the weight. A draw takes a class in proportion to its size
 * times its upper bound, a seat of it, and accepts it with weight / upper bound: at least every second draw succeeds, and
 * the result is exact. Adding, removing and re-weighting are O(1) by swap-remove; a Fenwick tree does the same in O(log n)
 * and misses the cache at every step. After Matias, Vitter and Ni, "Dynamic generation of discrete random variates" (2003),
 * with one level. Not thread-safe.
 */
final class WeightClasses {
    private static final int LOWEST = -16;
    private static final int HIGHEST = 15;
    /** A draw that is refused so often takes what it has: one in 2^32 draws is off by less than a factor of two. */
    private static final int TRIES = 32;

    private final WeightClass[] classes = new WeightClass[HIGHEST - LOWEST + 1];
    private int size;
    /** Of all classes: size times upper bound. All are small multiples of powers of two, so that no sum is ever rounded. */
    private double mass;
    /** Bits of the classes that hold anybody. */
    private int occupied;

    WeightClasses() {
        for (int i = 0; i < classes.length; i++) {
            classes[i] = new WeightClass(StrictMath.scalb(1.0, LOWEST + i + 1));
        }
    }

    private static final class WeightClass {
        final double upper;
        /** A power of two, as {@link #upper} is: multiplying by it is exactly a division. */
        final double perUpper;

        Seat[] seats = new Seat[0];
        /** By the place of the seat, so that a draw need not touch the seat on its way to the member. */
        Member[] members = new Member[0];
        /** By the place of the seat: a draw that is refused has not touched the seat itself. */
        double[] weights = new double[0];

        int size;

        WeightClass(double upper) {
            this.upper = upper;
            this.perUpper = 1 / upper;
        }
    }

    int size() {
        return size;
    }

    void add(Seat seat, double weight) {
        enter(seat, classOf(weight), weight);
        size++;
    }

    void reweigh(Seat seat, double weight) {
        int wanted = classOf(weight);
        if (seat.classIndex != wanted) {
            leave(seat);
            enter(seat, wanted, weight);
        } else {
            classes[wanted].weights[seat.index] = weight;
        }
    }

    void remove(Seat seat) {
        leave(seat);
        size--;
    }

    /** A member drawn in proportion to the weight of its seat; null where there is none. */
    @Nullable
    Member draw(RandomGenerator random) {
        if (size == 0) {
            return null;
        }
        Member drawn = null;
        for (int i = 0; i < TRIES; i++) {
            // One number chooses class, seat and acceptance: where it falls is uniform within each part.
            double left = random.nextDouble() * mass;
            WeightClass c = classes[Integer.numberOfTrailingZeros(occupied)];
            for (int bits = occupied; bits != 0; bits &= bits - 1) {
                c = classes[Integer.numberOfTrailingZeros(bits)];
                double own = c.size * c.upper;
                if (left < own) {
                    break;
                }
                left -= own;
            }
            double place = left * c.perUpper;
            // Rounding may lead just past the end of the last class.
            int index = Math.min((int) place, c.size - 1);
            drawn = c.members[index];
            if ((place - index) * c.upper < c.weights[index]) {
                break;
            }
        }
        return drawn;
    }

    /** The seat at a place of a walk over all, beginning anywhere: for when draws find nothing that fits. */
    Seat at(int place) {
        int left = place % size;
        for (WeightClass c : classes) {
            if (left < c.size) {
                return c.seats[left];
            }
            left -= c.size;
        }
        throw new IllegalStateException("size " + size + " does not agree with the classes");
    }

    private static int classOf(double weight) {
        return Math.min(HIGHEST, Math.max(LOWEST, Math.getExponent(weight))) - LOWEST;
    }

    private void enter(Seat seat, int classIndex, double weight) {
        WeightClass c = classes[classIndex];
        if (c.size == c.seats.length) {
            c.seats = Arrays.copyOf(c.seats, Math.max(4, c.size + c.size / 2));
            c.members = Arrays.copyOf(c.members, c.seats.length);
            c.weights = Arrays.copyOf(c.weights, c.seats.length);
        }
        seat.classIndex = (byte) classIndex;
        seat.index = c.size;
        c.weights[c.size] = weight;
        c.members[c.size] = seat.member;
        c.seats[c.size++] = seat;
        mass += c.upper;
        occupied |= 1 << classIndex;
    }

    private void leave(Seat seat) {
        WeightClass c = classes[seat.classIndex];
        mass -= c.upper;
        Seat last = c.seats[--c.size];
        c.seats[seat.index] = last;
        c.members[seat.index] = c.members[c.size];
        c.weights[seat.index] = c.weights[c.size];
        last.index = seat.index;
        if (c.size == 0) {
            occupied &= ~(1 << seat.classIndex);
        }
    }
}
