package io.paceline.pool;

import io.paceline.health.State;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** {@code round-robin}: in the order of the slots, a degraded member every second turn. */
final class TurnGroup extends Group {
    private final TreeMap<Integer, Seat> bySlot = new TreeMap<>();
    /** Whose turn came last; it may have left the order since. */
    private int lastSlot = -1;

    TurnGroup(Map<String, String> tags) {
        super(tags);
    }

    @Override
    void enter(Seat seat) {
        bySlot.put(seat.member.slot, seat);
    }

    @Override
    void leave(Seat seat) {
        bySlot.remove(seat.member.slot);
    }

    @Override
    void moved(Seat seat) {
        // The slot decides, and never changes.
    }

    @Override
    void propose(Query query, Predicate<Member> fits, int most, RandomGenerator random, List<Member> found) {
        Seat passedOver = null;
        int slot = lastSlot;
        for (int i = 0; i < bySlot.size() && found.size() < most; i++) {
            Seat seat = after(slot);
            slot = seat.member.slot;
            if (!fits.test(seat.member)) {
                continue;
            }
            // Only a turn of its own is passed over: to stand by for another's is no turn.
            if (found.isEmpty() && seat.member.standing.state() == State.DEGRADED && !seat.passedOver) {
                seat.passedOver = true;
                passedOver = passedOver == null ? seat : passedOver;
                continue;
            }
            take(seat, found);
        }
        if (found.isEmpty() && passedOver != null) {
            // Nobody else could serve: half a turn is better than none.
            take(passedOver, found);
        }
    }

    /** The first proposal is the one whose turn it is; the others only stand by. */
    private void take(Seat seat, List<Member> found) {
        if (found.isEmpty()) {
            seat.passedOver = false;
            lastSlot = seat.member.slot;
        }
        found.add(seat.member);
    }

    private Seat after(int slot) {
        Map.@Nullable Entry<Integer, Seat> next = bySlot.higherEntry(slot);
        return next == null ? bySlot.firstEntry().getValue() : next.getValue();
    }
}
