package io.paceline.store;

import java.util.List;

/**
 * One address as a store knows it.
 *
 * @param identity keyed hash of the address
 * @param tag hash of a tag that is watched as a group, its provider; 0 for none
 * @param otherTag hash of a second one, its subnet; 0 for none
 */
public record Enrollee(long identity, long tag, long otherTag) {

    /** Addresses that belong to no group. */
    public static List<Enrollee> plain(List<Long> identities) {
        return identities.stream().map(identity -> new Enrollee(identity, 0, 0)).toList();
    }
}
