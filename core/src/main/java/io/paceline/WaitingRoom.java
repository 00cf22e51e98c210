package io.paceline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait for a lease to end: a line for each thing waited for, in the order of {@link FairLine}.
 *
 * <p>Whoever ends a lease calls {@link #wake}; a line is looked at now and then besides, for leases that end on other
 * instances. Nobody overtakes a line: while it has somebody, newcomers for the same thing join it. Thread-safe; attempts run outside the lock.
 */
final class WaitingRoom {
    /** How often the head of a line asks again without being woken. */
    private static final long POLL_MICROS = 250_000;

    private final int most;
    private final Alarm alarm;
    private final Ticker ticker;
    /** In the order in which they formed, so that no answer depends on a hash. */
    private final Map<Line, FairLine<Attempt>> lines = new LinkedHashMap<>();
    /** Lines that the alarm comes back to: one that empties and fills again and again must not be polled ever more often. */
    private final Set<Line> polled = new HashSet<>();

    private volatile int waiting;

    /**
     * What is waited for.
     *
     * <p>For an address each target has a line of its own: where the addresses are out or taken on one target, those who
     * wait for another must not stand behind.
     *
     * @param chain the pool, for an address, which any lease of the chain may free; 0 for a concurrency limit
     * @param key the filter of the request, or the limit
     * @param target where the request goes; for a limit the target whose leases free it
     */
    record Line(int chain, long key, long target) {}

    WaitingRoom(int most, Alarm alarm, Ticker ticker) {
        this.most = most;
        this.alarm = alarm;
        this.ticker = ticker;
    }

    int waiting() {
        return waiting;
    }

    /** True where somebody waits for the same thing already. */
    boolean hasLine(Line line) {
        if (waiting == 0) {
            return false;
        }
        synchronized (this) {
            return lines.containsKey(line);
        }
    }

    /** Puts the attempt in its place in the line; false where the room is full. */
    boolean join(Attempt attempt, Line line) {
        boolean unpolled;
        synchronized (this) {
            if (waiting >= most) {
                return false;
            }
            lines.computeIfAbsent(line, key -> new FairLine<>()).add(attempt.place(), attempt);
            waiting++;
            unpolled = polled.add(line);
        }
        if (unpolled) {
            poll(line);
        }
        return true;
    }

    void leave(Attempt attempt, Line line) {
        synchronized (this) {
            FairLine<Attempt> queue = lines.get(line);
            if (queue != null && queue.remove(attempt.place(), attempt)) {
                waiting--;
                if (queue.size() == 0) {
                    lines.remove(line);
                }
            }
        }
    }

    private void poll(Line line) {
        alarm.at(ticker.micros() + POLL_MICROS, () -> {
            if (stillPolled(line)) {
                wake(line);
                poll(line);
            }
        });
    }

    private synchronized boolean stillPolled(Line line) {
        boolean wanted = lines.containsKey(line);
        if (!wanted) {
            polled.remove(line);
        }
        return wanted;
    }

    /** A lease of this chain and target has ended: those who wait for such may try. */
    void wake(int chain, long target) {
        if (waiting == 0) {
            return;
        }
        List<Line> concerned = new ArrayList<>();
        synchronized (this) {
            for (Line line : lines.keySet()) {
                if (line.chain() == 0 ? line.target() == target : line.chain() == chain) {
                    concerned.add(line);
                }
            }
            concerned.sort(Comparator.comparingLong(this::waitingSince));
        }
        concerned.forEach(this::wake);
    }

    /** Other limits hold, or other addresses serve: everybody may try. */
    void wakeAll() {
        List<Line> all;
        synchronized (this) {
            all = new ArrayList<>(lines.keySet());
        }
        all.forEach(this::wake);
    }

    /** Among lines, too, whoever has waited longest comes first. */
    private long waitingSince(Line line) {
        Attempt head = head(line);
        return head == null ? Long.MAX_VALUE : head.startedAtMicros();
    }

    /** Lets the head of the line try, then the next, until one does not get what it waits for at once. */
    void wake(Line line) {
        Set<Attempt> tried = new LinkedHashSet<>();
        while (true) {
            Attempt head = head(line);
            if (head == null || !tried.add(head) || !head.tryFromLine()) {
                return;
            }
        }
    }

    private synchronized @Nullable Attempt head(Line line) {
        FairLine<Attempt> queue = lines.get(line);
        return queue == null ? null : queue.head();
    }
}
