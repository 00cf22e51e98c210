package io.paceline.pool;

import org.jspecify.annotations.Nullable;

/** A member's place in one group, with what most orders need to find and move it: 32 bytes. */
class Seat {
    final Member member;
    final Group group;
    /** Whether the group's order holds it now: it leaves while it cannot be leased. */
    boolean present;
    /** With {@link WeightClasses}: which class, and where in it. */
    byte classIndex;

    int index;
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
