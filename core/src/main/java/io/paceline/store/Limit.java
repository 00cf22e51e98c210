package io.paceline.store;

import io.paceline.pace.Charge;
import io.paceline.pace.FixedWindow;
import io.paceline.pace.Gcra;
import io.paceline.pace.HintClock;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.SlidingWindow;
import io.paceline.pace.StartCounter;

/**
 * The state of one bucket in the embedded store. The numbers of the rule come with each charge, so that a reloaded rule
 * holds from the next decision while its counters stay. Guarded by the store's lock.
 */
abstract class Limit extends Tracked {
    /** "Nobody knows when": what a concurrency limit answers that is full. */
    static final long UNKNOWN = Long.MAX_VALUE;

    /** "Near the limit": four fifths of it in use. Away again, so that it may be told anew, below two thirds. */
    private static final double NEAR_AT = 0.8;

    private static final double AWAY_AT = 0.67;

    /** When to come back, for whom was refused last: each further one is told one interval later. */
    private long hintMicros = HintClock.FRESH;

    private boolean near;

    /**
     * The earliest start that a permit may have, at or after now; {@link #UNKNOWN} where nobody can tell, and where it costs
     * more than the limit ever has at once.
     */
    abstract long startAt(long nowMicros, LimitSpec spec, int cost);

    /** Charges a start; what it returns names the charge to {@link #giveBack}. */
    abstract long take(long atMicros, LimitSpec spec, int cost);

    /** Undoes a take where nobody has taken behind it. */
    abstract void giveBack(long mark, LimitSpec spec, int cost);

    final long startAt(long nowMicros, Charge charge) {
        return startAt(nowMicros, charge.spec(), charge.cost());
    }

    /** True where the state equals a fresh one, so that it may be forgotten. */
    abstract boolean idle(long nowMicros);

    /** A time to come back: {@code at} for the first who is refused, then one interval later for each further one. */
    final long hint(long atMicros, LimitSpec spec) {
        hintMicros = nextHint(atMicros, spec);
        return hintMicros;
    }

    /** What {@link #hint} would tell. */
    long nextHint(long atMicros, LimitSpec spec) {
        return HintClock.next(hintMicros, atMicros, spec);
    }

    /** Whether the start just taken has brought the bucket near its limit: true once, until it has been away from it. */
    final boolean comesNear(long nowMicros, LimitSpec spec) {
        boolean before = near;
        near = isNear(nowMicros, spec, before ? AWAY_AT : NEAR_AT);
        return near && !before;
    }

    /** Whether at least so large a share of the limit is in use. */
    abstract boolean isNear(long nowMicros, LimitSpec spec, double share);

    final long hintMicros() {
        return hintMicros;
    }

    final boolean near() {
        return near;
    }

    /** The state as numbers, for {@link #load}. */
    abstract long[] save();

    /** The spec that the numbers of {@link #save} count by. */
    abstract LimitSpec spec();

    final void load(long hint, boolean nearBefore, long[] numbers) {
        hintMicros = hint;
        near = nearBefore;
        load(numbers);
    }

    /** Takes the place of a fresh state. */
    abstract void load(long[] numbers);

    static Limit fresh(LimitSpec spec) {
        if (spec instanceof LimitSpec.Gcra) {
            return new Rate();
        }
        if (spec instanceof LimitSpec.Window window) {
            return new Windowed(SlidingWindow.of(window));
        }
        if (spec instanceof LimitSpec.Calendar calendar) {
            return new Windowed(new FixedWindow(calendar));
        }
        return spec instanceof LimitSpec.Pace ? new PaceLimit() : new Concurrent();
    }

    /**
     * The state that goes on under a changed rule: what the old window holds is charged to the new one as if it had just
     * started, so that a reload never gives a second burst.
     */
    static Limit succeeding(Limit old, LimitSpec spec, long nowMicros) {
        Limit next = fresh(spec);
        int used = old.used(nowMicros);
        if (used > 0) {
            next.carry(nowMicros, used, spec);
        }
        return next;
    }

    /** Starts that are still held against the key; 0 for what is live instead. */
    abstract int used(long nowMicros);

    /** Charges what another rule's state has counted, as if it had all started now. */
    abstract void carry(long nowMicros, int used, LimitSpec spec);

    /** True where this state can count by the spec: a rule may have changed its algorithm. */
    abstract boolean counts(LimitSpec spec);

    /** One theoretical arrival time. */
    static final class Rate extends Limit {
        /** Of the newest interval in the share of time that the clock is busy: about ten intervals back. */
        private static final float NEWEST = 0.15f;

        private long tat;
        private long intervalMicros = 1;
        /** How busy the clock has been: 1 where each start followed on the one before without a pause. */
        private float busy;

        @Override
        long startAt(long nowMicros, LimitSpec spec, int cost) {
            return Gcra.startAt(tat, nowMicros, (LimitSpec.Gcra) spec, cost);
        }

