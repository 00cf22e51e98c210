package io.paceline.store;

import io.paceline.health.Standing;
import io.paceline.health.SubjectRow;
import io.paceline.health.TallyRow;
import io.paceline.health.Trail;
import java.util.List;
import java.util.stream.LongStream;
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

    /** Of an address: the groups that it belongs to; 0 for none. */
    long tag;

    long otherTag;
    Standing standing;
    private int live;
    private int revision;
    /** Its address is in no list any more; the row is kept for the leases that still run and for its return. */
    boolean removed;

    private long faultBits;
    private long captchaBits;
    private int outcomes;
    private long marksLow;
    private long marksHigh;
    /** Successes that must come before the bad stretch is over; 0 where there is none. */
    private int owed;

    private int stretch;
    private long sinceMicros;
    private int counted;
    private int countedFaults;
    /** Of a cell: the step in which it was counted last by the tallies, how often, and of which service of its address. */
    private long step;

    private int countedInStep;
    private int addressEpoch;
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
        if (target == 0) {
            marksHigh = marksHigh << 8 | marksLow >>> 56;
            marksLow = marksLow << 8 | Trail.mark(forTarget);
        }
        outcomes = Math.min(SubjectRow.WINDOW, outcomes + 1);
        owed = fault ? Math.min(Trail.MOST_SUCCESSES, owed + Trail.SUCCESSES_A_FAULT) : Math.max(0, owed - 1);
        stretch = owed == 0 ? 0 : Math.min(SubjectRow.WINDOW, stretch + 1);
    }

    /** Without a failure at the end of what is remembered: its outcomes tell what is usual. */
    boolean good() {
        return failStreak == 0 && standing.inService();
    }

    /** A request got through, as far as is remembered. */
    boolean proven() {
        return outcomes > Long.bitCount(faultBits);
    }

    /** Of a cell: whether the tallies count one more of its outcomes in this step. */
    boolean mayBeCounted(long nowMicros) {
        long now = Tally.stepOf(nowMicros);
        if (now != step) {
            step = now;
            countedInStep = 0;
        }
        return countedInStep++ < TallyRow.MOST_PER_STEP;
    }

    /** An outcome has entered the tallies. */
    void counted(boolean fault) {
        counted++;
        countedFaults += fault ? 1 : 0;
    }

    /** Of a cell: what it knows from before its address went out of service, or came back, says nothing any more. */
    void ofAddressEpoch(int epoch) {
        if (epoch != addressEpoch) {
            addressEpoch = epoch;
            forget();
        }
    }

    private void forget() {
        faultBits = 0;
        captchaBits = 0;
        outcomes = 0;
        marksLow = 0;
        marksHigh = 0;
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

    /** Counts a lease that was live before a restart: nothing about the row has changed by it. */
    void resume() {
        live++;
    }

    StoreSnapshot.Subject save() {
        return new StoreSnapshot.Subject(
                slot,
                target,
                standing,
                revision,
                wholeTrail(),
                owed,
                new StoreSnapshot.Counted(step, countedInStep, addressEpoch),
                failStreak,
                winStreak,
                wins,
                latencyMicros,
                lastFaultMicros,
                lastUsedMicros,
                pace == null ? List.of() : LongStream.of(pace.save()).boxed().toList());
    }

    static Row of(StoreSnapshot.Subject saved) {
        Row row = new Row(saved.slot(), saved.target(), saved.standing(), saved.lastUsedMicros());
        row.revision = saved.revision();
        row.remember(saved.trail());
        row.owed = saved.owed();
        row.step = saved.inTallies().step();
        row.countedInStep = saved.inTallies().outcomes();
        row.addressEpoch = saved.inTallies().addressEpoch();
        row.failStreak = saved.failStreak();
        row.winStreak = saved.winStreak();
        row.wins = saved.wins();
        row.latencyMicros = saved.latencyMicros();
        row.lastFaultMicros = saved.lastFaultMicros();
        if (!saved.pace().isEmpty()) {
            row.pace = new PaceLimit();
            row.pace.load(saved.pace().stream().mapToLong(Long::longValue).toArray());
        }
        return row;
    }

    private void remember(Trail trail) {
        faultBits = trail.faults();
        captchaBits = trail.captchas();
        outcomes = trail.length();
        marksLow = trail.marksLow();
        marksHigh = trail.marksHigh();
        stretch = trail.stretch();
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
                revision);
    }

    private Trail trail() {
        return faultBits == 0 ? Trail.NONE : wholeTrail();
    }

    private Trail wholeTrail() {
        return new Trail(
                faultBits, captchaBits, outcomes, marksLow, marksHigh, stretch, sinceMicros, counted, countedFaults);
    }
}
