package io.paceline.service.proxy;

import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One time-out that is moved far more often than it fires: moving it costs a field, and a timer task looks after it only
 * when the earliest time that was ever set has come. For one event loop's use.
 */
final class Deadline {
    private final EventLoop loop;
    private final Runnable expired;
    private io.netty.util.concurrent.@Nullable Future<?> task;
    private long taskAtNanos;
    private boolean set;
    private long atNanos;

    Deadline(EventLoop loop, Runnable expired) {
        this.loop = loop;
        this.expired = expired;
    }

    /** Expires that long from now, whatever was set before. */
    void in(long nanos) {
        set = true;
        atNanos = System.nanoTime() + nanos;
        if (task == null) {
            schedule(nanos);
        } else if (taskAtNanos - atNanos > 0) {
            task.cancel(false);
            schedule(nanos);
        }
    }

    void clear() {
        set = false;
    }

    boolean isSet() {
        return set;
    }

    /** Never fires again, and lets go of its timer at once. */
    void cancel() {
        set = false;
        if (task != null) {
            task.cancel(false);
            task = null;
        }
    }

    private void schedule(long nanos) {
        taskAtNanos = System.nanoTime() + nanos;
        task = loop.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
    }

    private void look() {
        task = null;
        if (!set) {
            return;
        }
        long left = atNanos - System.nanoTime();
        if (left > 0) {
            schedule(left);
            return;
        }
        set = false;
        expired.run();
    }
}
