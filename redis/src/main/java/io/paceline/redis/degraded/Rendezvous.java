package io.paceline.redis.degraded;

import java.util.List;

/**
 * Highest random weight hashing: every instance that knows the same others names the same owner of a key, and an instance
 * that goes or comes moves its own keys only (Thaler and Ravishankar, 1998).
 *
 * <p>Even where two instances know different others, no key is owned by both of them as long as they know each other: it
 * cannot be that each scores higher than the other.
 */
final class Rendezvous {
    private Rendezvous() {}

    /** @param ids not empty, each once */
    static long owner(List<Long> ids, long key) {
        long best = ids.get(0);
        for (int i = 1; i < ids.size(); i++) {
            if (before(ids.get(i), best, key)) {
                best = ids.get(i);
            }
        }
        return best;
    }

    /** How many others come before this one for the key: 0 for its owner. */
    static int rank(List<Long> ids, long id, long key) {
        int rank = 0;
        for (long other : ids) {
            if (other != id && before(other, id, key)) {
                rank++;
            }
        }
        return rank;
    }

    private static boolean before(long one, long other, long key) {
        int byScore = Long.compareUnsigned(score(one, key), score(other, key));
        return byScore > 0 || (byScore == 0 && one < other);
    }

    private static long score(long id, long key) {
        return mixed(id ^ mixed(key));
    }

    /** The finalizer of SplitMix64. */
    static long mixed(long x) {
        long z = x + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
