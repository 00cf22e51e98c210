package io.paceline.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.paceline.demo.Workload.Chain;
import io.paceline.demo.Workload.Lane;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadTest {
    private final Scenario scenario = Scenario.named("mixed").orElseThrow();

    @Test
    void thirty_seconds_are_a_few_thousand_pages_with_twenty_long_sessions() {
        Workload workload = Workload.of(scenario, Timing.of(30));
        assertThat(3 * workload.pages()).isBetween(3_000, 9_000);
        assertThat(workload.sessions()).isEqualTo(20);
        assertThat(chains(workload))
                .filteredOn(chain -> !chain.session().isEmpty())
                .allSatisfy(chain -> assertThat(chain.pages()).hasSizeGreaterThanOrEqualTo(10));
    }

    @Test
    void every_page_is_there_once_and_on_its_lane_s_site() {
        Workload workload = Workload.of(scenario, Timing.of(30));
        List<Page> pages = chains(workload).stream()
                .flatMap(chain -> chain.pages().stream())
                .toList();
        assertThat(pages).extracting(Page::number).doesNotHaveDuplicates().hasSize(workload.pages());
        for (Lane lane : workload.lanes()) {
            assertThat(lane.chains())
                    .flatExtracting(Chain::pages)
                    .extracting(Page::site)
                    .containsOnly(lane.site());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, Timing.MIN_SECONDS - 1, Timing.MAX_SECONDS + 1})
    void seconds_out_of_range_are_refused_with_the_range(int seconds) {
        assertThatThrownBy(() -> Timing.of(seconds))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--seconds " + seconds + " is not between " + Timing.MIN_SECONDS + " and ");
    }

    @ParameterizedTest
    @ValueSource(ints = {Timing.MIN_SECONDS, 30, Timing.MAX_SECONDS})
    void three_runs_and_their_time_outs_fit_into_the_time_granted(int seconds) {
        Timing timing = Timing.of(seconds);
        long run = timing.work().toMillis() + timing.tryTimeout().toMillis();
        assertThat(3 * run).isLessThan(seconds * 1_000L);
    }

    private static List<Chain> chains(Workload workload) {
        return workload.lanes().stream().flatMap(lane -> lane.chains().stream()).toList();
    }
}
