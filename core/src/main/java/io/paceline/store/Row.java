package io.paceline.store;

import io.paceline.health.Standing;
import io.paceline.health.SubjectRow;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one address, or of one cell, as the embedded store keeps them: about 90 bytes.
 *
 * <p>What was decided is the immutable {@link Standing}; what is counted changes in place. Guarded by the store's lock.
 */
final class Row {
    /** Of a latency average: the newest success weighs 2 / (window + 1), the age that a window of 50 has on average. */
    private static final float NEWEST = 2f / (SubjectRow.WINDOW + 1);

    private static final long WINDOW_MASK = (1L << SubjectRow.WINDOW) - 1;

    final int slot;
    /** 0 for an address, else the cell's target. */
    final long target;

    Standing standing;
    private int live;
    private int revision;
    /** Its address is in no list any more; the row is kept for the leases that still run and for its return. */
    boolean removed;

    private long successBits;
    private int outcomes;
    private int failStreak;
    private int winStreak;
    private int wins;
    private float latencyMicros;
    private long lastFaultMicros = Long.MIN_VALUE / 2;
    long lastUsedMicros;

    Row(int slot, long target, Standing standing, long nowMicros) {
        this.slot = slot;
        this.target = target;
        this.standing = standing;
        this.lastUsedMicros = nowMicros;
    }

    int live() {
        return live;
    }

    int revision() {
        return revision;
    }

    void occupy(long nowMicros) {
        live++;
        revision++;
        lastUsedMicros = nowMicros;
    }

    void vacate() {
        live--;
        revision++;
    }

    void success(long latency) {
        revision++;
        push(true);
        failStreak = 0;
        winStreak++;
        wins++;
        if (latency >= 0) {
            latencyMicros = latencyMicros == 0 ? latency : latencyMicros + NEWEST * (latency - latencyMicros);
        }
    }

    /** A burst of parallel failures inside one instant is one signal. */
    void fault(long nowMicros, long instantMicros) {
        if (nowMicros - lastFaultMicros < instantMicros) {
            return;
        }
        revision++;
        lastFaultMicros = nowMicros;
        push(false);
        failStreak++;
        winStreak = 0;
    }

    private void push(boolean success) {
        successBits = ((successBits << 1) | (success ? 1 : 0)) & WINDOW_MASK;
        outcomes = Math.min(SubjectRow.WINDOW, outcomes + 1);
    }

    /** Takes a new standing; counters begin anew where service ended or began, the reward of a good stretch always. */
    void shift(Standing to) {
        if (to.epoch() != standing.epoch()) {
            successBits = 0;
            outcomes = 0;
            failStreak = 0;
            winStreak = 0;
            latencyMicros = 0;
            lastFaultMicros = Long.MIN_VALUE / 2;
        }
        wins = 0;
        revision++;
        standing = to;
    }

    /** The pause of this cell alone, where hints are for addresses; null where there never was one. */
    @Nullable
    PaceLimit pace;

    /** True where forgetting the row loses nothing that a decision would miss. */
    boolean forgettable(long nowMicros, long idleMicros) {
        return live == 0
                && (pace == null || pace.idle(nowMicros))
                && standing.inService()
                && standing.relapses() == 0
                && nowMicros - lastUsedMicros > idleMicros;
    }

    SubjectRow snapshot() {
        return new SubjectRow(
                standing,
                outcomes,
                Long.bitCount(successBits),
                failStreak,
                winStreak,
                wins,
                (long) latencyMicros,
                live,
                revision);
    }
}