        @Override
        long take(long atMicros, LimitSpec spec, int cost) {
            LimitSpec.Gcra gcra = (LimitSpec.Gcra) spec;
            float pause = Math.max(0, atMicros - tat);
            float needed = (float) cost * gcra.intervalMicros();
            busy += NEWEST * (needed / (needed + pause) - busy);
            tat = Gcra.advance(tat, atMicros, gcra, cost);
            intervalMicros = gcra.intervalMicros();
            return tat;
        }

        @Override
        boolean isNear(long nowMicros, LimitSpec spec, double share) {
            return busy >= share;
        }

        @Override
        void giveBack(long mark, LimitSpec spec, int cost) {
            tat = Gcra.giveBack(tat, mark, (LimitSpec.Gcra) spec, cost);
        }

        @Override
        int used(long nowMicros) {
            long ahead = Math.max(0, tat - nowMicros);
            return (int) Math.min(Integer.MAX_VALUE, (ahead + intervalMicros - 1) / intervalMicros);
        }

        @Override
        void carry(long nowMicros, int used, LimitSpec spec) {
            tat = Gcra.advance(tat, nowMicros, (LimitSpec.Gcra) spec, used);
            intervalMicros = ((LimitSpec.Gcra) spec).intervalMicros();
        }

        @Override
        LimitSpec spec() {
            return new LimitSpec.Gcra(intervalMicros, 1); // each charge brings its own burst
        }

        @Override
        long[] save() {
            return new long[] {tat, intervalMicros, Float.floatToIntBits(busy)};
        }

        @Override
        void load(long[] numbers) {
            tat = numbers[0];
            intervalMicros = numbers[1];
            busy = Float.intBitsToFloat((int) numbers[2]);
        }

        @Override
        boolean idle(long nowMicros) {
            return tat <= nowMicros;
        }

        @Override
        boolean counts(LimitSpec spec) {
            return spec instanceof LimitSpec.Gcra;
        }
    }

    /** The starts inside one window, one that slides or one of the calendar. */
    static final class Windowed extends Limit {
        private final StartCounter window;

        Windowed(StartCounter window) {
            this.window = window;
        }

        @Override
        long startAt(long nowMicros, LimitSpec ignored, int cost) {
            return window.startAt(nowMicros, cost);
        }

        @Override
        long take(long atMicros, LimitSpec ignored, int cost) {
            window.take(atMicros, cost);
            return atMicros;
        }

        @Override
        boolean isNear(long nowMicros, LimitSpec ignored, double share) {
            return window.heldAtMost() >= share * window.limit() && used(nowMicros) >= share * window.limit();
        }

        @Override
        void giveBack(long mark, LimitSpec ignored, int cost) {
            window.giveBack(mark, cost);
        }

        @Override
        int used(long nowMicros) {
            return window.limit() - window.freeNow(nowMicros);
        }

        @Override
        void carry(long nowMicros, int used, LimitSpec ignored) {
            window.take(nowMicros, Math.min(used, window.limit()));
        }

        @Override
        LimitSpec spec() {
            return window.spec();
        }

        @Override
        long[] save() {
            return window.save();
        }

        @Override
        void load(long[] numbers) {
            window.load(numbers);
        }

        @Override
        boolean idle(long nowMicros) {
            return window.idleAt() <= nowMicros;
        }

        @Override
        boolean counts(LimitSpec other) {
            return window.spec().equals(other);
        }
    }

    /** Leases that are live. */
    static final class Concurrent extends Limit {
        int live;

        @Override
        long startAt(long nowMicros, LimitSpec spec, int cost) {
            return live < ((LimitSpec.Concurrency) spec).max() ? nowMicros : UNKNOWN;
        }

        @Override
        long take(long atMicros, LimitSpec spec, int cost) {
            live++;
            return 0;
        }

        @Override
        boolean isNear(long nowMicros, LimitSpec spec, double share) {
            return live >= share * ((LimitSpec.Concurrency) spec).max();
        }

        @Override
        void giveBack(long mark, LimitSpec spec, int cost) {
            // A reload may have put a fresh count in place of the one that the lease was taken from.
            live = Math.max(0, live - 1);
        }

        @Override
        int used(long nowMicros) {
            return 0;
        }

        @Override
        void carry(long nowMicros, int used, LimitSpec spec) {
            // What has started says nothing about what is live.
        }

        @Override
        LimitSpec spec() {
            return new LimitSpec.Concurrency(Math.max(1, live));
        }

        @Override
        long[] save() {
            return new long[0];
        }

        @Override
        void load(long[] numbers) {
            // The leases say what is live.
        }

        @Override
        boolean idle(long nowMicros) {
            return live == 0;
        }

        @Override
        boolean counts(LimitSpec spec) {
            return spec instanceof LimitSpec.Concurrency;
        }
    }
}
