package io.paceline.redis.degraded;

/**
 * A sign of life that an instance leaves in the shared store.
 *
 * @param instance drawn at random at its start
 * @param sequence grows by one with each beat
 * @param validUntilMicros store time after which the beat is not to count: a call that was held up on its way must not make
 *     an instance look alive that has begun to serve alone
 * @param birth of the store as the instance knows it: of another one it has learned nothing
 * @param knows the generation of the roster that the instance has learned; others that joined up to it are known to it
 * @param longestLeaseMicros the longest life that it gives a lease
 * @param standing what it does at the moment
 */
public record Beat(
        long instance,
        long sequence,
        long validUntilMicros,
        long birth,
        long knows,
        long longestLeaseMicros,
        Standing standing) {

    /** What an instance does at the moment. */
    public enum Standing {
        /** It serves from the shared store. */
        PRESENT,
        /** It serves from its own slice, or may begin to: others leave that alone. */
        ALONE,
        /** The same, and its live leases are in the shared store, which had lost them. */
        ALONE_AND_ASSERTED,
        /** It goes for good: nobody keeps its slice free. */
        LEAVING,
        /** It decides by itself, by {@link Division#HASH}. */
        BY_HASH,
        /** It decides by itself, by {@link Division#MODULO}. */
        BY_MODULO,
        /** It decides by itself, by {@link Division#DOMAIN}. */
        BY_DOMAIN;

        boolean alone() {
            return this == ALONE || this == ALONE_AND_ASSERTED;
        }
    }
}
