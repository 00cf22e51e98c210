package io.paceline.service;

import io.paceline.Ticker;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The machine's time: the wall clock as it stood at the start, carried on by the monotonic one, so that a step of the wall
 * clock moves no limit, lease or wait. Thread-safe.
 */
final class SystemTicker implements Ticker {

    private final long startMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    private final long startNanos = System.nanoTime();

    @Override
    public long micros() {
        return startMicros + (System.nanoTime() - startNanos) / 1_000;
    }
}
