package io.paceline.health;

import io.paceline.health.TallyRow.Kind;
import io.paceline.health.Verdict.Guilty;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Whether an address, or an address on one target, is guilty: the last rows of {@link Blame}'s table. */
final class SubjectBlame {
    /** Captchas are rare where all is well, and costly where it is not; a cell that is out costs little: ln 7. */
    private static final double CAPTCHA_THRESHOLD = 2;

    /** What has been out is not presumed innocent: two failures in a row say that it is sick still. */
    private static final double HALF_OPEN_THRESHOLD = 6.5;

    private static final double SICK = 0.5;
    /** What is dead fails nearly always: a second suspicion, by which it is found after fewer failures. */
    private static final double DEAD = 0.95;

    private static final double CAPTCHAS = 0.15;

    private static final int LEAST_CAPTCHAS_SEEN = 2;

    /** With nobody to compare with, so many failures in a row. */
    private static final int ALONE = 5;

    /** More of an address's failures on one target than this: the cell is asked, not the address. */
    private static final double ONE_TARGET = 0.6;

    private SubjectBlame() {}

    static @Nullable Verdict address(Hearing hearing) {
        Trail trail = hearing.address().trail();
        if (!trail.fault(0)) {
            return null;
        }
        Others others = Others.of(hearing, trail, Kind.UNREACHED);
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

    static @Nullable Verdict cell(Hearing hearing) {
        Trail trail = hearing.cell().trail();
        if (!trail.fault(0)) {
            return null;
        }
        Verdict captchas = trail.captcha(0) ? captchas(hearing, trail) : null;
        if (captchas != null) {
            return captchas;
        }
        Others others = Others.of(hearing, trail, Kind.FAULTS);
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
        Others others = Others.of(hearing, trail, Kind.CAPTCHAS);
        if (others.tellNothing(hearing.pool())) {
            return null;
        }
        double normal = others.hereOrAnywhere();
        Stretch stretch = new Stretch(CAPTCHAS);
        // The whole trail, not its bad stretch: captchas come between successes, and five do not make up for one.
        for (int age = 0; age < trail.length(); age++) {
            stretch.add(trail.captcha(age), normal);
        }
        Stretch worst = stretch.worst();
        double threshold =
                Math.min(captchaThreshold(normal), threshold(hearing.cell().standing()));
        return worst.score() < threshold || worst.faults() < LEAST_CAPTCHAS_SEEN
                ? null
                : worst.verdict(Guilty.CELL, true, normal, others.onTarget(), threshold);
    }

    /** Each captcha is a test: where they are usual there are more tests, and each must convict innocents less often. */
    private static double captchaThreshold(double normal) {
        return CAPTCHA_THRESHOLD + StrictMath.log(normal / Others.LEAST_CAPTCHAS);
    }

    /** With nobody to compare with, a plain count must do. */
    private static boolean failedThroughout(Trail trail) {
        return trail.length() >= ALONE && trail.faultsAmong(ALONE) == ALONE;
    }

    private static Verdict alone(Guilty guilty, Others others) {
        double normal = others.anywhere();
        return new Verdict(guilty, 0, ALONE, ALONE, false, normal, 0, 0, 0, Odds.of(ALONE, ALONE, Odds.LEAST, SICK), 0);
    }

    private static double threshold(Standing standing) {
        return standing.halfOpen() ? HALF_OPEN_THRESHOLD : Blame.THRESHOLD;
    }
}
