package io.paceline.store;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Live leases by the time at which they end: a timing wheel of linked lists, O(1) to add, remove and expire.
 *
 * <p>A lease longer than one turn of the wheel is met once a turn and stays. After Varghese and Lauck, "Hashed and
 * hierarchical timing wheels" (1987), scheme 6. Not thread-safe.
 */
final class LeaseWheel {
    private static final int BUCKETS = 512;
    /** 2^17 microseconds = 131 ms a bucket, 67 s a turn: one turn holds the default lease. */
    private static final int SHIFT = 17;

    private final @Nullable LeaseEntry[] heads = new @Nullable LeaseEntry[BUCKETS];
    private long tick;
    /** The earliest end among the leases in the hand's bucket: before it, a step within the bucket has nothing to do. */
    private long dueMicros = Long.MAX_VALUE;

    private int size;

    LeaseWheel(long nowMicros) {
        this.tick = nowMicros >> SHIFT;
    }

    int size() {
        return size;
    }

    void add(LeaseEntry entry) {
        // Never behind the hand: what has passed already is met at the next step.
        int bucket = (int) (Math.max(tick, entry.expiresAtMicros >> SHIFT) & (BUCKETS - 1));
        LeaseEntry head = heads[bucket];
        entry.bucket = bucket;
        entry.previous = null;
        entry.next = head;
        if (head != null) {
            head.previous = entry;
        }
        heads[bucket] = entry;
        size++;
        if (bucket == (int) (tick & (BUCKETS - 1))) {
            dueMicros = Math.min(dueMicros, entry.expiresAtMicros);
        }
    }

    void remove(LeaseEntry entry) {
        if (entry.previous == null) {
            heads[entry.bucket] = entry.next;
        } else {
            entry.previous.next = entry.next;
        }
        if (entry.next != null) {
            entry.next.previous = entry.previous;
        }
        entry.previous = null;
        entry.next = null;
        size--;
    }

    /** Removes every lease that has ended and hands it over. */
    void advance(long nowMicros, Consumer<LeaseEntry> expired) {
        long last = nowMicros >> SHIFT;
        if (last == tick && nowMicros < dueMicros) {
            return;
        }
        long from = Math.max(tick, last - BUCKETS + 1);
        for (long t = from; t <= last; t++) {
            LeaseEntry entry = heads[(int) (t & (BUCKETS - 1))];
            while (entry != null) {
                LeaseEntry following = entry.next;
                if (entry.expiresAtMicros <= nowMicros) {
                    remove(entry);
                    expired.accept(entry);
                }
                entry = following;
            }
        }
        tick = last;
        dueMicros = earliestIn(last);
    }

    private long earliestIn(long t) {
        long earliest = Long.MAX_VALUE;
        for (LeaseEntry entry = heads[(int) (t & (BUCKETS - 1))]; entry != null; entry = entry.next) {
            earliest = Math.min(earliest, entry.expiresAtMicros);
        }
        return earliest;
    }

    /** When to advance next: at the end of the next lease, or earlier where all that is left ends a turn later. */
    long nextMicros() {
        if (size == 0) {
            return Long.MAX_VALUE;
        }
        for (long t = tick; t < tick + BUCKETS; t++) {
            long earliest = earliestIn(t);
            if (earliest >> SHIFT <= t) {
                return earliest;
            }
        }
        return (tick + BUCKETS) << SHIFT;
    }
}
