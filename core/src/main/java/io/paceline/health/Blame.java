package io.paceline.health;

import io.paceline.health.TallyRow.Count;
import io.paceline.health.TallyRow.Kind;
import io.paceline.health.Verdict.Guilty;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Who is guilty when requests fail: the address, the address on one target (a cell), the target, a provider or subnet, or
 * we ourselves.
 *
 * <p>One question for all of them: how much likelier is what the suspect did lately if something is wrong with it than if it
 * is as everybody? A failure speaks for guilt by {@code ln(p1 / p0)}, a success against it by {@code ln((1 - p1) / (1 - p0))},
 * where {@code p0} is the share of failures that would be normal and {@code p1 = p0 + delta (1 - p0)} means that the suspect
 * adds {@code delta} of what was left to fail. The logs are summed from the newest outcome backwards; the worst such stretch
 * counts (Page's CUSUM, read backwards), under the better of two suspicions: sick, or as good as dead. At odds of 450,000 to
 * one the suspect is guilty.
 *
 * <p>All the care lies in {@code p0}: it is the worst of what is usual here and of what <em>others</em> met since the bad
 * stretch began. So in an incident of a site the failures of each address are normal, and in an outage of our own
 * the failures of each site are.
 *
 * <pre>
 * suspect    its outcomes          the others                        besides
 * ---------  --------------------  --------------------------------  -----------------------------------------
 * own side   of the pool           none                              it still fails beyond chance without its worst target
 *                                                                    and worst tag, and without its worst third of addresses
 * target     on the target         on other targets                  half of its addresses fail, three at least; it fails
 *                                                                    without a third of them, and without its worst tag
 * tag        of its addresses      other addresses                   the same, but without its worst target
 * address    that did not get      anywhere, on this target, of      most of it not on one target alone
 *            through               its tags
 * cell       all; captchas alone   the same
 * </pre>
 *
 * <p>Of a group only those addresses are asked that have ever got through: what was dead from the beginning says nothing about a
 * site.
 *
 * <p>With nobody to compare with (a pool in which hardly anything else happens, or nobody has ever got through), five
 * failures in a row must do for an address or a cell.
 *
 * <p>Nothing is held against anybody while our own side is guilty, against a cell while its target is, or against an address
 * while its tag is. Pure functions of rows and time.
 */
public final class Blame {
    /** ln 450,000. There are many suspects, and each of their failures is one more test. */
    static final double THRESHOLD = 13;

    /** Captchas are rare where all is well, and costly where it is not; a cell that is out costs little: ln 100. */
    static final double CAPTCHA_THRESHOLD = 4.6;

    /** What has been out is not presumed innocent: two failures in a row say that it is sick still. */
    static final double HALF_OPEN_THRESHOLD = 6.5;

    /** That something is wrong with the rest too, once the worst is taken away: ln 100. */
    private static final double REST_THRESHOLD = 4.6;

    private static final double SICK = 0.5;
    /** What is dead fails nearly always: a second suspicion, by which it is found after fewer failures. */
    private static final double DEAD = 0.95;

    private static final double GROUP = 0.3;
    private static final double GROUP_DOWN = 0.9;
    private static final double CAPTCHAS = 0.15;

    /** Nobody is so good, and nothing so bad, that a single outcome proves anything. */
    private static final double LEAST = 0.01;

    private static final double LEAST_CAPTCHAS = 0.002;
    private static final int LEAST_CAPTCHAS_SEEN = 2;
    private static final double MOST = 0.95;

    /** What is normal for a pool of which nothing is known. */
    private static final double NORMAL = 0.02;

    /** The longest time-out: how much earlier than its first failure a bad stretch may have begun. */
    private static final long TIMEOUT_MICROS = 10_000_000;

    /** Without so many outcomes of others, or so many in the long run, there is nothing to compare with. */
    private static final int LEAST_OTHERS = 3;

    private static final int LEAST_USUAL = 20;

    /** So many failures in a row then. */
    private static final int ALONE = 5;

    private static final int LEAST_WELL = 10;

    /** A group is guilty where so many of its addresses fail, and half of those that were used. */
    private static final int LEAST_ADDRESSES = 3;

    /** And not before so many were asked, or all that are: of five in a row all may be sick by chance. */
    private static final int ENOUGH_ADDRESSES = 7;

    /** More of an address's failures on one target than this: the cell is asked, not the address. */
    private static final double ONE_TARGET = 0.6;

    /** Our own side is judged by so many outcomes at most. */
    private static final int OWN_ENTRIES = 64;

    /** Of the addresses used, so many fail when our own side does. */
    private static final double OWN_SPREAD = 0.4;

    /** A guilty group is acquitted once at most a fifth of so many outcomes failed that came after its verdict ... */
    private static final int RELIEF = 20;

    /** ... or none of so many, but not before a dwell. */
    private static final int QUICK_RELIEF = 10;

    private static final long DWELL_MICROS = 10_000_000;
    private static final int IN_A_ROW = 4;

    /** The id of the tally of a pool. */
    private static final long POOL = 0;

    /** A group that nobody asked anything for so long is asked anew. */
    private static final long STALE_MICROS = 300_000_000;

    private Blame() {}

    /** Who is guilty now, after a failure; empty where nobody is beyond doubt, and where it is known already. */
    public static Optional<Verdict> judge(Hearing hearing) {
        if (hearing.pool().guilty()) {
            return Optional.empty();
        }
        Verdict verdict = hearing.pool().hasWorked() ? group(hearing) : null;
        if (verdict == null && hearing.tags().stream().noneMatch(TallyRow::guilty)) {
            verdict = address(hearing);
        }
        if (verdict == null && !hearing.target().guilty()) {
            verdict = cell(hearing);
        }
        return Optional.ofNullable(verdict);
    }

    private static @Nullable Verdict group(Hearing hearing) {
        Verdict verdict = ownSide(hearing);
        if (verdict == null && !hearing.target().guilty()) {
            verdict = target(hearing);
        }
        for (int i = 0; verdict == null && i < hearing.tags().size(); i++) {
            verdict = hearing.tags().get(i).guilty()
                    ? null
                    : tag(hearing, hearing.tags().get(i));
        }
        return verdict;
    }

    /** Whether a guilty target, tag or pool is well again. */
    public static boolean relieved(TallyRow tally, long nowMicros) {
        if (nowMicros - tally.guiltySinceMicros() < DWELL_MICROS) {
            return false;
        }
        if (tally.id() == POOL && mostGetThrough(tally)) {
            return true;
        }
        int seen = 0;
        int failed = 0;
        for (int age = 0;
                seen < RELIEF && age < tally.size() && tally.atMicros(age) > tally.guiltySinceMicros();
                age++) {
            if (tally.proven(age)) {
                failed += tally.failed(age) ? 1 : 0;
                seen++;
            }
            if (seen == QUICK_RELIEF && failed == 0) {
                return true;
            }
        }
        boolean quietBefore = seen > 0
                && !tally.failed(0)
                && tally.size() > 1
                && tally.atMicros(0) - tally.atMicros(1) > STALE_MICROS;
        return quietBefore || (seen == RELIEF && failed * 5 <= RELIEF);
    }

    /**
     * Our own side is well again where half of the addresses got through four times in a row: the others may be sick, and were
     * not judged meanwhile.
     */
    private static boolean mostGetThrough(TallyRow pool) {
        Map<Long, Integer> newest = new HashMap<>();
        Set<Long> failed = new HashSet<>();
        for (int age = 0; age < pool.size() && pool.atMicros(age) > pool.guiltySinceMicros(); age++) {
            long slot = pool.slotMark(age);
            if (pool.proven(age) && newest.merge(slot, 1, Integer::sum) <= IN_A_ROW && pool.failed(age)) {
                failed.add(slot);
            }
        }
        newest.values().removeIf(outcomes -> outcomes < IN_A_ROW);
        long good =
                newest.keySet().stream().filter(slot -> !failed.contains(slot)).count();
        return newest.size() >= ENOUGH_ADDRESSES && 2 * good >= newest.size();
    }

    // ---- groups

    private static @Nullable Verdict ownSide(Hearing hearing) {
        TallyRow pool = hearing.pool();
        Spread addresses = new Spread();
        Spread targets = new Spread();
        Tried all = new Tried();
        Tried ofGood = new Tried();
        for (int age = 0; age < Math.min(OWN_ENTRIES, pool.size()); age++) {
            if (!pool.proven(age)) {
                continue;
            }
            boolean failed = pool.failed(age);
            all.add(failed);
            ofGood.addIf(pool.good(age), failed);
            addresses.add(pool.slotMark(age), failed);
            targets.add(pool.targetMark(age), failed);
            if (!failed || all.failures < LEAST_ADDRESSES) {
                continue;
            }
            boolean widespread = targets.active() >= 2
                    && 2 * targets.failing() >= targets.active()
                    && addresses.failing() >= Math.min(LEAST_ADDRESSES, hearing.members())
                    && addresses.failing() >= OWN_SPREAD * addresses.active();
            if (!widespread) {
                continue;
            }
            double normal = clamp(pool.usualFaultsWithout(ofGood.count(), NORMAL), LEAST);
            double score = score(all.failures, all.outcomes, normal, GROUP);
            if (score >= THRESHOLD && failsWithoutItsWorst(pool, age, normal)) {
                return verdict(Guilty.OWN_SIDE, pool, all.count(), normal, new Count(0, 0), addresses.failing(), score);
            }
        }
        return null;
    }

    private static Verdict verdict(
            Guilty guilty, TallyRow tally, Count own, double normal, Count others, int addresses, double score) {
        return new Verdict(
                guilty,
                tally.id(),
                own.failures(),
                own.outcomes(),
                false,
                normal,
                others.failures(),
                others.outcomes(),
                addresses,
                score,
                THRESHOLD);
    }

    /**
     * One sick target, one sick provider and some sick addresses look like an outage of our own until they are taken away:
     * whichever target and whichever tag it is.
     */
    private static boolean failsWithoutItsWorst(TallyRow pool, int oldest, double normal) {
        for (long target : marks(oldest, pool::targetMark)) {
            Without rest = new Without(pool, oldest).all(pool::targetMark, target);
            if (!failsWithoutAny(rest, oldest, normal, pool::tagMark)
                    || !failsWithoutAny(rest, oldest, normal, pool::otherTagMark)) {
                return false;
            }
        }
        return failsWithoutAThird(pool, oldest, normal);
    }

    private static boolean failsWithoutAny(Without rest, int oldest, double normal, IntToLongFunction markOf) {
        Set<Long> marks = marks(oldest, markOf);
        if (marks.size() < 2) { // nothing follows from a mark that all bear
            return rest.score(normal) >= REST_THRESHOLD;
        }
        for (long mark : marks) {
            if (rest.copy().all(markOf, mark).score(normal) < REST_THRESHOLD) {
                return false;
            }
        }
        return true;
    }

    private static Set<Long> marks(int oldest, IntToLongFunction markOf) {
        Set<Long> marks = new LinkedHashSet<>();
        for (int age = 0; age <= oldest; age++) {
            marks.add(markOf.applyAsLong(age));
        }
        return marks;
    }

    /** Some sick addresses, met one after the other, look like the whole of a group. */
    private static boolean failsWithoutAThird(TallyRow tally, int oldest, double normal) {
        Spread all = Spread.of(tally, oldest, tally::slotMark);
        Without rest = new Without(tally, oldest).worstThird(tally::slotMark);
        int left = all.active() - (all.active() + 2) / 3;
        return all.active() >= Math.min(ENOUGH_ADDRESSES, usedLately(tally))
                && rest.failing(tally::slotMark) >= Math.min(LEAST_ADDRESSES, left)
                && rest.score(normal) >= REST_THRESHOLD;
    }

    private static int usedLately(TallyRow tally) {
        return Spread.of(tally, tally.size() - 1, tally::slotMark).active();
    }

    /** What is left of a tally's newest outcomes once the worst of some kind are taken away. Mutable. */
    private static final class Without {
        private final TallyRow tally;
        private final boolean[] gone;

        Without(TallyRow tally, int oldest) {
            this.tally = tally;
            this.gone = new boolean[oldest + 1];
            for (int age = 0; age <= oldest; age++) {
                gone[age] = !tally.proven(age);
            }
        }

        /** The worst among what is left: what went with the worst target says nothing about a tag. */
        Without worst(IntToLongFunction markOf, int most) {
            return worst(left(markOf), markOf, most);
        }

        /** A third of them, rounded up: what is wrong with a group shows on most of its members. */
        Without worstThird(IntToLongFunction markOf) {
            Spread spread = Spread.of(tally, gone.length - 1, markOf);
            return worst(spread, markOf, (spread.active() + 2) / 3);
        }

        Without all(IntToLongFunction markOf, long mark) {
            for (int age = 0; age < gone.length; age++) {
                gone[age] |= markOf.applyAsLong(age) == mark;
            }
            return this;
        }

        Without copy() {
            Without copy = new Without(tally, gone.length - 1);
            System.arraycopy(gone, 0, copy.gone, 0, gone.length);
            return copy;
        }

        private Without worst(Spread spread, IntToLongFunction markOf, int most) {
            boolean[] worst = spread.worst(most);
            for (int age = 0; age < gone.length; age++) {
                gone[age] |= spread.isAmong(worst, markOf.applyAsLong(age));
            }
            return this;
        }

        boolean keeps(int age) {
            return !gone[age];
        }

        /** How many different ones fail among what is left. */
        int failing(IntToLongFunction markOf) {
            return left(markOf).failing();
        }

        private Spread left(IntToLongFunction markOf) {
            Spread left = new Spread();
            for (int age = 0; age < gone.length; age++) {
                left.add(markOf.applyAsLong(age), keeps(age) && tally.failed(age));
            }
            return left;
        }

        double score(double normal) {
            Stretch rest = new Stretch(GROUP);
            for (int age = 0; age < gone.length; age++) {
                if (keeps(age)) {
                    rest.add(tally.failed(age), normal);
                }
            }
            return rest.score();
        }
    }

    private static @Nullable Verdict target(Hearing hearing) {
        long mark = TallyRow.markOfTarget(hearing.targetHash());
        TallyRow pool = hearing.pool();
        return group(Guilty.TARGET, hearing.target(), hearing, age -> pool.targetMark(age) != mark);
    }

    private static @Nullable Verdict tag(Hearing hearing, TallyRow tag) {
        long mark = TallyRow.markOfTag(tag.id());
        TallyRow pool = hearing.pool();
        return group(Guilty.TAG, tag, hearing, age -> !pool.ofTag(age, mark));
    }

    /**
     * A target or a tag against the rest of the pool.
     *
     * @param rest whether the pool's outcome of that age is none of the group's
     */
    private static @Nullable Verdict group(Guilty guilty, TallyRow tally, Hearing hearing, IntPredicate rest) {
        TallyRow pool = hearing.pool();
        Spread addresses = new Spread();
        Tried own = new Tried();
        Tried ofGood = new Tried();
        Tried latest = new Tried();
        int poolAge = 0;
        for (int age = 0; age < tally.size(); age++) {
            if (!tally.proven(age)) {
                continue;
            }
            boolean failed = tally.failed(age);
            own.add(failed);
            ofGood.addIf(tally.good(age), failed);
            addresses.add(tally.slotMark(age), failed);
            if (!failed || own.failures < LEAST_ADDRESSES) {
                continue;
            }
            long since = tally.atMicros(age);
            for (; poolAge < pool.size() && pool.atMicros(poolAge) >= since; poolAge++) {
                latest.addIf(rest.test(poolAge), pool.failed(poolAge));
            }
            boolean widespread = addresses.failing() >= Math.min(LEAST_ADDRESSES, hearing.members())
                    && 2 * addresses.failing() >= addresses.active();
            if (!widespread) {
                continue;
            }
            Count others = pool.oldestMicros() <= since
                    ? latest.count()
                    : pool.since(since, Kind.FAULTS).minus(tally.since(since, Kind.FAULTS));
            if (guilty == Guilty.TAG && others.outcomes() < LEAST_OTHERS) {
                continue;
            }
            // Steps are coarse: what goes wrong everywhere at this moment shows in the latest outcomes first.
            double meanwhile = Math.max(share(latest.count()), share(others));
            double usualElsewhere = pool.usualFaultsWithout(ofGood.count(), NORMAL);
            double usual = tally.usualFaultsWithout(ofGood.count(), usualElsewhere);
            double normal = clamp(Math.max(usual, meanwhile), LEAST);
            double score = Math.max(
                    score(own.failures, own.outcomes, normal, GROUP),
                    score(own.failures, own.outcomes, normal, GROUP_DOWN));
            if (score >= THRESHOLD && failsWithoutItsWorst(guilty, tally, age, normal, hearing.members())) {
                return verdict(guilty, tally, own.count(), normal, others, addresses.failing(), score);
            }
        }
        return null;
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
        return !several || new Without(tally, oldest).worst(markOf, 1).score(normal) >= REST_THRESHOLD;
    }

    // ---- an address, and a cell

    private static @Nullable Verdict address(Hearing hearing) {
        Trail trail = hearing.address().trail();
        if (!trail.fault(0)) {
            return null;
        }
        Others others = others(hearing, trail, Kind.UNREACHED);
        if (others.tellNothing(hearing.pool())) {
            boolean cells = concentrated(trail, ALONE, ALONE, hearing.certain());
            return failedThroughout(trail) && !cells ? alone(Guilty.ADDRESS, others) : null;
        }
        int here = Trail.mark(hearing.targetHash());
        double threshold = threshold(hearing.address().standing());
        IntToDoubleFunction normal = age -> trail.markAt(age) == here ? others.hereOrAnywhere() : others.anywhere();
        Stretch worst = worst(Math.min(Trail.MARKED, trail.stretch()), trail::fault, normal);
        return worst.score() < threshold || concentrated(trail, worst.outcomes(), worst.faults(), hearing.certain())
                ? null
                : worst.verdict(Guilty.ADDRESS, false, others.anywhere(), others.inPool(), threshold);
    }

    /** The worst stretch up to the newest outcome, by the suspicion that fits it better: sick, or dead. */
    private static Stretch worst(int length, IntPredicate fault, IntToDoubleFunction normal) {
        Stretch sick = new Stretch(SICK);
        Stretch dead = new Stretch(DEAD);
        for (int age = 0; age < length; age++) {
            sick.add(fault.test(age), normal.applyAsDouble(age));
            dead.add(fault.test(age), normal.applyAsDouble(age));
        }
        return (dead.best() > sick.best() ? dead : sick).worst();
    }

    /** Whether the failures are those of one target, while the address works elsewhere (or nobody knows, and may not be it). */
    private static boolean concentrated(Trail trail, int length, int faults, boolean certain) {
        int most = 0;
        int mostMark = -1;
        for (int age = 0; age < length; age++) {
            int same = 0;
            for (int other = 0; other < length && trail.fault(age); other++) {
                same += trail.fault(other) && trail.markAt(other) == trail.markAt(age) ? 1 : 0;
            }
            if (same > most) {
                most = same;
                mostMark = trail.markAt(age);
            }
        }
        if (most <= ONE_TARGET * faults) {
            return false;
        }
        for (int age = 0; age < Math.min(Trail.MARKED, trail.length()); age++) {
            if (trail.markAt(age) != mostMark) {
                return true;
            }
        }
        return !certain;
    }

    private static @Nullable Verdict cell(Hearing hearing) {
        Trail trail = hearing.cell().trail();
        if (!trail.fault(0)) {
            return null;
        }
        Verdict captchas = trail.captcha(0) ? captchas(hearing, trail) : null;
        if (captchas != null) {
            return captchas;
        }
        Others others = others(hearing, trail, Kind.FAULTS);
        if (others.tellNothing(hearing.pool())) {
            return failedThroughout(trail) ? alone(Guilty.CELL, others) : null;
        }
        double normal = others.hereOrAnywhere();
        double threshold = threshold(hearing.cell().standing());
        Stretch worst = worst(trail.stretch(), trail::fault, age -> normal);
        return worst.score() < threshold
                ? null
                : worst.verdict(Guilty.CELL, false, normal, others.onTarget(), threshold);
    }

    private static @Nullable Verdict captchas(Hearing hearing, Trail trail) {
        Others others = others(hearing, trail, Kind.CAPTCHAS);
        if (others.tellNothing(hearing.pool())) {
            return null;
        }
        double normal = others.hereOrAnywhere();
        Stretch stretch = new Stretch(CAPTCHAS);
        for (int age = 0; age < trail.stretch(); age++) {
            stretch.add(trail.captcha(age), normal);
        }
        Stretch worst = stretch.worst();
        double threshold = Math.min(CAPTCHA_THRESHOLD, threshold(hearing.cell().standing()));
        return worst.score() < threshold || worst.faults() < LEAST_CAPTCHAS_SEEN
                ? null
                : worst.verdict(Guilty.CELL, true, normal, others.onTarget(), threshold);
    }

    /** With nobody to compare with, a plain count must do. */
    private static boolean failedThroughout(Trail trail) {
        return trail.length() >= ALONE && trail.faultsAmong(ALONE) == ALONE;
    }

    private static Verdict alone(Guilty guilty, Others others) {
        double normal = others.anywhere();
        return new Verdict(guilty, 0, ALONE, ALONE, false, normal, 0, 0, 0, score(ALONE, ALONE, LEAST, SICK), 0);
    }

    private static double threshold(Standing standing) {
        return standing.halfOpen() ? HALF_OPEN_THRESHOLD : THRESHOLD;
    }

    // ---- what is normal

    /**
     * What others met since a bad stretch began, and what follows for what is normal.
     *
     * @param inPool outcomes of others anywhere
     * @param onTarget outcomes of others on this target
     * @param anywhere what would be normal wherever
     * @param hereOrAnywhere what would be normal on this target
     */
    private record Others(Count inPool, Count onTarget, double anywhere, double hereOrAnywhere) {

        /** Too few are known, or nobody has ever got through: then what others met says nothing. */
        boolean tellNothing(TallyRow pool) {
            return (inPool.outcomes() < LEAST_OTHERS && pool.usualOutcomes() < LEAST_USUAL) || !pool.hasWorked();
        }
    }

    private static Others others(Hearing hearing, Trail trail, Kind kind) {
        double least = kind == Kind.CAPTCHAS ? LEAST_CAPTCHAS : LEAST;
        double prior = kind == Kind.CAPTCHAS ? LEAST_CAPTCHAS : NORMAL;
        double usual = hearing.pool().usualShare(kind, prior);
        double usualHere = hearing.target().usualShare(kind, usual);
        long since = trail.sinceMicros() - TIMEOUT_MICROS;
        Count inPool = without(hearing.pool(), hearing.slot(), since, kind, trail);
        Count onTarget = without(hearing.target(), hearing.slot(), since, kind, trail);
        double anywhere = Math.max(usual, share(inPool));
        for (TallyRow tag : hearing.tags()) {
            anywhere = Math.max(anywhere, share(without(tag, hearing.slot(), since, kind, trail)));
        }
        double here = Math.max(anywhere, Math.max(usualHere, share(onTarget)));
        return new Others(inPool, onTarget, clamp(anywhere, least), clamp(here, least));
    }

    /**
     * What a tally has seen since then, but for the suspect's own part. As long as most are well, only of them: other sick
     * addresses say nothing about what is normal.
     */
    private static Count without(TallyRow tally, int slot, long sinceMicros, Kind kind, Trail own) {
        if (tally.oldestMicros() <= sinceMicros) {
            return latest(tally, slot, sinceMicros, kind);
        }
        Count all = tally.since(sinceMicros, kind).minus(own.counted(), own.countedFaults());
        // Of its own part, only the first failure was that of one that had been well.
        return usedOf(all, tally.sinceOfGood(sinceMicros, kind).minus(1, 1));
    }

    /** From the outcomes that are remembered one by one. */
    private static Count latest(TallyRow tally, int slot, long sinceMicros, Kind kind) {
        long own = TallyRow.markOfSlot(slot);
        Tried all = new Tried();
        Tried ofGood = new Tried();
        for (int age = 0; age < tally.size() && tally.atMicros(age) >= sinceMicros; age++) {
            if (tally.slotMark(age) != own) {
                boolean failed = counts(kind, tally.sign(age));
                all.add(failed);
                ofGood.addIf(tally.good(age), failed);
            }
        }
        return usedOf(all.count(), ofGood.count());
    }

    private static Count usedOf(Count all, Count ofGood) {
        boolean mostAreWell = ofGood.outcomes() >= LEAST_WELL && 2 * ofGood.outcomes() >= all.outcomes();
        return mostAreWell ? ofGood : all;
    }

    private static boolean counts(Kind kind, Sign sign) {
        return switch (kind) {
            case UNREACHED -> sign == Sign.UNREACHED;
            case FAULTS -> sign.failed();
            case CAPTCHAS -> sign == Sign.CAPTCHA;
        };
    }

    /** The share that failed; from few outcomes to the safe side: from none, a tenth. */
    private static double share(Count count) {
        return (count.failures() + 0.5) / (count.outcomes() + 5);
    }

    private static double clamp(double share, double least) {
        return Math.max(least, Math.min(MOST, share));
    }

    // ---- odds

    static double forGuilt(double normal, double delta) {
        return StrictMath.log((normal + delta * (1 - normal)) / normal);
    }

    static double against(double delta) {
        return StrictMath.log(1 - delta); // (1 - p1) / (1 - p0)
    }

    private static double score(int faults, int outcomes, double normal, double delta) {
        return faults * forGuilt(normal, delta) + (outcomes - faults) * against(delta);
    }
}
