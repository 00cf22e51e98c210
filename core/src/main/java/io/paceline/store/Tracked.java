package io.paceline.store;

/** Something of an embedded store whose changes are told once an increment. Guarded by the store's lock. */
abstract class Tracked {
    /** Where it stands in its {@link ChangeTrack}; one byte, since there may be a million of them. */
    byte mark;
}
