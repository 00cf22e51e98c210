package io.paceline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real gatekeepers over a real Redis, for as long as a build bears it; {@code ./paceline chaos} does the same for longer. */
@Tag("tools")
class ChaosIT {

    @Test
    void one_is_killed_and_Redis_forgets_everything_and_no_promise_is_broken() throws Exception {
        Run run = Run.of(
                "chaos",
                "--seconds",
                "10",
                "--gatekeepers",
                "3",
                "--clients",
                "24",
                "--faults",
                "kill:0,redis-restart",
                "--json");

        assertThat(run.code()).as(run.out() + run.err()).isZero();
        JsonNode report = new ObjectMapper().readTree(run.out());
        assertThat(report.path("permits").asInt()).isPositive();
        assertThat(report.path("violations")).isEmpty();
        assertThat(report.path("faults"))
                .hasSize(2)
                .allSatisfy(fault ->
                        assertThat(fault.path("recovery_seconds").isNumber()).isTrue());
    }

    @Test
    void what_it_cannot_do_is_said_before_anything_is_started() {
        assertThat(Run.of("chaos", "--faults", "earthquake").err())
                .contains("fault 'earthquake' is unknown: write some of kill, freeze, redis-restart");
        assertThat(Run.of("chaos", "--faults", "failover").err())
                .contains("fault failover does not befall a Redis that is 'single'");
        assertThat(Run.of("chaos", "--faults", "kill:soon").err()).contains("after ':' write whole seconds, 0 to 600");
        assertThat(Run.of("chaos", "--redis", "ring").err()).contains("it must be single, sentinel or cluster");
        assertThat(Run.of("chaos", "--clients", "0").err()).contains("--clients is 0: it must be from 1 to 512");
        Run lonely = Run.of("chaos", "--gatekeepers", "1", "--faults", "kill");
        assertThat(lonely.code()).isEqualTo(2);
        assertThat(lonely.err()).contains("take --gatekeepers 2 or more");
    }
}
