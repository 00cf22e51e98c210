package io.paceline.sim.scaler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** The autoscaler's exam over twenty seeds, with the figures that were asked for. */
class ExamIT {

    private static final int SEEDS = 20;

    @Test
    void thePlannerPassesTheExam() {
        List<ScenarioReport> exam = ScalerLab.run(
                Scenarios.exam().stream().map(Scenario::name).toList(),
                List.of(Contestant.PLANNER, Contestant.THRESHOLD, Contestant.HPA),
                1,
                SEEDS,
                line -> {});
        assertThat(late(exam, 0)).isLessThanOrEqualTo(0.01);
        assertThat(late(exam, 1)).isGreaterThan(0.08);
        assertThat(sum(exam, 0, PolicyReport::workerHours))
                .isLessThanOrEqualTo(sum(exam, 2, PolicyReport::workerHours));
        assertThat(exam)
                .allSatisfy(r -> assertThat(r.policies().get(0).capBreaches()).isZero());

        PolicyReport dump = named(exam, "dump").policies().get(0);
        assertThat(dump.sloMissRate()).isZero();
        assertThat(dump.worstPeak()).isLessThan(8);

        List<PolicyReport> outage = named(exam, "outage").policies();
        assertThat(outage.get(0).wastedAttempts()).isLessThan(outage.get(1).wastedAttempts());
        assertThat(outage.get(0).wastedAttempts()).isLessThan(outage.get(2).wastedAttempts());
    }

    @Test
    void theHeldOutScenariosBreakNothing() {
        List<ScenarioReport> heldOut = ScalerLab.run(
                Scenarios.heldOut().stream().map(Scenario::name).toList(),
                List.of(Contestant.PLANNER),
                1,
                SEEDS,
                line -> {});
        assertThat(heldOut).allSatisfy(r -> {
            PolicyReport planner = r.policies().get(0);
            assertThat(planner.capBreaches()).as(r.name()).isZero();
            assertThat(planner.blindDowns()).as(r.name()).isZero();
            assertThat(planner.uselessStarts()).as(r.name()).isLessThan(4);
        });
    }

    private static double late(List<ScenarioReport> exam, int policy) {
        return exam.stream()
                .filter(ScenarioReport::countsForWaits)
                .mapToDouble(r -> r.policies().get(policy).sloMissRate())
                .average()
                .orElseThrow();
    }

    private static double sum(List<ScenarioReport> exam, int policy, ToDoubleFunction<PolicyReport> measure) {
        return exam.stream()
                .mapToDouble(r -> measure.applyAsDouble(r.policies().get(policy)))
                .sum();
    }

    private static ScenarioReport named(List<ScenarioReport> exam, String name) {
        return exam.stream().filter(r -> r.name().equals(name)).findFirst().orElseThrow();
    }
}
