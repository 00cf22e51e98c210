package io.paceline.health;

import static io.paceline.health.Odds.clamp;
import static io.paceline.health.Odds.share;

import io.paceline.health.TallyRow.Count;
import io.paceline.health.TallyRow.Kind;

/**
 * What others met since an address or a cell began to fail, and what follows for what is normal.
 *
 * @param inPool outcomes of others anywhere
 * @param onTarget outcomes of others on this target
 * @param anywhere what would be normal wherever
 * @param hereOrAnywhere what would be normal on this target
 */
record Others(Count inPool, Count onTarget, double anywhere, double hereOrAnywhere) {
    /** Captchas are rarer than other failures, where all is well. */
    static final double LEAST_CAPTCHAS = 0.002;

    /** What is normal for a pool of which nothing is known. */
    static final double NORMAL = 0.02;

    /** The longest time-out: how much earlier than its first failure a bad stretch may have begun. */
    private static final long TIMEOUT_MICROS = 10_000_000;

    /** Without so many outcomes of others, or so many in the long run, there is nothing to compare with. */
    static final int LEAST_OTHERS = 3;

    private static final int LEAST_USUAL = 20;

    private static final int LEAST_WELL = 10;

    /** Too few are known, or nobody has ever got through: then what others met says nothing. */
    boolean tellNothing(TallyRow pool) {
        return (inPool.outcomes() < LEAST_OTHERS && pool.usualOutcomes() < LEAST_USUAL) || !pool.hasWorked();
    }

    /**
     * What others met meanwhile.
     *
     * @param trail of the suspect
     * @param kind which failures are compared
     */
    static Others of(Hearing hearing, Trail trail, Kind kind) {
        double least = kind == Kind.CAPTCHAS ? LEAST_CAPTCHAS : Odds.LEAST;
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
}
