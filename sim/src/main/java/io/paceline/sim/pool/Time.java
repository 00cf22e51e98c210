package io.paceline.sim.pool;

/** Seconds at the edges, microseconds inside. */
final class Time {

    static final double SECOND = 1e6;
    static final long MINUTE = 60_000_000;
    static final long HOUR = 60 * MINUTE;

    /** 2026-03-01T12:00:00Z: a time that looks like one in messages. */
    static final long START = 1_772_366_400_000_000L;

    private Time() {}

    static long micros(double seconds) {
        return Math.round(seconds * SECOND);
    }

    static double seconds(long micros) {
        return micros / SECOND;
    }
}
