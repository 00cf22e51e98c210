package io.paceline.sim.scaler;

/** Seconds, the unit in which scenarios are told, and microseconds, that in which they run. */
final class Time {

    static final long SECOND = 1_000_000;
    static final long MINUTE = 60 * SECOND;
    static final long HOUR = 60 * MINUTE;

    private Time() {}

    static long micros(double seconds) {
        return StrictMath.round(seconds * SECOND);
    }

    static double seconds(long micros) {
        return micros / (double) SECOND;
    }
}
