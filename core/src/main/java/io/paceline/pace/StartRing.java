package io.paceline.pace;

import java.util.Arrays;

/**
 * Every start of one key in a ring, oldest first: exact, for limits up to {@link SlidingWindow#MAX_EXACT}.
 *
 * <p>A start may come when it and the starts of one window before it are at most {@code limit}: {@code at = max(now, last,
 * oldest + window)}, with the cost-th oldest in place of the oldest where it costs more than 1. The ring grows only while
 * starts really crowd a window, so most keys stay small.
 */
final class StartRing extends SlidingWindow {
    private static final int FIRST_CAPACITY = 2;

    private long[] times;
    /** Both at most {@link #MAX_EXACT}. */
    private byte head;

    private byte size;

    StartRing(LimitSpec.Window spec) {
        super(spec);
        times = new long[Math.min(FIRST_CAPACITY, spec.limit())];
    }

    @Override
    public long startAt(long now, int cost) {
        checkCost(cost);
        if (cost > spec.limit()) {
            return LimitSpec.NEVER;
        }
        long at = Math.max(now, newest());
        int mustHavePassed = size + cost - spec.limit();
        return mustHavePassed > 0 ? Math.max(at, time(mustHavePassed - 1) + spec.windowMicros()) : at;
    }

    @Override
    public void take(long at, int cost) {
        checkCost(cost);
        for (int i = 0; i < cost; i++) {
            takeOne(at);
        }
    }

    private void takeOne(long at) {
        if (size > 0 && time(0) + spec.windowMicros() <= at) {
            head = (byte) ((head + 1) % times.length);
            size--;
        } else if (size == spec.limit()) {
            throw new IllegalStateException("a start at " + at + " would exceed " + spec);
        }
        if (size == times.length) {
            grow();
        }
        times[(head + size) % times.length] = at;
        size++;
    }

    private void grow() {
        long[] wider = new long[Math.min(2 * times.length, spec.limit())];
        for (int i = 0; i < size; i++) {
            wider[i] = time(i);
        }
        times = wider;
        head = 0;
    }

    @Override
    public boolean giveBack(long at, int cost) {
        checkCost(cost);
        if (cost > size || newest() != at || time(size - cost) != at) {
            return false;
        }
        for (int i = 0; i < cost; i++) {
            giveBackOne(at);
        }
        return true;
    }

    /**
     * Takes the newest out and puts the start that had made room for it back in front. That one is forgotten, but it was
     * at least a window older than {@code at} and not younger than the next oldest: the later of what it can have been
     * never admits too much, and is what it was wherever the ring was full.
     */
    private void giveBackOne(long at) {
        long madeRoom = at - spec.windowMicros();
        long restored = size > 1 ? Math.min(madeRoom, time(0)) : madeRoom;
        head = (byte) ((head + times.length - 1) % times.length);
        times[head] = restored;
    }

    @Override
    public int freeNow(long now) {
        if (size > 0 && newest() > now) {
            return 0;
        }
        int live = size;
        for (int i = 0; i < size && time(i) + spec.windowMicros() <= now; i++) {
            live--;
        }
        return spec.limit() - live;
    }

    @Override
    public int heldAtMost() {
        return size;
    }

    @Override
    public long idleAt() {
        return size == 0 ? Long.MIN_VALUE : newest() + spec.windowMicros();
    }

    @Override
    public void clamp(long now, long maxWaitMicros) {
        for (int i = 0; i < size; i++) {
            int place = (head + i) % times.length;
            times[place] = Math.min(times[place], now + maxWaitMicros);
        }
    }

    /** The starts, oldest first. */
    @Override
    public long[] save() {
        long[] starts = new long[size];
        for (int i = 0; i < size; i++) {
            starts[i] = time(i);
        }
        return starts;
    }

    @Override
    public void load(long[] starts) {
        if (starts.length > spec.limit()) {
            throw new IllegalArgumentException(starts.length + " starts are more than " + spec + " holds");
        }
        times = Arrays.copyOf(starts, Math.max(starts.length, Math.min(FIRST_CAPACITY, spec.limit())));
        head = 0;
        size = (byte) starts.length;
    }

    int capacity() {
        return times.length;
    }

    private long time(int fromOldest) {
        return times[(head + fromOldest) % times.length];
    }

    private long newest() {
        return size == 0 ? LONG_AGO : time(size - 1);
    }
}
