package io.paceline.service.metrics;

import java.time.Duration;
import java.util.stream.LongStream;

/** The bounds of the histograms: few, and where a reader draws lines. */
final class Buckets {

    /** A decision takes microseconds; a call that is held takes up to its wait. */
    static final Duration[] ACQUIRE = {
        Duration.ofNanos(50_000),
        Duration.ofNanos(250_000),
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(2),
        Duration.ofSeconds(10),
        Duration.ofSeconds(60)
    };

    static final Duration[] WAIT = millis(100, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000);

    static final Duration[] REQUEST = millis(50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000);

    private Buckets() {}

    private static Duration[] millis(long... millis) {
        return LongStream.of(millis).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    }
}
