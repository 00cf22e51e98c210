package io.paceline.pool;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** {@code least-leases} and {@code least-recently-used}: seats in an exact order, the best first. O(log n) a change. */
final class RankedGroup extends Group {
    /** Fewest live leases, then longest unused; a slot breaks the last tie, so that the order is total. */
    static final Comparator<Seat> FEWEST_LEASES = Comparator.comparingInt((Seat seat) -> seat.sortedLive)
            .thenComparingLong(seat -> seat.sortedLastUsedMicros)
            .thenComparingInt(seat -> seat.member.slot);

    static final Comparator<Seat> LONGEST_UNUSED = Comparator.comparingLong((Seat seat) -> seat.sortedLastUsedMicros)
            .thenComparingInt(seat -> seat.member.slot);

    private final TreeSet<Seat> order;

    RankedGroup(Map<String, String> tags, Comparator<Seat> comparator) {
        super(tags);
        this.order = new TreeSet<>(comparator);
    }

    @Override
    void enter(Seat seat) {
        seat.sortedLive = seat.member.live;
        seat.sortedLastUsedMicros = seat.member.lastUsedMicros;
        order.add(seat);
    }

    @Override
    void leave(Seat seat) {
        order.remove(seat);
    }

    @Override
    void moved(Seat seat) {
        if (seat.sortedLive != seat.member.live || seat.sortedLastUsedMicros != seat.member.lastUsedMicros) {
            order.remove(seat);
            enter(seat);
        }
    }

    @Override
    void propose(Query query, Predicate<Member> fits, int most, RandomGenerator random, List<Member> found) {
        for (Seat seat : order) {
            if (found.size() == most) {
                return;
            }
            if (fits.test(seat.member)) {
                found.add(seat.member);
            }
        }
    }
}
