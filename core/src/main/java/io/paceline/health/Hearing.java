package io.paceline.health;

import java.util.List;
import java.util.Set;

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
 * @param guilty ids of targets and tags that are known to be guilty: what fails there is explained
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
        Set<Long> guilty,
        int members,
        boolean certain,
        long nowMicros) {

    public Hearing {
        tags = List.copyOf(tags);
    }

    /** Whether an outcome of the pool was one of a target or a tag that is known to be guilty. */
    boolean explained(TallyRow tally, int age) {
        for (long id : guilty) {
            long mark = TallyRow.markOfTag(id);
            if (tally.targetMark(age) == TallyRow.markOfTarget(id) || tally.ofTag(age, mark)) {
                return true;
            }
        }
        return false;
    }
}
