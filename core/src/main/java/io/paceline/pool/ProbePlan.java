package io.paceline.pool;

import io.paceline.Address;
import io.paceline.health.ProbeSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Who is to be probed now, of the addresses of one pool.
 *
 * <pre>
 * address                              probed
 * -----------------------------------  ----------------------------------------------------------------------
 * half-open                            about every second, until it has risen or failed; where probes prove
 *                                      nothing three times in a row, live leases take over
 * serves, neither used nor probed      after a time drawn anew each time between idleMin and idleMax
 * serves and is used                   never: its traffic tells more
 * in quarantine                        never
 * metered, or of a kind that cannot    never
 * be spoken to
 * </pre>
 *
 * <p>Half-open ones come first; all share one rate, of which at most a second's worth is saved up. Guarded by its
 * {@link PoolView}.
 */
final class ProbePlan {
    /**
     * Between two probes of one half-open address; jittered, so that those released together part. Never above a second,
     * the longest time between two looks at the plan, or every other look would come too early.
     */
    private static final long STEP_MICROS = 800_000;

    private static final double STEP_JITTER = 0.25;

    /** Probes of a half-open address that may prove nothing, one after another. */
    private static final int MOST_IN_VAIN = 3;

    /** A probe that was handed out and whose end is never told. */
    private static final long LOST_MICROS = 120_000_000;

    /** How many entries are looked at a time: a big pool is walked through step by step. */
    private static final int MOST_LOOKED_AT = 4_096;

    /** What the plan knows of one member. */
    static final class Entry {
        private final Member member;
        private long atMicros;
        private long idleMicros;
        private long busyUntilMicros;
        /** With a half-open member: not before then. */
        private long stepMicros;

        private int epoch;
        private int inVain;
        long checkedMicros;
        long latencyMicros;

        Entry(Member member) {
            this.member = member;
        }

        /** Half-open, and left to live leases since probes prove nothing about it. */
        boolean leftToLeases() {
            return epoch == member.standing.epoch() && inVain >= MOST_IN_VAIN;
        }
    }

    private PriorityQueue<Entry> agenda = agenda();
    private double saved;
    private long savedAtMicros;
    private boolean current;

    private static PriorityQueue<Entry> agenda() {
        return new PriorityQueue<>(
                Comparator.comparingLong((Entry entry) -> entry.atMicros).thenComparingInt(entry -> entry.member.slot));
    }

    /** Members or settings have changed. */
    void outdated() {
        current = false;
    }

    /**
     * Whom to probe now.
     *
     * @param members all of the pool
     * @param halfOpen those of them that are half-open
     * @param probeable which addresses may be probed at all
     * @param most how many are wanted at most
     */
    List<Member> due(
            ProbeSettings settings,
            Collection<Member> members,
            Collection<Member> halfOpen,
            Predicate<Address> probeable,
            int most,
            long nowMicros,
            RandomGenerator random) {
        if (!current) {
            rebuild(settings, members, probeable, nowMicros, random);
        }
        save(settings, nowMicros);
        List<Member> due = new ArrayList<>();
        for (Member member : halfOpen) {
            if (saved < 1 || due.size() >= most) {
                return due;
            }
            Entry entry = member.probe;
            if (entry != null && testable(entry, nowMicros, random)) {
                hand(entry, due, nowMicros);
            }
        }
        for (int i = 0; i < MOST_LOOKED_AT && saved >= 1 && due.size() < most; i++) {
            Entry entry = agenda.peek();
            if (entry == null || entry.atMicros > nowMicros) {
                break;
            }
            agenda.remove();
            if (idle(entry, nowMicros)) {
                hand(entry, due, nowMicros);
            }
            entry.atMicros = next(entry, settings, nowMicros, random);
            agenda.add(entry);
        }
        return due;
    }

    private void rebuild(
            ProbeSettings settings,
            Collection<Member> members,
            Predicate<Address> probeable,
            long nowMicros,
            RandomGenerator random) {
        current = true;
        agenda = agenda();
        for (Member member : members) {
            if (!probeable.test(member.address())) {
                member.probe = null;
                continue;
            }
            Entry entry = member.probe == null ? new Entry(member) : member.probe;
            member.probe = entry;
            entry.idleMicros = idleMicros(settings, random);
            // The first ones fall due all over the interval, as if they had been at it for long.
            entry.atMicros = nowMicros + (long) (random.nextDouble() * entry.idleMicros);
            agenda.add(entry);
        }
    }

    private void save(ProbeSettings settings, long nowMicros) {
        double earned = settings.perSecond() * Math.max(0, nowMicros - savedAtMicros) / 1e6;
        saved = Math.min(Math.max(1, settings.perSecond()), saved + earned);
        savedAtMicros = nowMicros;
    }

    private static boolean testable(Entry entry, long nowMicros, RandomGenerator random) {
        int epoch = entry.member.standing.epoch();
        if (entry.epoch != epoch) {
            entry.epoch = epoch;
            entry.inVain = 0;
            entry.stepMicros = nowMicros + (long) (STEP_MICROS * random.nextDouble());
        }
        return entry.inVain < MOST_IN_VAIN
                && entry.stepMicros <= nowMicros
                && entry.busyUntilMicros <= nowMicros
                && entry.member.live == 0;
    }

    private static boolean idle(Entry entry, long nowMicros) {
        return entry.member.standing.inService()
                && entry.busyUntilMicros <= nowMicros
                && entry.member.live == 0
                && nowMicros - entry.member.lastUsedMicros >= entry.idleMicros;
    }

    private void hand(Entry entry, List<Member> due, long nowMicros) {
        saved -= 1;
        entry.busyUntilMicros = nowMicros + LOST_MICROS;
        due.add(entry.member);
    }

    /** When to look at it again: where it is in use, when it may have been idle for long enough at the earliest. */
    private static long next(Entry entry, ProbeSettings settings, long nowMicros, RandomGenerator random) {
        long lastUsed = entry.member.live > 0 ? nowMicros : entry.member.lastUsedMicros;
        long idleSince = lastUsed + entry.idleMicros;
        if (idleSince > nowMicros) {
            return idleSince;
        }
        entry.idleMicros = idleMicros(settings, random);
        return nowMicros + entry.idleMicros;
    }

    private static long idleMicros(ProbeSettings settings, RandomGenerator random) {
        long min = settings.idleMin().toNanos() / 1_000;
        long max = settings.idleMax().toNanos() / 1_000;
        return min + (long) (random.nextDouble() * (max - min));
    }

    /** A probe has ended; {@code conclusive} is null where it was not made: somebody else does it. */
    static void ended(
            Entry entry, @Nullable Boolean conclusive, long latencyMicros, long nowMicros, RandomGenerator random) {
        entry.busyUntilMicros = 0;
        entry.stepMicros = nowMicros + (long) (STEP_MICROS * (1 + STEP_JITTER * (2 * random.nextDouble() - 1)));
        if (conclusive == null) {
            return;
        }
        entry.inVain = conclusive ? 0 : entry.inVain + 1;
        entry.checkedMicros = nowMicros;
        entry.latencyMicros = latencyMicros >= 0 ? latencyMicros : entry.latencyMicros;
    }
}
