package io.paceline.store;

import io.paceline.health.Latency;
import io.paceline.health.State;
import java.util.Arrays;

/**
 * How long the successes of one address took, in two histograms that forget: in microseconds, and against what the target
 * takes through all addresses. About 120 bytes. Guarded by the store's lock.
 *
 * <p>Each has 32 buckets, two for a doubling (1, 1.5, 2, 3, 4, ...), a byte each. With 64 outcomes all counts are halved, so
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

    private final byte[] counts = new byte[2 * BUCKETS];
    private int outcomes;
    private float norm;
    private float p50Micros;
    private float p95Micros;
    private float jump;

    /** @param relative the latency against what its target takes usually */
    void add(long micros, float relative, State state) {
        counts[bucket(micros * MICROS_UNIT)]++;
        counts[BUCKETS + bucket(relative * RELATIVE_UNIT)]++;
        outcomes++;
        if (outcomes % EACH == 0) {
            measure(state);
        }
        if (state != State.HEALTHY && outcomes >= ANEW) {
            clear();
        } else if (outcomes == MOST) {
            halve(0);
            halve(BUCKETS);
            outcomes = MOST / 2;
        }
    }

    private void measure(State state) {
        p50Micros = quantile(0, 0.5f) / MICROS_UNIT;
        p95Micros = quantile(0, 0.05f) / MICROS_UNIT;
        float relative = quantile(BUCKETS, 0.05f);
        if (norm > 0 && outcomes >= (state == State.HEALTHY ? LEAST : ANEW)) {
            jump = relative / norm;
        }
        if (state == State.HEALTHY && (outcomes == MOST || (norm == 0 && outcomes >= LEAST))) {
            norm = norm == 0 ? relative : norm + NEWEST * (Math.min(relative, 2 * norm) - norm);
        }
    }

    /** The value that this share of the outcomes is above. */
    private float quantile(int from, float share) {
        float left = share * outcomes;
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
    void stateChanged() {
        clear();
    }

    private void clear() {
        Arrays.fill(counts, (byte) 0);
        outcomes = 0;
    }

    /** Service ended or began: only the norm says anything still. */
    void forget() {
        clear();
        p50Micros = 0;
        p95Micros = 0;
        jump = 0;
    }

    Latency row() {
        return p95Micros == 0 ? Latency.NONE : new Latency(p50Micros, p95Micros, jump);
    }

    StoreSnapshot.Latencies save() {
        Long[] packed = new Long[counts.length / Long.BYTES];
        for (int i = 0; i < packed.length; i++) {
            long word = 0;
            for (int j = 0; j < Long.BYTES; j++) {
                word |= (long) counts[i * Long.BYTES + j] << (Byte.SIZE * j);
            }
            packed[i] = word;
        }
        return new StoreSnapshot.Latencies(
                Arrays.asList(packed), outcomes, norm, new Latency(p50Micros, p95Micros, jump));
    }

    static Latencies of(StoreSnapshot.Latencies saved) {
        Latencies latencies = new Latencies();
        for (int i = 0; i < latencies.counts.length; i++) {
            latencies.counts[i] = (byte) (saved.counts().get(i / Long.BYTES) >>> (Byte.SIZE * (i % Long.BYTES)));
        }
        latencies.outcomes = saved.outcomes();
        latencies.norm = saved.norm();
        latencies.p50Micros = saved.lately().p50Micros();
        latencies.p95Micros = saved.lately().p95Micros();
        latencies.jump = saved.lately().jump();
        return latencies;
    }
}
