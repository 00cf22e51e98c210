package io.paceline.testkit;

import io.paceline.Alarm;
import io.paceline.Ticker;
import java.time.Duration;
import java.util.PriorityQueue;

/** A clock that stands until it is moved, and the alarm that rings as it passes. Single-threaded. */
public final class VirtualTime implements Ticker, Alarm {
    /** 2026-03-01T12:00:00Z: a time that looks like one in messages. */
    public static final long START_MICROS = 1_772_366_400_000_000L;

    private final PriorityQueue<Ring> rings = new PriorityQueue<>();
    private long nowMicros = START_MICROS;
    private long sequence;

    private record Ring(long atMicros, long sequence, Runnable task) implements Comparable<Ring> {
        @Override
        public int compareTo(Ring other) {
            int byTime = Long.compare(atMicros, other.atMicros);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }

    @Override
    public long micros() {
        return nowMicros;
    }

    @Override
    public void at(long atMicros, Runnable task) {
        rings.add(new Ring(atMicros, sequence++, task));
    }

    /** Moves on; everything that falls due on the way rings at its own time, in order. */
    public void advance(Duration by) {
        advanceTo(nowMicros + by.toNanos() / 1_000);
    }

    public void advanceTo(long untilMicros) {
        while (!rings.isEmpty() && rings.peek().atMicros() <= untilMicros) {
            Ring ring = rings.remove();
            nowMicros = Math.max(nowMicros, ring.atMicros());
            ring.task().run();
        }
        nowMicros = Math.max(nowMicros, untilMicros);
    }

    /** Time since the start. */
    public Duration elapsed() {
        return Duration.ofNanos((nowMicros - START_MICROS) * 1_000);
    }
}
