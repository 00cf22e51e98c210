package io.paceline.pool;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an instance asks its view for.
 *
 * @param strategy how to choose
 * @param tags every one must be equal on the address
 * @param prefer sets of tags to look for first, one after another; each holds the hard ones too
 * @param target the target's hash
 * @param key what {@code hash} strategies choose by
 * @param exclude ids that must not serve
 * @param firstOfSession the candidates are for a session's first binding: hashed, and with bounded load
 * @param count how many permits are wanted
 */
public record Query(
        Strategy strategy,
        Map<String, String> tags,
        List<Map<String, String>> prefer,
        long target,
        long key,
        Set<String> exclude,
        boolean firstOfSession,
        int count) {

    /** A query that prefers nobody. */
    public Query(
            Strategy strategy,
            Map<String, String> tags,
            long target,
            long key,
            Set<String> exclude,
            boolean firstOfSession,
            int count) {
        this(strategy, tags, List.of(), target, key, exclude, firstOfSession, count);
    }

    /** By hash alone a key has one address, and waits for it. */
    boolean strict() {
        return strategy == Strategy.HASH && !firstOfSession;
    }

    /** The strategy that really chooses: a session begins by hash, whatever serves the rest. */
    Strategy effective() {
        return firstOfSession ? Strategy.HASH : strategy;
    }

    /** The key chooses. */
    boolean hashed() {
        return effective() == Strategy.HASH || strategy == Strategy.HASH_LEAST_LEASES;
    }

    boolean excludes(@Nullable Member member) {
        return member != null
                && !exclude.isEmpty()
                && exclude.contains(member.address().id());
    }
}
