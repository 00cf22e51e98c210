package io.paceline.pace;

/**
 * The starts of one key in the calendar window at hand: for quotas, which begin anew at a time that people know.
 *
 * <p>Never more than the limit starts between two boundaries. A window of the same length that lies across a boundary may
 * hold twice the limit, and three times in the one night in which clocks go forward and a whole short window lies inside.
 *
 * <p>All times are microseconds since 1970. A start in the next window can be reserved; from then on this one counts no more.
 * Inside a window the order of starts does not matter, so one that is reserved for later holds up nobody. Not
 * thread-safe: the store owns it, under its lock.
 */
public final class FixedWindow implements StartCounter {
    private final LimitSpec.Calendar spec;
    private long begin = Long.MIN_VALUE;
    private long end = Long.MIN_VALUE;
    private int count;

    public FixedWindow(LimitSpec.Calendar spec) {
        this.spec = spec;
    }

    @Override
    public LimitSpec.Calendar spec() {
        return spec;
    }

    @Override
    public int limit() {
        return spec.limit();
    }

    @Override
    public long startAt(long now, int cost) {
        if (cost < 1) {
            throw new IllegalArgumentException("cost " + cost + " is not at least 1");
        }
        if (cost > spec.limit()) {
            return LimitSpec.NEVER;
        }
        long at = Math.max(now, begin);
        return at >= end || count + cost <= spec.limit() ? at : end;
    }

    @Override
    public void take(long at, int cost) {
        if (at >= end) {
            begin = CalendarWindow.begin(at, spec);
            end = CalendarWindow.end(at, spec);
            count = 0;
        }
        if (at < begin || count + cost > spec.limit()) {
            throw new IllegalStateException("a start at " + at + " would exceed " + spec);
        }
        count += cost;
    }

    /** Gives a start back; false, and nothing done, where its window is over. Nobody's place depends on another's here. */
    @Override
    public boolean giveBack(long at, int cost) {
        if (at < begin || at >= end || count < cost) {
            return false;
        }
        count -= cost;
        return true;
    }

    @Override
    public int freeNow(long now) {
        if (begin > now) {
            return 0;
        }
        return now >= end ? spec.limit() : spec.limit() - count;
    }

    /** All of it, since without the time nobody can tell whether the window has begun. */
    @Override
    public int heldAtMost() {
        return spec.limit();
    }

    @Override
    public long idleAt() {
        return end;
    }

    @Override
    public long[] save() {
        return new long[] {begin, end, count};
    }

    @Override
    public void load(long[] numbers) {
        begin = numbers[0];
        end = numbers[1];
        count = (int) numbers[2];
    }
}
