package io.paceline.scale;

import java.time.Duration;
import java.time.Instant;

/** Conversions between microseconds since 1970, the core's time, and the words of java.time. */
final class Micros {

    static final long SECOND = 1_000_000;
    static final long MINUTE = 60 * SECOND;
    static final long HOUR = 60 * MINUTE;

    private Micros() {}

    static Instant instant(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, SECOND), Math.floorMod(micros, SECOND) * 1000L);
    }

    static long of(Instant instant) {
        return instant.getEpochSecond() * SECOND + instant.getNano() / 1000;
    }

    static long of(Duration duration) {
        return duration.toNanos() / 1000;
    }

    static long of(double seconds) {
        return (long) (seconds * SECOND);
    }

    static double seconds(long micros) {
        return micros / (double) SECOND;
    }
}
