package io.paceline;

/**
 * Calls back at a time: the only way in which the core waits. A server gives it a timer thread, the simulator its event
 * queue. Thread-safe.
 */
@FunctionalInterface
public interface Alarm {

    /**
     * Runs the task once, at or soon after the time given, on a thread of the alarm's choosing and never inside this call.
     *
     * @param atMicros time on the {@link Ticker}'s scale; a time that has passed means as soon as possible
     */
    void at(long atMicros, Runnable task);
}
