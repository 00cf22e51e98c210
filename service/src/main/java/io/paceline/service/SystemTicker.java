package io.paceline.service;

import io.paceline.Ticker;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The machine's time: the wall clock as it stood at the start, or the shared store's, carried on by the monotonic one, so that a
 * step of the wall clock moves no limit, lease or wait. Thread-safe.
 */
final class SystemTicker implements Ticker {
    /** Of time that it is ahead it loses one part in so many: waits last a ninth longer meanwhile, and none is cut short. */
    private static final int CATCH_UP = 10;

    private volatile long startMicros;
    private final long aheadMicros;
    private final long startNanos = System.nanoTime();

    SystemTicker() {
        this(0);
    }

    /**
     * Time that does not begin before an instant, as a journal tells it. Where the wall clock has gone back behind it, this time
     * goes on from there at nine tenths of its speed until the wall clock has caught up.
     */
    SystemTicker(long notBeforeMicros) {
        this(notBeforeMicros, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
    }

    SystemTicker(long notBeforeMicros, long wallMicros) {
        startMicros = wallMicros;
        aheadMicros = Math.max(0, notBeforeMicros - wallMicros);
    }

    /**
     * Goes by another clock from its beginning: that of a shared store, which decides when permits start and leases end. To be
     * called before anybody has asked for the time; the wall clock of this machine says nothing any more.
     */
    void follow(long otherMicros) {
        startMicros = otherMicros - (System.nanoTime() - startNanos) / 1_000;
    }

    /** How far it began ahead of the wall clock. */
    long aheadMicros() {
        return aheadMicros;
    }

    @Override
    public long micros() {
        return after((System.nanoTime() - startNanos) / 1_000);
    }

    long after(long elapsedMicros) {
        return startMicros + elapsedMicros + Math.max(0, aheadMicros - elapsedMicros / CATCH_UP);
    }
}
