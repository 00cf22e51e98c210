package io.paceline.service;

import io.paceline.Alarm;
import io.paceline.Ticker;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An alarm with one thread of its own, on which tasks run one after another. Thread-safe. */
final class TimerAlarm implements Alarm, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TimerAlarm.class);

    private final Ticker ticker;
    private final ScheduledThreadPoolExecutor executor;

    TimerAlarm(Ticker ticker) {
        this.ticker = ticker;
        this.executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "paceline-alarm");
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public void at(long atMicros, Runnable task) {
        long delay = Math.max(0, atMicros - ticker.micros());
        try {
            ScheduledFuture<?> unused = executor.schedule(() -> run(task), delay, TimeUnit.MICROSECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.debug("an alarm for later than the end", closed);
        }
    }

    /** A task that fails must be seen: the executor would keep it to itself. */
    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("a timed task failed", e);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
