package io.paceline.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final List<RunResult> RUNS = List.of(
            new RunResult("naive", 2_453, 1_763, 1_462, 176, 92, 166, 3, 8.349, false),
            new RunResult("api", 1_900, 1_763, 1_760, 9, 0, 0, 2, 7.1, false));

    @Test
    void the_table_has_a_line_for_each_run_under_its_columns() {
        assertThat(Report.table(RUNS).lines())
                .containsExactly(
                        "mode    requests   success  wasted tries  captchas    429s  session rotations  seconds",
                        "naive      2,453    82.9 %        40.4 %       176      92                166      8.3",
                        "api        1,900    99.8 %         7.4 %         9       0                  0      7.1");
    }

    @Test
    void a_run_that_was_cut_short_says_so() {
        RunResult cut = new RunResult("naive", 10, 8, 6, 0, 0, 0, 0, 1, true);
        assertThat(Report.table(List.of(cut)))
                .contains("naive was cut short: its figures are of the 8 pages that it had time to begin.");
    }

    @Test
    void the_json_is_that_of_the_contract() throws JsonProcessingException {
        JsonNode root = new ObjectMapper().readTree(Report.json(42, RUNS));
        assertThat(root.fieldNames()).toIterable().containsExactly("seed", "runs");
        assertThat(root.path("seed").asLong()).isEqualTo(42);
        JsonNode naive = root.path("runs").path(0);
        assertThat(naive.fieldNames())
                .toIterable()
                .containsExactly(
                        "mode",
                        "requests",
                        "success_rate",
                        "wasted_rate",
                        "captchas",
                        "too_many_requests",
                        "session_rotations",
                        "seconds");
        assertThat(naive.path("mode").asText()).isEqualTo("naive");
        assertThat(naive.path("requests").asLong()).isEqualTo(2_453);
        assertThat(naive.path("success_rate").asDouble()).isEqualTo(0.8293);
        assertThat(naive.path("wasted_rate").asDouble()).isEqualTo(0.404);
        assertThat(naive.path("seconds").asDouble()).isEqualTo(8.35);
    }

    @Test
    void a_run_without_a_request_has_rates_of_zero() {
        RunResult none = new RunResult("api", 0, 0, 0, 0, 0, 0, 0, 0, true);
        assertThat(none.successRate()).isZero();
        assertThat(none.wastedRate()).isZero();
    }
}
