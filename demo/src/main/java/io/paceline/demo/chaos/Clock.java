package io.paceline.demo.chaos;

/** The one clock of a run: microseconds since its start, the same for every caller. Thread-safe. */
final class Clock {
    private final long origin = System.nanoTime();

    long micros() {
        return (System.nanoTime() - origin) / 1_000;
    }
}
