package io.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Alarm;
import io.paceline.Ticker;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** This machine's time, for tests over a real Redis: a clock that never goes back, and a thread that keeps to it. */
public final class RealTime implements Ticker, Alarm, AutoCloseable {
    private final long origin = System.nanoTime();
    private final long epoch = System.currentTimeMillis() * 1_000;
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);

    @Override
    public long micros() {
        return epoch + (System.nanoTime() - origin) / 1_000;
    }

    @Override
    public void at(long atMicros, Runnable task) {
        ScheduledFuture<?> unused = timer.schedule(task, Math.max(0, atMicros - micros()), TimeUnit.MICROSECONDS);
    }

    /** Waits until it is so, for two minutes at most. */
    public static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("it takes too long").isLessThan(deadline);
            LockSupport.parkNanos(5_000_000);
        }
    }

    /** Runs nothing any more, and waits for what runs. */
    @Override
    public void close() throws InterruptedException {
        timer.shutdownNow();
        assertThat(timer.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }
}
