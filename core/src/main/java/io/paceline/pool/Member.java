package io.paceline.pool;

import io.paceline.Address;
import io.paceline.Kin;
import io.paceline.health.Standing;
import io.paceline.health.SubjectRow;
import org.jspecify.annotations.Nullable;

/** One address as this instance sees it. Guarded by its {@link PoolView}. */
final class Member {
    final int slot;
    /** Replaced where a reload changes tags or weight; the identity never changes. */
    private Address address;

    Standing standing;
    /** Of the newest row that was seen: answers may overtake each other. */
    int revision;
    /** Live leases, as far as this instance knows. */
    int live;
    /** What it may have at most now: less than the pool's cap while it starts slowly. */
    int cap = 1;
    /** Static x dynamic weight x what its standing leaves. */
    double weight = 1;

    /** How many outcomes the window of its row holds, and how many of them were successes. */
    private byte outcomes;

    private byte successes;
    /** Among those that this instance asks for first. */
    boolean home = true;
    /** Average of its successes; 0 where unknown. */
    float latencyMicros;

    float p50Micros;
    float p95Micros;
    float latencyJump;
    long lastUsedMicros;
    int uses;
    /** How many of its cells are not leased like any other: {@link Cells} counts them. */
    int cells;

    /** Its places in the groups that it belongs to: the first of a chain, since most have just one and all are walked. */
    @Nullable
    Seat seats;

    /** Its place in the plan of active probes; null where it is never probed. */
    ProbePlan.@Nullable Entry probe;

    Member(int slot, Address address, Standing standing) {
        this.slot = slot;
        this.address = address;
        this.standing = standing;
    }

    Address address() {
        return address;
    }

    void address(Address now) {
        address = now;
    }

    /** Whether its provider or its subnet is known to the store by that name. Dear, since it is nearly never asked. */
    boolean bears(long tag) {
        return Kin.hash(Kin.provider(address)) == tag || Kin.hash(Kin.subnet(address)) == tag;
    }

    double staticWeight() {
        return address.weight();
    }

    void learn(SubjectRow row) {
        revision = row.revision();
        live = row.live();
        outcomes = (byte) row.outcomes();
        successes = (byte) row.successes();
        latencyMicros = row.latencyMicros();
        p50Micros = row.latency().p50Micros();
        p95Micros = row.latency().p95Micros();
        latencyJump = row.latency().jump();
    }

    /** As {@link SubjectRow#successRate} of the row that was seen last. */
    double successRate() {
        return SubjectRow.successRate(successes, outcomes);
    }

    /** Could be leased now, as far as this instance knows. */
    boolean available() {
        return standing.inService() && live < cap;
    }

    /** Takes a place in a group, before those in others. */
    void join(Seat seat) {
        seats = seat;
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
