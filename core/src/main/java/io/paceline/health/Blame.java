package io.paceline.health;

import java.util.Optional;
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
 * own side   of the pool, where    none                              it still fails beyond chance without the worse half of
 *            nothing explains them                                   the targets and any tag, and without a third of addresses
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
 * while its tag is.
 *
 * <p>{@link OwnSideBlame}, {@link GroupBlame} and {@link SubjectBlame} are the rows of the table, {@link Others} says what is
 * normal, {@link Relief} who is acquitted. Pure functions of rows and time.
 */
public final class Blame {
    /** ln 450,000. There are many suspects, and each of their failures is one more test. */
    static final double THRESHOLD = 13;

    private Blame() {}

    /** Who is guilty now, after a failure; empty where nobody is beyond doubt, and where it is known already. */
    public static Optional<Verdict> judge(Hearing hearing) {
        if (hearing.pool().guilty()) {
            return Optional.empty();
        }
        Verdict verdict = hearing.pool().hasWorked() ? group(hearing) : null;
        if (verdict == null && hearing.tags().stream().noneMatch(TallyRow::guilty)) {
            verdict = SubjectBlame.address(hearing);
        }
        if (verdict == null && !hearing.target().guilty()) {
            verdict = SubjectBlame.cell(hearing);
        }
        return Optional.ofNullable(verdict);
    }

    private static @Nullable Verdict group(Hearing hearing) {
        Verdict verdict = OwnSideBlame.ownSide(hearing);
        if (verdict == null && !hearing.target().guilty()) {
            verdict = GroupBlame.target(hearing);
        }
        for (int i = 0; verdict == null && i < hearing.tags().size(); i++) {
            TallyRow tag = hearing.tags().get(i);
            verdict = tag.guilty() ? null : GroupBlame.tag(hearing, tag);
        }
        return verdict;
    }

    /** Whether a guilty target, tag or pool is well again. */
    public static boolean relieved(TallyRow tally, long nowMicros) {
        return Relief.of(tally, nowMicros);
    }
}
