package io.paceline.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A whole demo, short: what it promises holds, whatever the machine. */
class DemoIT {

    /** The naive run knows nothing of what goes on, so that its share of pages depends on the seed alone, or nearly. */
    private static final double CLEARLY = 0.05;

    @Test
    void paceline_gets_nearly_every_page_and_clearly_more_than_the_naive_run_without_rotations_or_429s()
            throws IOException, InterruptedException {
        StringWriter progress = new StringWriter();
        Demo.Options options = new Demo.Options(15, 1, "mixed", true, false);
        JsonNode runs = new ObjectMapper()
                .readTree(new Demo(options, new PrintWriter(progress, true)).run())
                .path("runs");

        assertThat(runs).extracting(run -> run.path("mode").asText()).containsExactly("naive", "api", "proxy");
        JsonNode naive = runs.path(0);
        assertThat(naive.path("session_rotations").asInt()).isPositive();
        for (JsonNode paceline : List.of(runs.path(1), runs.path(2))) {
            String mode = paceline.path("mode").asText();
            double success = paceline.path("success_rate").asDouble();
            assertThat(success)
                    .as(mode)
                    .isGreaterThanOrEqualTo(0.95)
                    .isGreaterThan(naive.path("success_rate").asDouble() + CLEARLY);
            assertThat(paceline.path("wasted_rate").asDouble())
                    .as(mode)
                    .isLessThan(naive.path("wasted_rate").asDouble());
            assertThat(paceline.path("session_rotations").asInt()).as(mode).isZero();
            assertThat(paceline.path("too_many_requests").asDouble())
                    .as(mode)
                    .isLessThanOrEqualTo(0.01 * paceline.path("requests").asDouble());
        }
        assertThat(progress.toString()).contains("seed 1", "naive", "api", "proxy", ", done");
    }
}
