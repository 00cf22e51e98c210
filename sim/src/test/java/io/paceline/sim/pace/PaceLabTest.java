package io.paceline.sim.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Adaptive pace against hidden limits, a few seeds of the exam of TARGETS Q7. */
class PaceLabTest {
    private static PaceReport run(String scenario, Contestant contestant, int seeds) {
        return PaceLab.run(List.of(scenario), List.of(contestant), 1, seeds, line -> {})
                .get(0);
    }

    @ParameterizedTest
    @CsvSource({"steady-0.2, 0.02", "steady-2, 0.003"})
    void most_of_a_hidden_limit_is_used_with_few_refusals(String scenario, double refused) {
        PaceReport report = run(scenario, Contestant.PACELINE, 3);
        assertThat(report.used()).isGreaterThan(0.88);
        assertThat(report.refused()).isLessThanOrEqualTo(refused);
    }

    @ParameterizedTest
    @CsvSource({"limit-2-x0.5, 600", "limit-2-x1.3, 600", "limit-2-x2, 900", "limit-0.2-x10, 1500"})
    void a_change_of_the_limit_is_found_out_in_time(String scenario, double seconds) {
        assertThat(run(scenario, Contestant.PACELINE, 3).settledWorstSeconds()).isLessThanOrEqualTo(seconds);
    }

    @Test
    void a_thousand_callers_before_one_target_ask_once_where_they_wait_and_at_most_twice_by_hints() {
        List<CrowdReport> crowds = PaceLab.crowds(1);
        assertThat(crowds).extracting(CrowdReport::permits).containsOnly(1_000L);
        assertThat(crowds.get(0).callsAPermit()).isEqualTo(1);
        assertThat(crowds.get(1).callsAPermit()).isLessThanOrEqualTo(2);
    }

    @Test
    void the_same_seed_gives_the_same_figures() {
        assertThat(run("steady-0.2", Contestant.PACELINE, 2)).isEqualTo(run("steady-0.2", Contestant.PACELINE, 2));
    }

    @Test
    void an_unknown_scenario_is_refused_with_those_there_are() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> run("steady-3", Contestant.AIMD, 1))
                .withMessageContaining("steady-20");
    }
}
