package io.paceline.pool;

import com.dynatrace.hash4j.consistent.ConsistentBucketHasher;
import com.dynatrace.hash4j.consistent.ConsistentHashing;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * From a key to a slot, consistently: a pure function of the key, the size of the slot table and the set of eligible slots.
 *
 * <p>JumpBackHash (Ertl, 2024) gives a slot of the table; where it is not eligible the key is hashed again, and so on. A slot
 * that leaves moves its own keys alone, and they all come back when it returns. Where so few are eligible that the probes find
 * too few, rendezvous hashing (Thaler and Ravishankar, 1996) over the eligible ones decides, which has the same properties at
 * O(n). Not thread-safe: the hasher keeps a generator.
 */
final class Affinity {
    /** With half of the slots eligible, one key in 2^64 needs more. */
    private static final int PROBES = 64;

    private final ConsistentBucketHasher hasher = ConsistentHashing.jumpBackHashSplitMix64();
    private int tableSize = 1;

    /** The size of the chain's slot table, tombstones included; growing by one moves about 1/n of the keys. */
    void tableSize(int size) {
        tableSize = Math.max(1, size);
    }

    /**
     * Walks the key's slots in its own order until {@code visit} has had enough.
     *
     * @param visit told each slot, in order, perhaps more than once; returns true to go on
     */
    void walk(long key, IntPredicate visit) {
        for (int i = 0; i < PROBES; i++) {
            if (!visit.test(hasher.getBucket(mix(key + i * 0x9E3779B97F4A7C15L), tableSize))) {
                return;
            }
        }
    }

    /** The one of the members that the key likes best, or -1: rendezvous hashing. */
    static int favourite(long key, List<Member> members) {
        int best = -1;
        long bestScore = 0;
        for (int i = 0; i < members.size(); i++) {
            long score = mix(key ^ mix(members.get(i).slot + 0x632BE59BD9B4E019L));
            if (best < 0 || Long.compareUnsigned(score, bestScore) > 0) {
                best = i;
                bestScore = score;
            }
        }
        return best;
    }

    /** The finalizer of SplitMix64. */
    static long mix(long x) {
        long z = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
