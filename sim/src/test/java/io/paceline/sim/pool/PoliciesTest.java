package io.paceline.sim.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.sim.pool.Scenario.Plan;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each policy in a short scene of its own: what it is known for must show. */
class PoliciesTest {
    private static final List<Site> SITES =
            List.of(new Site("one.example", 0.3, null), new Site("two.example", 0.3, null));

    private static Scenario scene(Load load, int members, double noise, Fault... faults) {
        Layout layout = Layout.of(members, 0, 2, SITES, noise);
        Plan plan = Plan.of(layout, load, List.of(faults)).lasting(10 * Time.MINUTE);
        return new Scenario("scene", "a scene", false, dice -> plan);
    }

    private static RunResult run(Contestant contestant, Scenario scenario) {
        return new World(scenario, contestant, 1).run();
    }

    private static Scenario threeOfTwentyDead() {
        return scene(
                Load.open(10),
                20,
                0.02,
                Fault.ofAddress(0, 1, Face.NO_CONNECTION),
                Fault.ofAddress(7, 1, Face.NO_CONNECTION),
                Fault.ofAddress(12, 1, Face.NO_CONNECTION));
    }

    @ParameterizedTest
    @EnumSource(Contestant.class)
    void runsToItsEndWithoutBreakingAPromiseAndTheSameAgain(Contestant contestant) {
        RunResult first = run(contestant, threeOfTwentyDead());
        RunResult second = run(contestant, threeOfTwentyDead());

        assertThat(first.requests()).isBetween(5_500L, 6_500L);
        assertThat(first.violations()).isEmpty();
        assertThat(second.digest()).isEqualTo(first.digest());
        assertThat(new World(threeOfTwentyDead(), contestant, 2).run().digest()).isNotEqualTo(first.digest());
    }

    @Test
    void theOracleWastesNothing() {
        RunResult oracle = run(Contestant.ORACLE, threeOfTwentyDead());

        assertThat(oracle.wastedRate()).isZero();
        assertThat(oracle.successRate()).isGreaterThan(0.97);
    }

    @Test
    void aRandomListWastesInProportion() {
        assertThat(run(Contestant.RANDOM, threeOfTwentyDead()).wastedRate()).isBetween(0.13, 0.17);
    }

    @Test
    void pacelinePutsTheDeadOutAndNobodyElse() {
        RunResult ours = run(Contestant.PACELINE, threeOfTwentyDead());

        assertThat(ours.wastedRate()).isLessThan(0.03);
        assertThat(ours.falseQuarantines()).isZero();
        assertThat(ours.successRate()).isGreaterThan(0.95);
    }

    @Test
    void theBackoffListBansForNoise() {
        RunResult list = run(Contestant.BACKOFF, threeOfTwentyDead());

        assertThat(list.falseQuarantines()).isGreaterThan(20);
        assertThat(list.wastedRate()).isLessThan(0.05);
    }

    @Test
    void outlierEjectionKeepsWithinATenthOfTheHosts() {
        RunResult outlier = run(Contestant.OUTLIER, threeOfTwentyDead());

        assertThat(outlier.falseQuarantines()).isZero();
        assertThat(outlier.wastedRate()).isBetween(0.03, 0.12);
    }

    @Test
    void sessionScoresRetireSessionsNotAddresses() {
        RunResult scores = run(Contestant.SESSIONS, threeOfTwentyDead());

        assertThat(scores.verdicts()).isZero();
        assertThat(scores.wastedRate()).isLessThan(0.15);
    }

    @Test
    void theNaiveBrokerBansEverybodyInTheEnd() {
        assertThat(run(Contestant.BROKER, threeOfTwentyDead()).refusedRate()).isGreaterThan(0.3);
    }

    @Test
    void onlyThoseWhoKnowSessionsKeepThem() {
        Scenario sessions = scene(Load.inSessions(5, 20), 20, 0);

        assertThat(run(Contestant.PACELINE, sessions).rotations()).isZero();
        assertThat(run(Contestant.SESSIONS, sessions).rotations()).isZero();
        assertThat(run(Contestant.RANDOM, sessions).rotations()).isGreaterThan(1_000);
    }

    @Test
    void aSessionWhoseAddressLeavesIsToldAndNeverMovedInSilence() {
        Layout layout = Layout.of(10, 10, 2, SITES, 0);
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            // The one who joins at the same moment takes the slot of the one who left.
            long at = Time.START + 6 * Time.MINUTE + i * Time.MINUTE / 2;
            changes.add(new Change(at, Change.Kind.REMOVE, i));
            changes.add(new Change(at + 1, Change.Kind.ADD, 10 + i));
        }
        Plan plan = Plan.of(layout, Load.inSessions(5, 40), List.of())
                .lasting(10 * Time.MINUTE)
                .withChanges(changes);
        RunResult ours = run(Contestant.PACELINE, new Scenario("leaving", "all leave in turn", false, dice -> plan));

        assertThat(ours.rotations()).isZero();
        assertThat(ours.sessionsEnded()).isGreaterThan(20);
        assertThat(ours.successRate()).isEqualTo(1);
        assertThat(ours.violations()).isEmpty();
    }

    @Test
    void recoveryIsCountedFromTheEndOfTheIncident() {
        long from = Time.START + 7 * Time.MINUTE;
        long until = from + 2 * Time.MINUTE;
        Plan plan = Plan.of(
                        Layout.of(20, 0, 2, SITES, 0.02),
                        Load.open(10),
                        List.of(Fault.ofTarget(1, 1, Looks.only(Face.SERVER_ERROR))
                                .during(from, until)))
                .lasting(10 * Time.MINUTE)
                .withEpisode(from, until, java.util.Set.of(1));
        RunResult ours = run(Contestant.PACELINE, new Scenario("incident", "a short one", false, dice -> plan));

        assertThat(ours.recoverySeconds()).isBetween(1.0, 30.0);
        assertThat(ours.elsewhereRate()).isGreaterThan(0.95);
        assertThat(ours.falseQuarantines()).isZero();
    }
}
