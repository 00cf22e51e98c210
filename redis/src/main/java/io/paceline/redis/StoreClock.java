package io.paceline.redis;

/**
 * A guess of the server's time, from the last answer that told it: good enough to say which window of a calendar it is, and
 * put right by the server where it is not. Thread-safe.
 */
final class StoreClock {
    private record Seen(long storeMicros, long nanos) {}

    private volatile Seen seen = new Seen(System.currentTimeMillis() * 1_000, System.nanoTime());

    void saw(long storeMicros) {
        seen = new Seen(storeMicros, System.nanoTime());
    }

    long micros() {
        Seen last = seen;
        return last.storeMicros + (System.nanoTime() - last.nanos) / 1_000;
    }
}
