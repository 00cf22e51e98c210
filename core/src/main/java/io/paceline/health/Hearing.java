package io.paceline.health;

import java.util.List;

/**
 * Everything that {@link Blame} may look at after one outcome.
 *
 * @param address the row of the address
 * @param cell the row of the address on this target
 * @param slot of the address
 * @param targetHash of the target
 * @param target what the target has seen
 * @param pool what the pool has seen
 * @param tags what the provider and the subnet of the address have seen, as far as known
 * @param members addresses in the pool
 * @param certain whether the outcome speaks about the address alone: no connection, an error of the upstream proxy
 * @param nowMicros store time
 */
public record Hearing(
        SubjectRow address,
        SubjectRow cell,
        int slot,
        long targetHash,
        TallyRow target,
        TallyRow pool,
        List<TallyRow> tags,
        int members,
        boolean certain,
        long nowMicros) {

    public Hearing {
        tags = List.copyOf(tags);
    }
}
