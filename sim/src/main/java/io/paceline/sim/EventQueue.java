package io.paceline.sim;

import java.util.PriorityQueue;

/**
 * Virtual time: events run in the order of their times, those of one instant in the order in which they were planned.
 *
 * <p>Nothing ever waits; the clock jumps from event to event. Confined to one thread.
 */
public final class EventQueue {

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long now;
    private long planned;
    private long ran;

    private record Event(long atMicros, long order, Runnable action) implements Comparable<Event> {

        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atMicros, other.atMicros);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    public EventQueue(long startMicros) {
        this.now = startMicros;
    }

    public long nowMicros() {
        return now;
    }

    /** How many events have run. */
    public long ran() {
        return ran;
    }

    /** Plans an event; a time that has passed means now. */
    public void at(long micros, Runnable action) {
        events.add(new Event(Math.max(now, micros), planned++, action));
    }

    public void in(long micros, Runnable action) {
        at(now + micros, action);
    }

    /** Runs everything that happens before {@code untilMicros}, and leaves the clock there. */
    public void runUntil(long untilMicros) {
        Event next = events.peek();
        while (next != null && next.atMicros < untilMicros) {
            events.poll();
            now = next.atMicros;
            ran++;
            next.action.run();
            next = events.peek();
        }
        now = Math.max(now, untilMicros);
    }
}
