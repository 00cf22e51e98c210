package io.paceline.store;

import io.paceline.health.Latency;
import io.paceline.health.Standing;
import io.paceline.health.Trail;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The row of an address: whose it is, what its last outcomes were about, how long its successes took. About 130 bytes, and
 * 85 in its page of {@link Latencies} once a success has told how long it took. Guarded by the store's lock.
 */
final class AddressRow extends Row {
    /** Its address is in no list any more; the row is kept for the leases that still run and for its return. */
    boolean removed;

    private long identity;
    /** Shared by all that have both in common. */
    private Groups groups = Groups.NONE;
    /** Of the targets of its last outcomes. */
    private long marksLow;

    private long marksHigh;
    /** Where its latencies stand, under its slot; null until it was told how long one took. */
    private @Nullable Latencies latencies;

    /** The groups that addresses belong to, a provider and a subnet; 0 for none. */
    record Groups(long tag, long otherTag) {
        static final Groups NONE = new Groups(0, 0);
    }

    AddressRow(int slot, Standing standing, long nowMicros) {
        super(slot, standing, nowMicros);
    }

    @Override
    long target() {
        return 0;
    }

    long tag() {
        return groups.tag;
    }

    long otherTag() {
        return groups.otherTag;
    }

    /** Whose row it is. */
    long identity() {
        return identity;
    }

    Enrollee owner() {
        return new Enrollee(identity, groups.tag, groups.otherTag);
    }

    void ownedBy(long owner, Groups of) {
        identity = owner;
        groups = of;
    }

    @Override
    void mark(long forTarget) {
        marksHigh = marksHigh << 8 | marksLow >>> 56;
        marksLow = marksLow << 8 | Trail.mark(forTarget);
    }

    /** A success took so long, and so many times what its target takes through all. */
    void took(long micros, float relative, LatencyPages pages) {
        if (latencies == null) {
            latencies = pages.open(slot);
        }
        latencies.add(slot, micros, relative, standing.state());
    }

    @Override
    void forget() {
        super.forget();
        marksLow = 0;
        marksHigh = 0;
        if (latencies != null) {
            latencies.forget(slot);
        }
    }

    @Override
    void shift(Standing to) {
        boolean sameState = to.state() == standing.state();
        super.shift(to);
        if (!sameState && latencies != null) {
            latencies.stateChanged(slot);
        }
    }

    @Override
    Latency latency() {
        return latencies == null ? Latency.NONE : latencies.row(slot);
    }

    @Override
    long marksLow() {
        return marksLow;
    }

    @Override
    long marksHigh() {
        return marksHigh;
    }

    @Override
    StoreSnapshot.Subject save() {
        return save(
                StoreSnapshot.Counted.NONE,
                latencies == null ? StoreSnapshot.Latencies.NONE : latencies.save(slot),
                List.of());
    }

    static AddressRow of(StoreSnapshot.Subject saved, LatencyPages pages) {
        AddressRow row = new AddressRow(saved.slot(), saved.standing(), saved.lastUsedMicros());
        row.load(saved);
        row.marksLow = saved.trail().marksLow();
        row.marksHigh = saved.trail().marksHigh();
        if (!saved.latencies().counts().isEmpty()) {
            row.latencies = pages.open(row.slot);
            row.latencies.load(row.slot, saved.latencies());
        }
        return row;
    }
}
