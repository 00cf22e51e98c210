package io.paceline.pool;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * {@code weighted} and {@code random}: seats are drawn; of two draws the one with the smaller share of its cap in use comes
 * first. Two choices instead of one bring the fullest address from O(log n) down to O(log log n) above the mean: Mitzenmacher,
 * "The power of two choices in randomized load balancing" (2001).
 */
final class DrawnGroup extends Group {
    /** Seats that a walk looks at when draws find nothing that fits. */
    private static final int WALK = 1_024;

    private final WeightClasses classes = new WeightClasses();
    private final boolean weighted;

    DrawnGroup(Map<String, String> tags, boolean weighted) {
        super(tags);
        this.weighted = weighted;
    }

    private double weightOf(Seat seat) {
        return weighted ? seat.member.weight : 1;
    }

    @Override
    void enter(Seat seat) {
        classes.add(seat, weightOf(seat));
    }

    @Override
    void leave(Seat seat) {
        classes.remove(seat);
    }

    @Override
    void moved(Seat seat) {
        if (weighted) {
            classes.reweigh(seat, seat.member.weight);
        }
    }

    @Override
    void propose(Query query, Predicate<Member> fits, int most, RandomGenerator random, List<Member> found) {
        int draws = 2 * most + 4;
        for (int i = 0; i < draws && found.size() < most; i++) {
            Member member = classes.draw(random);
            if (member == null) {
                return;
            }
            addIfNew(member, fits, found);
        }
        if (found.isEmpty()) {
            int start = random.nextInt(classes.size());
            int steps = Math.min(WALK, classes.size());
            for (int i = 0; i < steps && found.size() < most; i++) {
                addIfNew(classes.at(start + i).member, fits, found);
            }
        }
        if (weighted && found.size() > 1 && load(found.get(1)) < load(found.get(0))) {
            found.set(0, found.set(1, found.get(0)));
        }
    }

    private static void addIfNew(Member member, Predicate<Member> fits, List<Member> found) {
        if (!holds(found, member) && fits.test(member)) {
            found.add(member);
        }
    }

    /** Looks at no member itself: the next draw need not wait until this one has come from memory. */
    @SuppressWarnings("ReferenceEquality") // a member is itself alone
    private static boolean holds(List<Member> found, Member member) {
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i) == member) {
                return true;
            }
        }
        return false;
    }

    private static double load(Member member) {
        return (double) member.live / member.cap;
    }
}
