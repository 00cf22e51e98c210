package io.paceline.pace;

import com.dynatrace.hash4j.hashing.Hashing;
import java.util.Objects;

/**
 * One bucket that a permit is charged to: the part of a rule that the store must know.
 *
 * @param rule the rule's name, for refusals and metrics
 * @param key the bucket's name, unique over rules and scopes
 * @param hash 64 bits of the key: what the embedded store counts by
 * @param spec how the bucket counts
 * @param maxWaitMicros the longest wait that the rule allows; 0 where it rejects
 * @param dryRun true where the bucket only counts and never refuses
 */
public record Charge(String rule, String key, long hash, LimitSpec spec, long maxWaitMicros, boolean dryRun) {

    public Charge {
        Objects.requireNonNull(rule, "rule");
        Objects.requireNonNull(spec, "spec");
        if (maxWaitMicros < 0) {
            throw new IllegalArgumentException("maxWaitMicros " + maxWaitMicros + " is negative");
        }
    }

    public static Charge of(String rule, String key, LimitSpec spec, long maxWaitMicros, boolean dryRun) {
        return new Charge(rule, key, Hashing.komihash5_0().hashCharsToLong(key), spec, maxWaitMicros, dryRun);
    }

    /** The same bucket under another name for refusals. */
    public Charge called(String name) {
        return new Charge(name, key, hash, spec, maxWaitMicros, dryRun);
    }
}
