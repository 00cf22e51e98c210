package io.paceline.pool;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** {@code least-leases} and {@code least-recently-used}: seats in an exact order, the best first. O(log n) a change. */
final class RankedGroup extends Group {
    /** Fewest live leases, then longest unused; a slot breaks the last tie, so that the order is total. */
    static final Comparator<RankedSeat> FEWEST_LEASES = Comparator.comparingInt((RankedSeat seat) -> seat.sortedLive)
            .thenComparingLong(seat -> seat.sortedLastUsedMicros)
            .thenComparingInt(seat -> seat.member.slot);

    static final Comparator<RankedSeat> LONGEST_UNUSED = Comparator.comparingLong(
                    (RankedSeat seat) -> seat.sortedLastUsedMicros)
            .thenComparingInt(seat -> seat.member.slot);

    private final TreeSet<RankedSeat> order;

    RankedGroup(Map<String, String> tags, Comparator<RankedSeat> comparator) {
        super(tags);
        this.order = new TreeSet<>(comparator);
    }

    @Override
    Seat newSeat(Member member, @Nullable Seat others) {
        return new RankedSeat(member, this, others);
    }

    @Override
    void enter(Seat entering) {
        RankedSeat seat = (RankedSeat) entering;
        seat.sortedLive = seat.member.live;
        seat.sortedLastUsedMicros = seat.member.lastUsedMicros;
        order.add(seat);
    }

    @Override
    void leave(Seat seat) {
        order.remove((RankedSeat) seat);
    }

    @Override
    void moved(Seat moving) {
        RankedSeat seat = (RankedSeat) moving;
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
