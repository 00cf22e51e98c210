package io.paceline.store;

import io.paceline.health.SubjectRow;
import java.util.List;

/**
 * What changed in a chain since a version.
 *
 * @param version ask from here next time
 * @param reset true where too much has happened since: the changes are the whole table, and what is not in it is fresh
 */
public record Changes(long version, boolean reset, List<Change> changes) {

    /**
     * A subject whose standing changed.
     *
     * @param target 0 for the address as a whole, else the cell
     * @param removed true where the slot is empty now
     */
    public record Change(int slot, long target, boolean removed, SubjectRow row) {}
}
