package io.paceline.store;

import io.paceline.health.SubjectRow;

/** What became of a {@link Shift}. */
public sealed interface Shifted {

    /** Done; the row as it is now. */
    record Applied(SubjectRow row, long version) implements Shifted {}

    /** The budget does not allow it. */
    record Capped() implements Shifted {}

    /** Somebody else changed the standing before; the row as it is. */
    record Stale(SubjectRow row) implements Shifted {}

    /** The slot is empty: its address was removed. */
    record Gone() implements Shifted {}
}
