package io.paceline.pool;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The members of a pool that carry certain tags, kept in the order that one strategy needs. A pool has one group for each
 * pair of tags and order that was ever asked for. Guarded by its {@link PoolView}.
 */
abstract class Group {
    private final Map<String, String> tags;
    private int size;

    Group(Map<String, String> tags) {
        this.tags = tags;
    }

    static Group of(Strategy strategy, Map<String, String> tags, Affinity affinity) {
        return switch (strategy) {
            case WEIGHTED -> new DrawnGroup(tags, true);
            case RANDOM -> new DrawnGroup(tags, false);
            case ROUND_ROBIN -> new TurnGroup(tags);
            case LEAST_LEASES -> new RankedGroup(tags, RankedGroup.FEWEST_LEASES);
            case LEAST_RECENTLY_USED -> new RankedGroup(tags, RankedGroup.LONGEST_UNUSED);
            case HASH, HASH_LEAST_LEASES -> new HashedGroup(tags, affinity);
        };
    }

    final boolean admits(Member member) {
        return member.address().carries(tags);
    }

    /** Gives the member its place, in the order where it can be leased. */
    final void seat(Member member) {
        size++;
        Seat seat = newSeat(member, member.seats);
        member.join(seat);
        refresh(seat);
    }

    /** A seat with room for what this order needs, at the head of the member's others. */
    Seat newSeat(Member member, @Nullable Seat others) {
        return new Seat(member, this, others);
    }

    /** Members, whether they can be leased or not. */
    final int size() {
        return size;
    }

    /** Brings the seat in line with its member: in the order while it can be leased, at the place that fits. */
    final void refresh(Seat seat) {
        boolean wanted = holds(seat.member);
        if (seat.present && wanted) {
            moved(seat);
        } else if (wanted) {
            seat.present = true;
            enter(seat);
        } else if (seat.present) {
            seat.present = false;
            leave(seat);
        }
    }

    final void drop(Seat seat) {
        if (seat.present) {
            seat.present = false;
            leave(seat);
        }
    }

    /** Whether the order holds the member now. */
    boolean holds(Member member) {
        return member.available();
    }

    abstract void enter(Seat seat);

    abstract void leave(Seat seat);

    abstract void moved(Seat seat);

    /**
     * Adds members that fit to {@code found}, best first, until it holds {@code most}.
     *
     * @param fits what the query asks beyond the group: not excluded, cell in service
     */
    abstract void propose(Query query, Predicate<Member> fits, int most, RandomGenerator random, List<Member> found);
}
