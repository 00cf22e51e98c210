package io.paceline.sim.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.paceline.sim.Dice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The exam as a whole: its list and its reports. */
class PoolLabTest {

    @Test
    void theExamIsTheTableOfTheTargets() {
        assertThat(PoolLab.examNames())
                .containsExactly(
                        "dead-and-flaky",
                        "slow-and-hanging",
                        "captcha-drift",
                        "bans",
                        "platform-incident",
                        "captcha-wave",
                        "own-outage",
                        "control-url-dead",
                        "provider-down",
                        "mixed-blame",
                        "small-pool",
                        "trickle",
                        "churn");
    }

    @Test
    void everyScenarioHasAPlanForEverySeed() {
        for (Scenario scenario : Scenarios.all()) {
            for (long seed = 1; seed <= 20; seed++) {
                Scenario.Plan plan = scenario.plan().apply(Dice.of(seed));
                assertThat(plan.layout().members()).isBetween(3, 10_000);
                assertThat(plan.faults())
                        .allSatisfy(fault -> assertThat(fault.address())
                                .isLessThan(plan.layout().addresses().size()));
            }
        }
    }

    @Test
    void anUnknownScenarioIsMetWithTheListOfThoseThereAre() {
        assertThatThrownBy(() -> PoolLab.run(List.of("nowhere"), List.of(), 1, 1, line -> {}))
                .hasMessageContaining("nowhere")
                .hasMessageContaining("dead-and-flaky, slow-and-hanging");
    }

    @Test
    void aReportHasEveryPolicyAskedForAndProgressIsTold() {
        List<String> progress = Collections.synchronizedList(new ArrayList<>());
        List<ScenarioReport> reports =
                PoolLab.run(List.of("trickle"), List.of(Contestant.PACELINE, Contestant.RANDOM), 1, 2, progress::add);

        assertThat(reports).hasSize(1);
        assertThat(reports.get(0).policies()).extracting(PolicyReport::policy).containsExactly("paceline", "random");
        assertThat(reports.get(0).policies().get(0).oracleRatio()).isBetween(0.5, 1.05);
        assertThat(progress)
                .contains("scenario 1 of 1: trickle")
                .anyMatch(line -> line.startsWith("  paceline done: "))
                .anyMatch(line -> line.startsWith("  random done: "));
    }
}
