package io.paceline.sim;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time: events run in the order of their times, those of one instant in the order in which they were planned.
 *
 * <p>Nothing ever waits; the clock jumps from event to event. A heap in three arrays, with four
 * children a place since that is half as high: no object for an event but what it runs. Confined to one thread.
 */
public final class EventQueue {
    private static final int CHILDREN = 4;

    private long[] times = new long[64];
    private long[] orders = new long[64];
    private @Nullable Runnable[] actions = new @Nullable Runnable[64];
    private int size;
    private long now;
    private long planned;
    private long ran;

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
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            orders = Arrays.copyOf(orders, 2 * size);
            actions = Arrays.copyOf(actions, 2 * size);
        }
        rise(size++, Math.max(now, micros), planned++, action);
    }

    public void in(long micros, Runnable action) {
        at(now + micros, action);
    }

    /** Runs everything that happens before {@code untilMicros}, and leaves the clock there. */
    public void runUntil(long untilMicros) {
        while (size > 0 && times[0] < untilMicros) {
            now = times[0];
            ran++;
            next().run();
        }
        now = Math.max(now, untilMicros);
    }

    private Runnable next() {
        Runnable first = action(0);
        size--;
        long time = times[size];
        long order = orders[size];
        Runnable last = action(size);
        actions[size] = null;
        if (size > 0) {
            sink(time, order, last);
        }
        return first;
    }

    private Runnable action(int place) {
        Runnable action = actions[place];
        if (action == null) {
            throw new IllegalStateException("the heap has a hole at " + place);
        }
        return action;
    }

    /** Puts an event in, at the bottom first, and lets it rise past all that come later. */
    private void rise(int bottom, long time, long order, Runnable action) {
        int place = bottom;
        while (place > 0) {
            int parent = (place - 1) / CHILDREN;
            if (!before(time, order, parent)) {
                break;
            }
            move(parent, place);
            place = parent;
        }
        put(place, time, order, action);
    }

    /** Puts an event in at the top and lets it sink past all that come sooner. */
    private void sink(long time, long order, Runnable action) {
        int place = 0;
        while (CHILDREN * place + 1 < size) {
            int child = soonestChild(place);
            if (before(time, order, child)) {
                break;
            }
            move(child, place);
            place = child;
        }
        put(place, time, order, action);
    }

    private int soonestChild(int place) {
        int first = CHILDREN * place + 1;
        int end = Math.min(size, first + CHILDREN);
        int soonest = first;
        for (int child = first + 1; child < end; child++) {
            if (before(times[child], orders[child], soonest)) {
                soonest = child;
            }
        }
        return soonest;
    }

    private boolean before(long time, long order, int place) {
        return time < times[place] || (time == times[place] && order < orders[place]);
    }

    private void move(int from, int to) {
        times[to] = times[from];
        orders[to] = orders[from];
        actions[to] = actions[from];
    }

    private void put(int place, long time, long order, Runnable action) {
        times[place] = time;
        orders[place] = order;
        actions[place] = action;
    }
}
