package io.paceline.sim.scaler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What must hold in every held-out scenario, and that a seed is a history. */
class HeldOutTest {

    static Stream<Scenario> heldOut() {
        return Scenarios.heldOut().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("heldOut")
    void noCapIsBrokenNothingShrinksBlindlyAndNothingRunsAway(Scenario scenario) {
        for (long seed = 1; seed <= 3; seed++) {
            RunResult result = new World(scenario, Contestant.PLANNER, seed).run();
            assertThat(result.capBreaches()).as("seed %d", seed).isZero();
            assertThat(result.blindDowns()).as("seed %d", seed).isZero();
            assertThat(result.uselessStarts()).as("seed %d", seed).isLessThanOrEqualTo(6);
        }
    }

    @Test
    void theSameSeedIsTheSameHistory() {
        Scenario scenario = Scenarios.exam().get(0);
        RunResult one = new World(scenario, Contestant.PLANNER, 7).run();
        assertThat(new World(scenario, Contestant.PLANNER, 7).run()).isEqualTo(one);
        assertThat(new World(scenario, Contestant.PLANNER, 8).run().digest()).isNotEqualTo(one.digest());
    }

    @Test
    void theHistoryOfASeedIsTheSameOnEveryJava() {
        assertThat(new World(Scenarios.exam().get(1), Contestant.PLANNER, 7)
                        .run()
                        .digest())
                .isEqualTo(PINNED);
    }

    private static final long PINNED = 2934030833516951347L;
}
