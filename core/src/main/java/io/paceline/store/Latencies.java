package io.paceline.store;

import io.paceline.health.Latency;
import io.paceline.health.State;
import java.util.Arrays;

/**
 * How long the successes of some addresses took, a page of neighbouring slots: 85 bytes for each, where an object of its own
 * would take 125. Guarded by the store's lock.
 *
 * <p>Each address has two histograms that forget: in microseconds, and against what the target takes through all addresses.
 *
 * <p>A histogram has 32 buckets, two for a doubling (1, 1.5, 2, 3, 4, ...), a byte each. With 64 outcomes all counts are halved, so
 * that 32 to 64 are remembered. A percentile lies inside its bucket in proportion.
 *
 * <p>The norm is the 95th percentile of the second histogram, taken at each halving while the address is healthy, of which a
 * quarter counts, and of that no more than twice the norm so far: it follows what changes slowly, and never learns a jump
 * before that is noticed. While the address is not healthy, sixteen outcomes at a time tell whether the jump goes on.
 */
final class Latencies {
    private static final int BUCKETS = 32;
    /** So many outcomes make the counts be halved. */
    private static final int MOST = 64;
    /** Outcomes from which a norm is made, and a healthy address's jump is told. */
    private static final int LEAST = 32;
    /** So many outcomes tell whether the jump has gone: then the next as many are looked at, and they alone. */
    private static final int ANEW = 16;
    /** Percentiles move slowly: they are taken at every fourth outcome. */
    private static final int EACH = 4;

    private static final float NEWEST = 0.25f;
    /** The lowest buckets begin at 1,024 microseconds, and at 1/256 of what is usual. */
    private static final float MICROS_UNIT = 1 / 1_024f;

    private static final float RELATIVE_UNIT = 256;
    /** Exponent and first bit of the fraction of 1.0f, the lower bound of bucket 0. */
    private static final int ONE = Float.floatToRawIntBits(1) >> 22;

    /** Slots that share a page. */
    static final int ADDRESSES = 64;

    private final byte[] counts = new byte[ADDRESSES * 2 * BUCKETS];
    private final byte[] outcomes = new byte[ADDRESSES];
    /** For each slot {@link #NORM}, {@link #P50}, {@link #P95} and {@link #JUMP}. */
    private final float[] figures = new float[ADDRESSES * FIGURES];

    private static final int NORM = 0;
    private static final int P50 = 1;
    private static final int P95 = 2;
    private static final int JUMP = 3;
    private static final int FIGURES = 4;

    private static int place(int slot) {
        return slot % ADDRESSES;
    }

    /** Where the first histogram of a place begins; the second follows. */
    private static int first(int place) {
        return place * 2 * BUCKETS;
    }

    /** @param relative the latency against what its target takes usually */
    void add(int slot, long micros, float relative, State state) {
        int place = place(slot);
        int first = first(place);
        counts[first + bucket(micros * MICROS_UNIT)]++;
        counts[first + BUCKETS + bucket(relative * RELATIVE_UNIT)]++;
        outcomes[place]++;
        if (outcomes[place] % EACH == 0) {
            measure(place, state);
        }
        if (state != State.HEALTHY && outcomes[place] >= ANEW) {
            clear(place);
        } else if (outcomes[place] == MOST) {
            halve(first);
            halve(first + BUCKETS);
            outcomes[place] = MOST / 2;
        }
    }

    private void measure(int place, State state) {
        int of = place * FIGURES;
        int first = first(place);
        int seen = outcomes[place];
        figures[of + P50] = quantile(first, seen, 0.5f) / MICROS_UNIT;
        figures[of + P95] = quantile(first, seen, 0.05f) / MICROS_UNIT;
        float relative = quantile(first + BUCKETS, seen, 0.05f);
        float norm = figures[of + NORM];
        if (norm > 0 && seen >= (state == State.HEALTHY ? LEAST : ANEW)) {
            figures[of + JUMP] = relative / norm;
        }
        if (state == State.HEALTHY && (seen == MOST || (norm == 0 && seen >= LEAST))) {
            figures[of + NORM] = norm == 0 ? relative : norm + NEWEST * (Math.min(relative, 2 * norm) - norm);
        }
    }

    /** The value that this share of the outcomes is above. */
    private float quantile(int from, int seen, float share) {
        float left = share * seen;
        for (int bucket = BUCKETS - 1; bucket >= 0; bucket--) {
            int count = counts[from + bucket];
            if (count > 0 && count >= left) {
                float upper = lower(bucket + 1);
                return upper - (upper - lower(bucket)) * left / count;
            }
            left -= count;
        }
        return 1;
    }

    /** What does not divide is carried to the bucket above, so that none of a thin tail is lost. */
    private void halve(int from) {
        int carry = 0;
        for (int i = from; i < from + BUCKETS; i++) {
            int count = counts[i] + carry;
            counts[i] = (byte) (count >> 1);
            carry = count & 1;
        }
        int last = from + BUCKETS - 1;
        counts[last] = (byte) (counts[last] + carry);
    }

    private static int bucket(float value) {
        return Math.max(0, Math.min(BUCKETS - 1, (Float.floatToRawIntBits(value) >> 22) - ONE));
    }

    private static float lower(int bucket) {
        return Float.intBitsToFloat((ONE + bucket) << 22);
    }

    /** The address enters another state: whether the jump goes on, outcomes from now on must tell. */
    void stateChanged(int slot) {
        clear(place(slot));
    }

    private void clear(int place) {
        Arrays.fill(counts, first(place), first(place + 1), (byte) 0);
        outcomes[place] = 0;
    }

    /** Service ended or began: only the norm says anything still. */
    void forget(int slot) {
        int place = place(slot);
        clear(place);
        Arrays.fill(figures, place * FIGURES + P50, (place + 1) * FIGURES, 0);
    }

    /** Another address has the slot now. */
    void erase(int slot) {
        forget(slot);
        figures[place(slot) * FIGURES + NORM] = 0;
    }

    Latency row(int slot) {
        int of = place(slot) * FIGURES;
        return figures[of + P95] == 0
                ? Latency.NONE
                : new Latency(figures[of + P50], figures[of + P95], figures[of + JUMP]);
    }

    StoreSnapshot.Latencies save(int slot) {
        int first = first(place(slot));
        int of = place(slot) * FIGURES;
        Long[] packed = new Long[2 * BUCKETS / Long.BYTES];
        for (int i = 0; i < packed.length; i++) {
            long word = 0;
            for (int j = 0; j < Long.BYTES; j++) {
                word |= (long) counts[first + i * Long.BYTES + j] << (Byte.SIZE * j);
            }
            packed[i] = word;
        }
        return new StoreSnapshot.Latencies(
                Arrays.asList(packed),
                outcomes[place(slot)],
                figures[of + NORM],
                new Latency(figures[of + P50], figures[of + P95], figures[of + JUMP]));
    }

    /** Takes the place of what an erased slot has. */
    void load(int slot, StoreSnapshot.Latencies saved) {
        int first = first(place(slot));
        int of = place(slot) * FIGURES;
        for (int i = 0; i < 2 * BUCKETS; i++) {
            counts[first + i] = (byte) (saved.counts().get(i / Long.BYTES) >>> (Byte.SIZE * (i % Long.BYTES)));
        }
        outcomes[place(slot)] = (byte) saved.outcomes();
        figures[of + NORM] = saved.norm();
        figures[of + P50] = saved.lately().p50Micros();
        figures[of + P95] = saved.lately().p95Micros();
        figures[of + JUMP] = saved.lately().jump();
    }
}
