package io.paceline.sim.pool;

/**
 * Something that people do to the pool while it works.
 *
 * @param atMicros when
 * @param kind what
 * @param address which address; -1 for a restart
 */
record Change(long atMicros, Kind kind, int address) {

    /** What people do. */
    enum Kind {
        ADD,
        REMOVE,
        /** The process that decides begins anew: its store goes on from what was written down. */
        RESTART
    }
}
