package io.paceline.pool;

import org.jspecify.annotations.Nullable;

/** A member's place in one group, with what the group's order needs to find and move it. */
final class Seat {
    final Member member;
    final Group group;
    /** Whether the group's order holds it now: it leaves while it cannot be leased. */
    boolean present;
    /** With {@link WeightClasses}: which class, and where in it. */
    int classIndex;

    int index;
    /** With ordered groups: the values it was sorted by, which must not change while it is in the order. */
    int sortedLive;

    long sortedLastUsedMicros;
    /** With round-robin: a degraded member has been passed over once and serves at its next turn. */
    boolean passedOver;

    /** The member's place in another group. */
    @Nullable
    Seat next;

    Seat(Member member, Group group, @Nullable Seat next) {
        this.member = member;
        this.group = group;
        this.next = next;
    }
}
