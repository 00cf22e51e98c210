package io.paceline.pace;

/**
 * The starts of one key counted by sub-windows, for limits above {@link SlidingWindow#MAX_EXACT}: 64 counts, whatever the
 * limit.
 *
 * <p>A sub-window is a 63rd of the window, so any window touches at most 64 of them; the sum of 64 neighbours never
 * exceeds the limit, hence no window does. The price: a start is held against the key for up to 64/63 of the window, so
 * at most 1/64 of the limit stays unused. Sub-window k begins at k * window / 63, exactly, without rounding its length.
 */
final class StartCounts extends SlidingWindow {
    private static final int SUB_WINDOWS = 64;
    private static final int PER_WINDOW = SUB_WINDOWS - 1;

    private final int[] counts = new int[SUB_WINDOWS];

    /** The sub-window of the newest start, and the place of its count; those before it lie before it, in a ring. */
    private long newest = LONG_AGO;

    private int newestPlace;
    private int total;
    private long last = LONG_AGO;

    StartCounts(LimitSpec.Window spec) {
        super(spec);
    }

    @Override
    public long startAt(long now, int cost) {
        checkCost(cost);
        if (cost > spec.limit()) {
            return LimitSpec.NEVER;
        }
        long at = Math.max(now, last);
        long subWindow = subWindow(at);
        int held = heldIn(subWindow);
        if (held + cost <= spec.limit()) {
            return at;
        }
        // Each further sub-window lets go of the oldest count.
        while (held + cost > spec.limit()) {
            subWindow++;
            held -= count(subWindow - SUB_WINDOWS);
        }
        return begin(subWindow);
    }

    /** What the 64 sub-windows up to this one hold. */
    private int heldIn(long subWindow) {
        long gone = subWindow - newest;
        if (gone >= SUB_WINDOWS) {
            return 0;
        }
        int held = total;
        for (long k = newest - PER_WINDOW; k < newest - PER_WINDOW + gone; k++) {
            held -= count(k);
        }
        return held;
    }

    @Override
    public void take(long at, int cost) {
        checkCost(cost);
        long subWindow = subWindow(at);
        if (at < last || heldIn(subWindow) + cost > spec.limit()) {
            throw new IllegalStateException("a start at " + at + " would exceed " + spec);
        }
        moveTo(subWindow);
        counts[newestPlace] += cost;
        total += cost;
        last = at;
    }

    private void moveTo(long subWindow) {
        long steps = Math.min(subWindow - newest, SUB_WINDOWS);
        for (long i = 0; i < steps; i++) {
            newestPlace = (newestPlace + 1) % SUB_WINDOWS;
            total -= counts[newestPlace];
            counts[newestPlace] = 0;
        }
        newest = subWindow;
    }

    /** The time of the newest start stays: what is given back can be had again from its own time on, not before. */
    @Override
    public boolean giveBack(long at, int cost) {
        checkCost(cost);
        if (last != at || counts[newestPlace] < cost) {
            return false;
        }
        counts[newestPlace] -= cost;
        total -= cost;
        return true;
    }

    @Override
    public int freeNow(long now) {
        return last > now ? 0 : spec.limit() - heldIn(subWindow(now));
    }

    @Override
    public int heldAtMost() {
        return total;
    }

    @Override
    public long idleAt() {
        return last == LONG_AGO ? Long.MIN_VALUE : begin(newest + SUB_WINDOWS);
    }

    @Override
    public void clamp(long now, long maxWaitMicros) {
        if (last > now + maxWaitMicros) {
            last = now + maxWaitMicros;
            newest = subWindow(last);
        }
    }

    /** The sub-window and the time of the newest start, then the counts, oldest first. */
    @Override
    public long[] save() {
        long[] numbers = new long[2 + SUB_WINDOWS];
        numbers[0] = newest;
        numbers[1] = last;
        for (int i = 0; i < SUB_WINDOWS; i++) {
            numbers[2 + i] = counts[(newestPlace + 1 + i) % SUB_WINDOWS];
        }
        return numbers;
    }

    @Override
    public void load(long[] numbers) {
        if (numbers.length != 2 + SUB_WINDOWS) {
            throw new IllegalArgumentException(numbers.length + " numbers are not " + (2 + SUB_WINDOWS));
        }
        newest = numbers[0];
        last = numbers[1];
        newestPlace = SUB_WINDOWS - 1;
        total = 0;
        for (int i = 0; i < SUB_WINDOWS; i++) {
            counts[i] = (int) numbers[2 + i];
            total += counts[i];
        }
    }

    private int count(long subWindow) {
        long back = newest - subWindow;
        return back < 0 || back >= SUB_WINDOWS ? 0 : counts[(int) ((newestPlace - back + SUB_WINDOWS) % SUB_WINDOWS)];
    }

    private long subWindow(long at) {
        return Math.floorDiv(at * PER_WINDOW, spec.windowMicros());
    }

    /** The first microsecond of a sub-window. */
    private long begin(long subWindow) {
        return -Math.floorDiv(-subWindow * spec.windowMicros(), PER_WINDOW);
    }
}
