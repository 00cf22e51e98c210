package io.paceline.store;

import io.paceline.pace.AdaptivePace;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.PaceRow;
import io.paceline.pace.TargetPace;

/**
 * A target's own pace in the embedded store: its {@link PaceRow}, and the clock that keeps starts apart where the target
 * is slowed or adaptive. Guarded by the store's lock.
 */
final class PaceLimit extends Limit {
    /** What was learned of a target that nobody asks for is forgotten after so long. */
    private static final long KEPT_MICROS = 86_400_000_000L;

    /** And of which nothing was learned; longer than starts of an adaptive pace can lie apart. */
    private static final long KEPT_FRESH_MICROS = 3_600_000_000L;

    private static final long NEVER = Long.MIN_VALUE / 4;

    private PaceRow row = PaceRow.FRESH;
    private int wins;
    private long growthMicros;
    private long lastStartMicros = NEVER;
    /** The start before the last, for a permit that is given back. */
    private long startBeforeMicros = NEVER;
    /** Somebody had to be sent away, or to wait, since the last start: the pace is what holds requests back. */
    private boolean pressed;

    private long shiftedMicros = NEVER;

    PaceRow row() {
        return row.counting(wins, growthMicros);
    }

    /** Replaces the row where it still has the epoch; counters go on within one event. */
    boolean shift(int expectedEpoch, PaceRow to, long nowMicros) {
        if (row.epoch() != expectedEpoch) {
            return false;
        }
        if (to.sinceMicros() != row.sinceMicros()) {
            wins = to.wins();
            growthMicros = to.growthMicros();
        }
        row = to;
        shiftedMicros = nowMicros;
        return true;
    }

    /** A request granted at that time had success. */
    void won(long grantedAtMicros) {
        if (row.step() > 0 && grantedAtMicros > row.sinceMicros()) {
            wins++;
        }
    }

    boolean blocked(long nowMicros) {
        return row.blockedUntilMicros() > nowMicros;
    }

    /** Whether starts are kept apart at all, so that one in the future can be reserved. */
    boolean spaced(LimitSpec spec) {
        return intervalMicros(spec) > 0;
    }

    private long intervalMicros(LimitSpec spec) {
        LimitSpec.Pace pace = (LimitSpec.Pace) spec;
        return Math.max(row.slowIntervalMicros(), pace.adaptive() ? AdaptivePace.intervalMicros(row(), pace) : 0);
    }

    String reason(long nowMicros, LimitSpec spec) {
        if (blocked(nowMicros)) {
            return TargetPace.SERVER_HINT;
        }
        return row.slowIntervalMicros() > 0 && row.slowIntervalMicros() >= intervalMicros(spec)
                ? TargetPace.SLOWED
                : TargetPace.ADAPTIVE;
    }

    @Override
    long startAt(long nowMicros, LimitSpec spec, int cost) {
        long interval = intervalMicros(spec);
        long spacedAt = interval == 0 ? nowMicros : lastStartMicros + interval;
        if (spacedAt > nowMicros) {
            pressed = true;
        }
        return Math.max(nowMicros, Math.max(row.blockedUntilMicros(), spacedAt));
    }

    @Override
    long take(long atMicros, LimitSpec spec, int cost) {
        long interval = intervalMicros(spec);
        if (pressed && lastStartMicros != NEVER) {
            // A pause teaches nothing of what the target bears.
            long since = Math.max(lastStartMicros, row.blockedUntilMicros());
            growthMicros += Math.max(0, Math.min(atMicros - since, 2 * interval));
        }
        pressed = false;
        startBeforeMicros = lastStartMicros;
        lastStartMicros = Math.max(lastStartMicros, atMicros);
        return atMicros;
    }

    @Override
    void giveBack(long mark, LimitSpec spec, int cost) {
        if (mark == lastStartMicros) {
            lastStartMicros = startBeforeMicros;
        }
    }

    /** Told by the pace itself, where it keeps starts apart. */
    @Override
    long nextHint(long atMicros, LimitSpec spec) {
        long interval = intervalMicros(spec);
        return super.nextHint(atMicros, interval > 0 ? new LimitSpec.Gcra(interval, 1) : spec);
    }

    /** What is near a pace that the target itself sets is no news: it is held to it all the time. */
    @Override
    boolean isNear(long nowMicros, LimitSpec spec, double share) {
        return false;
    }

    @Override
    boolean idle(long nowMicros) {
        boolean nothingLearned = row.epoch() == 0 && growthMicros == 0;
        long kept = nothingLearned ? KEPT_FRESH_MICROS : KEPT_MICROS;
        return row.blockedUntilMicros() < nowMicros && Math.max(lastStartMicros, shiftedMicros) + kept < nowMicros;
    }

    @Override
    int used(long nowMicros) {
        return 0;
    }

    @Override
    void carry(long nowMicros, int used, LimitSpec spec) {
        // No rule's count says anything about a target's own pace.
    }

    /** Each charge brings its own bounds. */
    @Override
    LimitSpec spec() {
        return LimitSpec.Pace.NOT_ADAPTIVE;
    }

    @Override
    long[] save() {
        return new long[] {
            row.epoch(),
            row.sinceMicros(),
            row.blockedUntilMicros(),
            row.step(),
            wins,
            row.slowIntervalMicros(),
            Double.doubleToLongBits(row.peak()),
            growthMicros,
            lastStartMicros,
            startBeforeMicros,
            pressed ? 1 : 0,
            shiftedMicros
        };
    }

    @Override
    void load(long[] numbers) {
        wins = (int) numbers[4];
        growthMicros = numbers[7];
        row = new PaceRow(
                (int) numbers[0],
                numbers[1],
                numbers[2],
                (int) numbers[3],
                wins,
                numbers[5],
                Double.longBitsToDouble(numbers[6]),
                growthMicros);
        lastStartMicros = numbers[8];
        startBeforeMicros = numbers[9];
        pressed = numbers[10] != 0;
        shiftedMicros = numbers[11];
    }

    @Override
    boolean counts(LimitSpec spec) {
        return spec instanceof LimitSpec.Pace;
    }
}
