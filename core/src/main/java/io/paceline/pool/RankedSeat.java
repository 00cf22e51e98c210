package io.paceline.pool;

import org.jspecify.annotations.Nullable;

/** A seat in an order by load: with the values it was sorted by, which must not change while it is in the order. */
final class RankedSeat extends Seat {
    int sortedLive;
    long sortedLastUsedMicros;

    RankedSeat(Member member, Group group, @Nullable Seat next) {
        super(member, group, next);
    }
}
