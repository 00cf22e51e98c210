package io.paceline.store;

import io.paceline.health.Latency;
import io.paceline.health.Standing;
import io.paceline.health.SubjectRow;
import io.paceline.health.Trail;
import java.util.List;

/**
 * The counters that an address and a cell have in common, as the embedded store keeps them: about 95 bytes.
 *
 * <p>What was decided is the immutable {@link Standing}; what is counted changes in place. Guarded by the store's lock.
 */
abstract sealed class Row extends Tracked permits AddressRow, CellRow {
    /** Of a latency average: the newest success weighs 2 / (window + 1), the age that a window of 50 has on average. */
    private static final float NEWEST = 2f / (SubjectRow.WINDOW + 1);

    private static final long WINDOW_MASK = (1L << SubjectRow.WINDOW) - 1;

    final int slot;
    Standing standing;
    private int live;
    private int revision;
    private long faultBits;
    private long captchaBits;
    /** In {@link #faultBits}: at most {@link SubjectRow#WINDOW}. */
    private byte outcomes;
    /** Successes that must come before the bad stretch is over; 0 where there is none. */
    private byte owed;

    private byte stretch;
    private long sinceMicros;
    private int counted;
    private int countedFaults;
    private int failStreak;
    private int winStreak;
    private int wins;
    private float latencyMicros;
    private long lastFaultMicros = Long.MIN_VALUE / 2;
    long lastUsedMicros;

    Row(int slot, Standing standing, long nowMicros) {
        this.slot = slot;
        this.standing = standing;
        this.lastUsedMicros = nowMicros;
    }

    /** 0 for an address, else the cell's target. */
    abstract long target();

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

    void success(long target, long latency) {
        revision++;
        push(target, false, false);
        failStreak = 0;
        winStreak++;
        wins++;
        if (latency >= 0) {
            latencyMicros = latencyMicros == 0 ? latency : latencyMicros + NEWEST * (latency - latencyMicros);
        }
    }

    /** A burst of parallel failures inside one instant is one signal; false where this one belongs to it. */
    boolean fault(long target, boolean captcha, long nowMicros, long instantMicros) {
        if (nowMicros - lastFaultMicros < instantMicros) {
            return false;
        }
        revision++;
        lastFaultMicros = nowMicros;
        if (owed == 0) {
            sinceMicros = nowMicros;
            counted = 0;
            countedFaults = 0;
        }
        push(target, true, captcha);
        failStreak++;
        winStreak = 0;
        return true;
    }

    private void push(long forTarget, boolean fault, boolean captcha) {
        faultBits = ((faultBits << 1) | (fault ? 1 : 0)) & WINDOW_MASK;
        captchaBits = ((captchaBits << 1) | (captcha ? 1 : 0)) & WINDOW_MASK;
        mark(forTarget);
        outcomes = (byte) Math.min(SubjectRow.WINDOW, outcomes + 1);
        owed = (byte) (fault ? Math.min(Trail.MOST_SUCCESSES, owed + Trail.SUCCESSES_A_FAULT) : Math.max(0, owed - 1));
        stretch = (byte) (owed == 0 ? 0 : Math.min(SubjectRow.WINDOW, stretch + 1));
    }

    /** An outcome on that target was added. */
    abstract void mark(long forTarget);

    /** Without a failure at the end of what is remembered: its outcomes tell what is usual. */
    boolean good() {
        return failStreak == 0 && standing.inService();
    }

    /** A request got through, as far as is remembered. */
    boolean proven() {
        return outcomes > Long.bitCount(faultBits);
    }

    /** An outcome has entered the tallies. */
    void counted(boolean fault) {
        counted++;
        countedFaults += fault ? 1 : 0;
    }

    void forget() {
        faultBits = 0;
        captchaBits = 0;
        outcomes = 0;
        owed = 0;
        stretch = 0;
        sinceMicros = 0;
        counted = 0;
        countedFaults = 0;
        failStreak = 0;
        winStreak = 0;
        latencyMicros = 0;
        lastFaultMicros = Long.MIN_VALUE / 2;
    }

    /** Takes a new standing; counters begin anew where service ended or began, the reward of a good stretch always. */
    void shift(Standing to) {
        if (to.epoch() != standing.epoch()) {
            forget();
        }
        wins = 0;
        revision++;
        standing = to;
    }

    /** Counts a lease that was live before a restart: nothing about the row has changed by it. */
    void resume() {
        live++;
    }

    /** What a restart must know. */
    final StoreSnapshot.Subject save(
            StoreSnapshot.Counted inTallies, StoreSnapshot.Latencies latencies, List<Long> pace) {
        return new StoreSnapshot.Subject(
                slot,
                target(),
                standing,
                revision,
                wholeTrail(),
                owed,
                inTallies,
                failStreak,
                winStreak,
                wins,
                latencyMicros,
                latencies,
                lastFaultMicros,
                lastUsedMicros,
                pace);
    }

    abstract StoreSnapshot.Subject save();

    /** Takes the place of a fresh row's counters. */
    void load(StoreSnapshot.Subject saved) {
        revision = saved.revision();
        remember(saved.trail());
        owed = (byte) saved.owed();
        failStreak = saved.failStreak();
        winStreak = saved.winStreak();
        wins = saved.wins();
        latencyMicros = saved.latencyMicros();
        lastFaultMicros = saved.lastFaultMicros();
    }

    private void remember(Trail trail) {
        faultBits = trail.faults();
        captchaBits = trail.captchas();
        outcomes = (byte) trail.length();
        stretch = (byte) trail.stretch();
        sinceMicros = trail.sinceMicros();
        counted = trail.counted();
        countedFaults = trail.countedFaults();
    }

    SubjectRow snapshot() {
        return new SubjectRow(
                standing,
                outcomes,
                outcomes - Long.bitCount(faultBits),
                failStreak,
                winStreak,
                wins,
                (long) latencyMicros,
                live,
                trail(),
                latency(),
                revision);
    }

    /** Of an address: percentiles of how long its successes took. */
    Latency latency() {
        return Latency.NONE;
    }

    /** Of an address: marks of the targets of its newest outcomes. */
    long marksLow() {
        return 0;
    }

    long marksHigh() {
        return 0;
    }

    private Trail trail() {
        return faultBits == 0 ? Trail.NONE : wholeTrail();
    }

    private Trail wholeTrail() {
        return new Trail(
                faultBits,
                captchaBits,
                outcomes,
                marksLow(),
                marksHigh(),
                stretch,
                sinceMicros,
                counted,
                countedFaults);
    }
}
