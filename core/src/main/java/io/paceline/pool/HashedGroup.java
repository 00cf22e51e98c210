package io.paceline.pool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * {@code hash} and {@code hash+least-leases}: the key chooses. A degraded member keeps its keys, and so does one at its cap:
 * who wants the next best instead takes {@code hash+least-leases}, where the key chooses a few and the least loaded of them
 * serves.
 */
final class HashedGroup extends Group {
    /** Members among which {@code hash+least-leases} takes the least loaded. */
    static final int SPREAD = 4;

    /** A session begins at the first of its members whose load is at most this times the mean: "bounded loads". */
    private static final double LOAD_BOUND = 1.25;

    private final Affinity affinity;
    private final List<@Nullable RankedSeat> bySlot = new ArrayList<>();
    private final List<Member> members = new ArrayList<>();
    private int live;

    HashedGroup(Map<String, String> tags, Affinity affinity) {
        super(tags);
        this.affinity = affinity;
    }

    /** At its cap or not: keys stay with who is in service. */
    @Override
    boolean holds(Member member) {
        return member.standing.inService();
    }

    @Override
    Seat newSeat(Member member, @Nullable Seat others) {
        return new RankedSeat(member, this, others);
    }

    @Override
    void enter(Seat entering) {
        RankedSeat seat = (RankedSeat) entering;
        while (bySlot.size() <= seat.member.slot) {
            bySlot.add(null);
        }
        bySlot.set(seat.member.slot, seat);
        seat.index = members.size();
        members.add(seat.member);
        seat.sortedLive = seat.member.live;
        live += seat.sortedLive;
    }

    @Override
    void leave(Seat leaving) {
        RankedSeat seat = (RankedSeat) leaving;
        bySlot.set(seat.member.slot, null);
        Member last = members.remove(members.size() - 1);
        if (last != seat.member) {
            members.set(seat.index, last);
            Seat moved = bySlot.get(last.slot);
            if (moved != null) {
                moved.index = seat.index;
            }
        }
        live -= seat.sortedLive;
    }

    @Override
    void moved(Seat moving) {
        RankedSeat seat = (RankedSeat) moving;
        live += seat.member.live - seat.sortedLive;
        seat.sortedLive = seat.member.live;
    }

    @Override
    void propose(Query query, Predicate<Member> fits, int most, RandomGenerator random, List<Member> found) {
        if (members.isEmpty()) {
            return;
        }
        boolean spread = query.strategy() == Strategy.HASH_LEAST_LEASES && !query.firstOfSession();
        int wanted = spread ? SPREAD : query.firstOfSession() ? most : 1;
        favourites(query.key(), fits, wanted, found);
        if (spread) {
            found.sort(Comparator.comparing((Member member) -> !member.available())
                    .thenComparingInt(member -> member.live));
        }
        if (query.firstOfSession()) {
            double bound = StrictMath.ceil(LOAD_BOUND * (live + 1) / members.size());
            // Stable: the order of the key's own favourites stays among those within the bound, and among the others.
            found.sort(Comparator.comparing(member -> member.live + 1 > bound || !member.available()));
        }
    }

    /** The key's first eligible members, in its own order. */
    private void favourites(long key, Predicate<Member> fits, int wanted, List<Member> found) {
        affinity.walk(key, slot -> {
            Seat seat = slot < bySlot.size() ? bySlot.get(slot) : null;
            if (seat != null && fits.test(seat.member) && !found.contains(seat.member)) {
                found.add(seat.member);
            }
            return found.size() < wanted;
        });
        if (found.size() < wanted) {
            List<Member> eligible = new ArrayList<>(members);
            eligible.removeIf(fits.negate().or(found::contains));
            while (found.size() < wanted && !eligible.isEmpty()) {
                found.add(eligible.remove(Affinity.favourite(key, eligible)));
            }
        }
    }
}
