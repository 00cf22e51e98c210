package io.paceline.redis.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.Per;
import io.paceline.pace.Scope;
import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HoldingsTest {
    private static final long SECOND = 1_000_000;
    private static final long REST = 10 * SECOND;

    private static Team team(Division division, long generation, Long... instances) {
        return new Team(division, 7, generation, List.of(instances));
    }

    private static Charge charge(LimitSpec spec, Per... per) {
        return Charge.of("r", "r|x", spec, 0, false, Scope.of(per), false);
    }

    @Test
    void aPartIsUsedOnceAllHaveLearnedOfItAndTheRestIsOver() {
        Team one = team(Division.HASH, 1, 1L);
        Holdings holdings = Holdings.none(1).learned(one, false, REST, 0);
        assertThat(holdings.serves()).isFalse();
        holdings = holdings.learned(one, true, REST, SECOND);
        assertThat(holdings.owns(5)).isFalse();
        holdings = holdings.learned(one, true, REST, SECOND + REST - 1);
        assertThat(holdings.serves()).isFalse();
        holdings = holdings.learned(one, true, REST, SECOND + REST);
        assertThat(holdings.owns(5)).isTrue();
        assertThat(holdings.quiet()).isTrue();
    }

    @Test
    void anAgreementThatIsBrokenBeginsItsRestAnew() {
        Team one = team(Division.HASH, 1, 1L);
        Holdings holdings = Holdings.none(1).learned(one, true, REST, 0).learned(one, false, REST, 5 * SECOND);
        assertThat(holdings.learned(one, true, REST, REST).serves()).isFalse();
        assertThat(holdings.learned(one, true, REST, REST)
                        .learned(one, true, REST, 2 * REST)
                        .serves())
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"HASH", "MODULO", "DOMAIN"})
    void whatGoesToAnotherIsLeftAtOnceAndWhatComesIsWaitedFor(Division division) {
        Team two = team(division, 2, 1L, 2L);
        Team three = team(division, 3, 1L, 2L, 3L);
        Holdings settled = settled(1, two);
        Holdings narrowed = settled.learned(three, false, REST, 100 * SECOND);
        Holdings next = narrowed.learned(three, true, REST, 200 * SECOND).learned(three, true, REST, 300 * SECOND);
        for (long key = 0; key < 2_000; key++) {
            boolean before = two.ownerOfAddress(key) == 1;
            boolean after = three.ownerOfAddress(key) == 1;
            assertThat(settled.owns(key)).isEqualTo(before);
            assertThat(narrowed.owns(key)).isEqualTo(before && after);
            assertThat(next.owns(key)).isEqualTo(after);
            assertThat(narrowed.servesTarget(key))
                    .isEqualTo(two.ownerOfTarget(key, 1) == 1 && three.ownerOfTarget(key, 1) == 1);
        }
    }

    private static Holdings settled(long self, Team team) {
        return Holdings.none(self).learned(team, true, 0, 0);
    }

    /** Each learns of teams at times of its own, and settles only when all have learned: whatever comes, nothing has two users. */
    @SeededTest(seeds = 60)
    void noTwoEverOwnOneAddressOrTarget(long seed) {
        RandomGenerator random = Seeds.random(seed);
        Division division =
                List.of(Division.HASH, Division.MODULO, Division.DOMAIN).get((int) (seed % 3));
        List<Long> present = new ArrayList<>(List.of(1L, 2L));
        List<Holdings> all = new ArrayList<>();
        Team team = team(division, 2, 1L, 2L);
        all.add(settled(1, team));
        all.add(settled(2, team));
        long next = 3;
        long generation = 2;
        for (long step = 1; step < 200; step++) {
            if (random.nextInt(8) == 0) {
                generation++;
                if (present.size() > 1 && random.nextBoolean()) {
                    long gone = present.remove(random.nextInt(present.size()));
                    all.removeIf(each -> each.self() == gone);
                } else {
                    all.add(Holdings.none(next));
                    present.add(next++);
                }
                team = new Team(division, 7, generation, present);
            }
            Team newest = team;
            boolean agreed = all.stream().allMatch(each -> newest.equals(each.last()));
            int who = random.nextInt(all.size());
            all.set(who, all.get(who).learned(newest, agreed, 3, step));
            for (long key = 0; key < 50; key++) {
                long address = Rendezvous.mixed(key);
                assertThat(all.stream().filter(each -> each.owns(address)).count())
                        .isLessThanOrEqualTo(1);
                if (division.ownsTargets()) {
                    assertThat(all.stream()
                                    .filter(each -> each.servesTarget(address))
                                    .count())
                            .isLessThanOrEqualTo(1);
                }
            }
            int shares = all.stream()
                    .filter(Holdings::serves)
                    .map(each -> each.share(charge(new LimitSpec.Window(20, SECOND), Per.GLOBAL), 1, false))
                    .mapToInt(share -> share == null ? 0 : share.mostAtOnce())
                    .sum();
            assertThat(shares).isLessThanOrEqualTo(20);
        }
    }

    @Test
    void sharesOfALimitAddUpToItAndThoseOfAnOwnerAreWhole() {
        LimitSpec limit = new LimitSpec.Window(10, SECOND);
        for (Division division : List.of(Division.HASH, Division.MODULO, Division.DOMAIN)) {
            Team team = team(division, 3, 1L, 2L, 3L);
            boolean whole = division == Division.DOMAIN;
            assertThat(sum(team, charge(limit, Per.TARGET))).isEqualTo(whole ? 30 : 10);
            assertThat(sum(team, charge(limit, Per.RULE))).isEqualTo(10);
            assertThat(sum(team, charge(limit, Per.TENANT))).isEqualTo(10);
            assertThat(team.share(charge(limit, Per.ADDRESS), 5, false, 2)).isEqualTo(limit);
            assertThat(team.share(charge(limit, Per.SESSION), 5, true, 2)).isEqualTo(limit);
            assertThat(team.share(charge(limit, Per.SESSION), 5, false, 2)).isNotEqualTo(limit);
        }
    }

    private static int sum(Team team, Charge charge) {
        return team.instances().stream()
                .map(instance -> team.share(charge, 5, false, instance))
                .mapToInt(share -> share == null ? 0 : share.mostAtOnce())
                .sum();
    }

    /** Else a target of one a second, two at once, might have its second here and its place there. */
    @Test
    void whoHasAShareOfOneSmallLimitOfATargetHasOneOfTheOthers() {
        Team team = team(Division.HASH, 5, 1L, 2L, 3L, 4L, 5L);
        for (long target = 0; target < 100; target++) {
            Charge rate = Charge.of("r", "r|" + target, new LimitSpec.Gcra(SECOND, 1), 0, false);
            Charge atOnce = Charge.of("r", "r|" + target + "||at-once", new LimitSpec.Concurrency(2), 0, false);
            long first = team.firstOf(rate, target);
            assertThat(team.share(rate, target, false, first)).isNotNull();
            assertThat(team.share(atOnce, target, false, first)).isNotNull();
        }
    }

    @Test
    void theSmallerOfTwoSharesIsWithinBoth() {
        assertThat(Shares.smaller(new LimitSpec.Gcra(20, 3), new LimitSpec.Gcra(30, 4)))
                .isEqualTo(new LimitSpec.Gcra(30, 3));
        assertThat(Shares.smaller(new LimitSpec.Concurrency(3), new LimitSpec.Concurrency(2)))
                .isEqualTo(new LimitSpec.Concurrency(2));
        assertThat(Shares.smaller(new LimitSpec.Pace(1, 4), new LimitSpec.Pace(0.5, 2)))
                .isEqualTo(new LimitSpec.Pace(0.5, 2));
    }
}
