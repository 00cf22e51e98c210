package io.paceline.pool;

import io.paceline.Address;
import io.paceline.Kin;
import io.paceline.health.Standing;
import org.jspecify.annotations.Nullable;

/** One address as this instance sees it. Guarded by its {@link PoolView}. */
final class Member {
    final int slot;
    /** Replaced where a reload changes tags or weight; the identity never changes. */
    private Address address;
    /** The address's own, kept here: the address itself is a line of memory away. */
    private double staticWeight;

    Standing standing;
    /** Of the newest row that was seen: answers may overtake each other. */
    int revision;
    /** Live leases, as far as this instance knows. */
    int live;
    /** What it may have at most now: less than the pool's cap while it starts slowly. */
    int cap = 1;
    /** Static x dynamic weight x what its standing leaves. */
    double weight = 1;

    double successRate = 1;
    long latencyMicros;
    float p50Micros;
    float p95Micros;
    float latencyJump;
    /** The names by which the store knows its provider and its subnet; 0 for none. */
    long tag;

    long otherTag;
    long lastUsedMicros;
    long uses;
    /** Another instance was found to hold its leases: believed until then; 0 where there is no doubt. */
    long doubtUntilMicros;

    /** Its places in the groups that it belongs to: the first of a chain, since most have just one and all are walked. */
    @Nullable
    Seat seats;

    /** Its place in the plan of active probes; null where it is never probed. */
    ProbePlan.@Nullable Entry probe;

    Member(int slot, Address address, Standing standing) {
        this.slot = slot;
        this.address = address;
        this.staticWeight = address.weight();
        this.standing = standing;
    }

    Address address() {
        return address;
    }

    void address(Address now) {
        address = now;
        staticWeight = now.weight();
        tag = Kin.hash(Kin.provider(now));
        otherTag = Kin.hash(Kin.subnet(now));
    }

    double staticWeight() {
        return staticWeight;
    }

    /** Could be leased now, as far as this instance knows. */
    boolean available() {
        return standing.inService() && live < cap;
    }

    /** Takes a place in the group. */
    Seat join(Group group) {
        seats = new Seat(this, group, seats);
        return seats;
    }

    /** Gives up the place in the group, if there is one. */
    @SuppressWarnings("ReferenceEquality") // a group is itself alone
    void leave(Group group) {
        Seat kept = null;
        for (Seat seat = seats; seat != null; seat = seat.next) {
            if (seat.group == group) {
                if (kept == null) {
                    seats = seat.next;
                } else {
                    kept.next = seat.next;
                }
            } else {
                kept = seat;
            }
        }
    }
}
