package io.paceline.store;

import io.paceline.health.SubjectRow;
import java.util.List;

/**
 * The slot table after an enrolment.
 *
 * @param slots for each member, in the order given, its slot
 * @param rows for each member its row
 * @param tableSize slots in the table, tombstones included
 * @param version of the change feed
 */
public record Enrolled(List<Integer> slots, List<SubjectRow> rows, int tableSize, long version) {}
