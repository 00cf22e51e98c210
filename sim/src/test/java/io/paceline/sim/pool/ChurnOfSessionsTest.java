package io.paceline.sim.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.store.DelayedStore;
import io.paceline.store.OnAddressDeath;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The exam's churn with every answer to a lost address, by one gatekeeper and by three over a bad network. */
class ChurnOfSessionsTest {

    @ParameterizedTest
    @CsvSource({"END, 1", "PAUSE, 1", "MIGRATE, 1", "END, 3", "PAUSE, 3", "MIGRATE, 3"})
    void noSessionIsMovedInSilence(OnAddressDeath death, int instances) {
        Scenario churn = Scenarios.all().stream()
                .filter(scenario -> scenario.name().equals("churn"))
                .findFirst()
                .orElseThrow();
        DelayedStore.Faults network = instances == 1 ? null : new DelayedStore.Faults(40_000, 0.02, 0.02, 0.05);
        Setup usual = Setup.DEFAULTS;
        Setup setup =
                new Setup(usual.settings(), usual.rules(), instances, network, usual.maxWait()).withSessions(death);
        Scenario variant = new Scenario(
                "churn-" + death,
                "",
                false,
                dice -> churn.plan().apply(dice).lasting(20 * Time.MINUTE).withSetup(setup));
        RunResult run = new World(variant, Contestant.PACELINE, 1).run();

        assertThat(run.violations()).isEmpty();
        assertThat(run.rotations()).isZero();
    }
}
