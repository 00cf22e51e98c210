package io.paceline.health;

import io.paceline.health.TallyRow.Count;
import io.paceline.health.Verdict.Guilty;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Whether we ourselves are guilty: the first row of {@link Blame}'s table.
 *
 * <p>There is nobody to compare with, so much is taken away before the rest must still fail: what is explained by a target or
 * a tag that is known to be guilty, the worse half of the other targets or any one of them, any one tag, and a third of the
 * addresses.
 */
final class OwnSideBlame {
    /** Our own side is judged by so many outcomes at most. */
    private static final int ENTRIES = 64;

    /** Of the addresses used, so many fail when our own side does. */
    private static final double SPREAD = 0.4;

    private OwnSideBlame() {}

    static @Nullable Verdict ownSide(Hearing hearing) {
        TallyRow pool = hearing.pool();
        GroupBlame.Met met = new GroupBlame.Met();
        Spread targets = new Spread();
        for (int age = 0; age < Math.min(ENTRIES, pool.size()); age++) {
            if (!pool.proven(age) || hearing.explained(pool, age)) {
                continue;
            }
            met.add(pool, age);
            targets.add(pool.targetMark(age), pool.failed(age));
            if (!pool.failed(age) || met.all.failures < GroupBlame.LEAST_ADDRESSES) {
                continue;
            }
            if (!isEverywhere(targets, met.addresses, hearing.members())) {
                continue;
            }
            double normal = Odds.clamp(pool.usualFaultsWithout(met.ofGood.count(), Others.NORMAL), Odds.LEAST);
            double score = Odds.of(met.all, normal, GroupBlame.GROUP);
            if (score >= Blame.THRESHOLD && failsWithoutItsWorst(hearing, age, normal)) {
                return met.verdict(Guilty.OWN_SIDE, pool, normal, new Count(0, 0), score);
            }
        }
        return null;
    }

    private static boolean isEverywhere(Spread targets, Spread addresses, int members) {
        return targets.active() >= 2
                && 2 * targets.failing() >= targets.active()
                && addresses.failing() >= Math.min(GroupBlame.LEAST_ADDRESSES, members)
                && addresses.failing() >= SPREAD * addresses.active();
    }

    private static boolean failsWithoutItsWorst(Hearing hearing, int oldest, double normal) {
        TallyRow pool = hearing.pool();
        Without unexplained = new Without(pool, oldest).where(age -> hearing.explained(pool, age));
        int half = Math.max(1, unexplained.different(pool::targetMark) / 2);
        return failsWithoutATag(unexplained.copy().worst(pool::targetMark, half), pool, oldest, normal)
                && marks(oldest, pool::targetMark).stream()
                        .allMatch(target -> failsWithoutATag(
                                unexplained.copy().all(pool::targetMark, target), pool, oldest, normal))
                && GroupBlame.failsWithoutAThird(pool, oldest, normal);
    }

    /** Whichever tag it is. */
    private static boolean failsWithoutATag(Without rest, TallyRow pool, int oldest, double normal) {
        return failsWithoutAny(rest, oldest, normal, pool::tagMark)
                && failsWithoutAny(rest, oldest, normal, pool::otherTagMark);
    }

    private static boolean failsWithoutAny(Without rest, int oldest, double normal, IntToLongFunction markOf) {
        Set<Long> marks = marks(oldest, markOf);
        // Nothing follows from a mark that all bear.
        return marks.size() < 2
                ? fails(rest, normal)
                : marks.stream().allMatch(mark -> fails(rest.copy().all(markOf, mark), normal));
    }

    private static Set<Long> marks(int oldest, IntToLongFunction markOf) {
        Set<Long> marks = new LinkedHashSet<>();
        for (int age = 0; age <= oldest; age++) {
            marks.add(markOf.applyAsLong(age));
        }
        return marks;
    }

    private static boolean fails(Without rest, double normal) {
        return rest.score(normal, GroupBlame.GROUP) >= GroupBlame.REST_THRESHOLD;
    }
}
