package io.paceline.sim.pace;

/** A pace of one crawler that always has something to ask: when the next request goes, and what an answer teaches. */
interface Pacer {
    /** The time from one request to the next. */
    long intervalMicros(long nowMicros);

    void answered(boolean served, long latencyMicros, long nowMicros);
}
