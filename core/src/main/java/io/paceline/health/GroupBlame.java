package io.paceline.health;

import static io.paceline.health.Odds.clamp;
import static io.paceline.health.Odds.share;

import io.paceline.health.TallyRow.Count;
import io.paceline.health.TallyRow.Kind;
import io.paceline.health.Verdict.Guilty;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** Whether a target or a tag is guilty, as compared with the rest of its pool: two rows of {@link Blame}'s table. */
final class GroupBlame {
    static final double GROUP = 0.3;
    private static final double GROUP_DOWN = 0.9;

    /** That something is wrong with the rest too, once the worst is taken away: ln 100. */
    static final double REST_THRESHOLD = 4.6;

    /** A group is guilty where so many of its addresses fail, and half of those that were used. */
    static final int LEAST_ADDRESSES = 3;

    /** And not before so many were asked, or all that are: of five in a row all may be sick by chance. */
    private static final int ENOUGH_ADDRESSES = 7;

    private GroupBlame() {}

    static @Nullable Verdict target(Hearing hearing) {
        long mark = TallyRow.markOfTarget(hearing.targetHash());
        TallyRow pool = hearing.pool();
        return group(Guilty.TARGET, hearing.target(), hearing, age -> pool.targetMark(age) != mark);
    }

    static @Nullable Verdict tag(Hearing hearing, TallyRow tag) {
        long mark = TallyRow.markOfTag(tag.id());
        TallyRow pool = hearing.pool();
        return group(Guilty.TAG, tag, hearing, age -> !pool.ofTag(age, mark));
    }

    /** What a group did up to some age, newest first: of all, and of addresses that had been well. Mutable. */
    static final class Met {
        final Tried all = new Tried();
        final Tried ofGood = new Tried();
        final Spread addresses = new Spread();

        void add(TallyRow tally, int age) {
            boolean failed = tally.failed(age);
            all.add(failed);
            ofGood.addIf(tally.good(age), failed);
            addresses.add(tally.slotMark(age), failed);
        }

        Verdict verdict(Guilty guilty, TallyRow tally, double normal, Count others, double score) {
            return new Verdict(
                    guilty,
                    tally.id(),
                    all.failures,
                    all.outcomes,
                    false,
                    normal,
                    others.failures(),
                    others.outcomes(),
                    addresses.failing(),
                    score,
                    Blame.THRESHOLD);
        }
    }

    /** @param rest whether the pool's outcome of that age is none of the group's */
    private static @Nullable Verdict group(Guilty guilty, TallyRow tally, Hearing hearing, IntPredicate rest) {
        TallyRow pool = hearing.pool();
        Met own = new Met();
        Tried latest = new Tried();
        int poolAge = 0;
        for (int age = 0; age < tally.size(); age++) {
            if (!tally.proven(age)) {
                continue;
            }
            own.add(tally, age);
            if (!tally.failed(age) || own.all.failures < LEAST_ADDRESSES) {
                continue;
            }
            long since = tally.atMicros(age);
            for (; poolAge < pool.size() && pool.atMicros(poolAge) >= since; poolAge++) {
                latest.addIf(rest.test(poolAge), pool.failed(poolAge));
            }
            if (!isWidespread(own.addresses, hearing.members())) {
                continue;
            }
            Count others = pool.oldestMicros() <= since
                    ? latest.count()
                    : pool.since(since, Kind.FAULTS).minus(tally.since(since, Kind.FAULTS));
            if (guilty == Guilty.TAG && others.outcomes() < Others.LEAST_OTHERS) {
                continue;
            }
            double normal = normal(tally, pool, own.ofGood.count(), latest.count(), others);
            double score = Math.max(Odds.of(own.all, normal, GROUP), Odds.of(own.all, normal, GROUP_DOWN));
            if (score >= Blame.THRESHOLD && failsWithoutItsWorst(guilty, tally, age, normal, hearing.members())) {
                return own.verdict(guilty, tally, normal, others, score);
            }
        }
        return null;
    }

    private static boolean isWidespread(Spread addresses, int members) {
        return addresses.failing() >= Math.min(LEAST_ADDRESSES, members)
                && 2 * addresses.failing() >= addresses.active();
    }

    private static double normal(TallyRow tally, TallyRow pool, Count ofGood, Count latest, Count others) {
        // Steps are coarse: what goes wrong everywhere at this moment shows in the latest outcomes first.
        double meanwhile = Math.max(share(latest), share(others));
        double usualElsewhere = pool.usualFaultsWithout(ofGood, Others.NORMAL);
        return clamp(Math.max(tally.usualFaultsWithout(ofGood, usualElsewhere), meanwhile), Odds.LEAST);
    }

    /**
     * Some sick addresses look like the whole of a group that is little used; a target that blocks a provider looks like a
     * sick target, and like a sick provider.
     */
    private static boolean failsWithoutItsWorst(Guilty guilty, TallyRow tally, int oldest, double normal, int members) {
        if (members < 2) {
            return true;
        }
        return failsWithoutAThird(tally, oldest, normal)
                && (guilty == Guilty.TAG
                        ? failsWithout(tally, oldest, normal, tally::targetMark)
                        : failsWithout(tally, oldest, normal, tally::tagMark)
                                && failsWithout(tally, oldest, normal, tally::otherTagMark));
    }

    /** Whether the rest fails beyond chance once the worst by that mark is taken away, where there are several marks. */
    private static boolean failsWithout(TallyRow tally, int oldest, double normal, IntToLongFunction markOf) {
        boolean several = Spread.of(tally, tally.size() - 1, markOf).active() > 1;
        return !several || new Without(tally, oldest).worst(markOf, 1).score(normal, GROUP) >= REST_THRESHOLD;
    }

    /** Some sick addresses, met one after the other, look like the whole of a group. */
    static boolean failsWithoutAThird(TallyRow tally, int oldest, double normal) {
        Spread all = Spread.of(tally, oldest, tally::slotMark);
        Spread lately = Spread.of(tally, tally.size() - 1, tally::slotMark);
        Without rest = new Without(tally, oldest).worstThird(tally::slotMark);
        int left = all.active() - (all.active() + 2) / 3;
        return all.active() >= Math.min(ENOUGH_ADDRESSES, lately.active())
                && rest.failing(tally::slotMark) >= Math.min(LEAST_ADDRESSES, left)
                && rest.score(normal, GROUP) >= REST_THRESHOLD;
    }
}
