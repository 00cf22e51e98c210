package io.paceline.store;

import io.paceline.health.Latency;
import io.paceline.health.Standing;
import io.paceline.health.SubjectRow;
import io.paceline.health.TallyRow;
import io.paceline.health.Trail;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one address, or of one cell, as the embedded store keeps them: about 130 bytes, and for an
 * address about as many again in its {@link Profile}.
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
    /** Null for a cell. */
    private final @Nullable Profile profile;

    private int live;
    private int revision;
    /** Its address is in no list any more; the row is kept for the leases that still run and for its return. */
    boolean removed;

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
    /** Of a cell: the step in which it was counted last by the tallies, how often, and of which service of its address. */
    private long step;

    private byte countedInStep;
    private int addressEpoch;
    private int failStreak;
    private int winStreak;
    private int wins;
    private float latencyMicros;
    private long lastFaultMicros = Long.MIN_VALUE / 2;
    long lastUsedMicros;

    /** What only addresses have. */
    private static final class Profile {
        private long identity;
        /** The groups that it belongs to; 0 for none. */
        private long tag;

        private long otherTag;
        /** Of the targets of its last outcomes. */
        private long marksLow;

        private long marksHigh;
        /** Null until it was told how long one took. */
        private @Nullable Latencies latencies;
    }

    Row(int slot, long target, Standing standing, long nowMicros) {
        this.slot = slot;
        this.target = target;
        this.standing = standing;
        this.profile = target == 0 ? new Profile() : null;
        this.lastUsedMicros = nowMicros;
    }

    long tag() {
        return profile == null ? 0 : profile.tag;
    }

    long otherTag() {
        return profile == null ? 0 : profile.otherTag;
    }

    /** Of an address: whose row it is. */
    long identity() {
        return profile == null ? 0 : profile.identity;
    }

    Enrollee owner() {
        return new Enrollee(identity(), tag(), otherTag());
    }

    void ownedBy(Enrollee owner) {
        if (profile != null) {
            profile.identity = owner.identity();
            profile.tag = owner.tag();
            profile.otherTag = owner.otherTag();
        }
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
        if (profile != null) {
            profile.marksHigh = profile.marksHigh << 8 | profile.marksLow >>> 56;
            profile.marksLow = profile.marksLow << 8 | Trail.mark(forTarget);
        }
        outcomes = (byte) Math.min(SubjectRow.WINDOW, outcomes + 1);
        owed = (byte) (fault ? Math.min(Trail.MOST_SUCCESSES, owed + Trail.SUCCESSES_A_FAULT) : Math.max(0, owed - 1));
        stretch = (byte) (owed == 0 ? 0 : Math.min(SubjectRow.WINDOW, stretch + 1));
    }

    /** Of an address: a success took so long, and so many times what its target takes through all. */
    void took(long micros, float relative) {
        if (profile != null) {
            if (profile.latencies == null) {
                profile.latencies = new Latencies();
            }
            profile.latencies.add(micros, relative, standing.state());
        }
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
        if (countedInStep >= TallyRow.MOST_PER_STEP) {
            return false;
        }
        countedInStep++;
        return true;
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
        owed = 0;
        stretch = 0;
        sinceMicros = 0;
        counted = 0;
        countedFaults = 0;
        failStreak = 0;
        winStreak = 0;
        latencyMicros = 0;
        lastFaultMicros = Long.MIN_VALUE / 2;
        if (profile != null) {
            profile.marksLow = 0;
            profile.marksHigh = 0;
            if (profile.latencies != null) {
                profile.latencies.forget();
            }
        }
    }

    /** Takes a new standing; counters begin anew where service ended or began, the reward of a good stretch always. */
    void shift(Standing to) {
        if (to.epoch() != standing.epoch()) {
            forget();
        }
        if (to.state() != standing.state() && profile != null && profile.latencies != null) {
            profile.latencies.stateChanged();
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
                profile == null || profile.latencies == null ? StoreSnapshot.Latencies.NONE : profile.latencies.save(),
                lastFaultMicros,
                lastUsedMicros,
                pace == null ? List.of() : LongStream.of(pace.save()).boxed().toList());
    }

    static Row of(StoreSnapshot.Subject saved) {
        Row row = new Row(saved.slot(), saved.target(), saved.standing(), saved.lastUsedMicros());
        row.revision = saved.revision();
        row.remember(saved.trail());
        row.owed = (byte) saved.owed();
        row.step = saved.inTallies().step();
        row.countedInStep = (byte) saved.inTallies().outcomes();
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
        if (row.profile != null && !saved.latencies().counts().isEmpty()) {
            row.profile.latencies = Latencies.of(saved.latencies());
        }
        return row;
    }

    private void remember(Trail trail) {
        faultBits = trail.faults();
        captchaBits = trail.captchas();
        outcomes = (byte) trail.length();
        if (profile != null) {
            profile.marksLow = trail.marksLow();
            profile.marksHigh = trail.marksHigh();
        }
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
                profile == null || profile.latencies == null ? Latency.NONE : profile.latencies.row(),
                revision);
    }

    private Trail trail() {
        return faultBits == 0 ? Trail.NONE : wholeTrail();
    }

    private Trail wholeTrail() {
        return new Trail(
                faultBits,
                captchaBits,
                outcomes,
                profile == null ? 0 : profile.marksLow,
                profile == null ? 0 : profile.marksHigh,
                stretch,
                sinceMicros,
                counted,
                countedFaults);
    }
}
