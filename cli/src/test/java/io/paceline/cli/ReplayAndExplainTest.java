package io.paceline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code replay}, {@code explain} and {@code simulate --config} as users meet them. */
class ReplayAndExplainTest {

    @TempDir
    private Path folder;

    private Path config;

    @BeforeEach
    void write() throws IOException {
        config = Files.writeString(folder.resolve("other.yaml"), """
                pools: [ { name: default, addresses: [ direct ], max_leases: 3 } ]
                rules: [ { name: tight, pattern: "*", limit: 1, window: 10s } ]
                """);
    }

    private Path record(String extra) throws IOException {
        StringBuilder lines = new StringBuilder("{\"paceline_record\":1,\"t\":1772366400000000}\n").append(extra);
        for (int i = 0; i < 300; i++) {
            long at = 1_772_366_400_000_000L + i * 1_000_000L;
            lines.append(("{\"t\":%d,\"e\":\"acquire\",\"asked\":%d,\"pool\":\"default\",\"host\":\"www.example.com\","
                            + "\"result\":\"granted\",\"target\":\"example.com\",\"max_wait_ms\":0,"
                            + "\"leases\":[{\"lease\":\"%x\",\"address\":\"a17\"}]}\n")
                    .formatted(at, at, i));
            lines.append(("{\"t\":%d,\"e\":\"outcome\",\"pool\":\"default\",\"address\":\"a17\","
                            + "\"target\":\"example.com\",\"lease\":\"%x\",\"outcome\":\"success\",\"latency_ms\":90.5}\n")
                    .formatted(at + 100_000, i));
        }
        return Files.writeString(folder.resolve("run.jsonl"), lines);
    }

    @Test
    void a_record_is_replayed_through_another_configuration() throws IOException {
        String file = record("").toString();

        Run text = Run.of("replay", file, "--config", config.toString());
        assertThat(text.code()).as(text.err()).isZero();
        assertThat(text.out())
                .containsPattern("requests +300 +300")
                .containsPattern("rate_limited +0 +270")
                .contains("example.com")
                .contains("note: pool default: none of its configured addresses is in the record");

        JsonNode json = new ObjectMapper()
                .readTree(Run.of("replay", file, "--config", config.toString(), "--json")
                        .out());
        assertThat(json.at("/replayed/permits").asLong()).isEqualTo(30);
        assertThat(json.at("/recorded/success_rate").asDouble()).isEqualTo(1);
    }

    @Test
    void a_record_is_turned_into_advice() throws IOException {
        StringBuilder angry = new StringBuilder();
        for (int i = 0; i < 30; i++) {
            angry.append(
                    ("{\"t\":%d,\"e\":\"outcome\",\"pool\":\"default\",\"address\":\"a17\",\"target\":\"example.com\","
                                    + "\"lease\":\"x%d\",\"outcome\":\"rate_limited\",\"status\":429}\n")
                            .formatted(1_772_366_400_000_000L, i));
        }
        String file = record(angry.toString()).toString();

        Run text = Run.of("advise", file);
        assertThat(text.code()).as(text.err()).isZero();
        assertThat(text.out())
                .startsWith("300 requests, 300 permits, 330 outcomes in 5 minutes")
                .contains("- example.com answered 429 or 503 to 30 of 330 requests (9.1 %)")
                .contains("with --config F");

        JsonNode json = new ObjectMapper()
                .readTree(Run.of("advise", file, "--config", config.toString(), "--json")
                        .out());
        assertThat(json.at("/advice/0/kind").asText()).isEqualTo("lower_limit");
        assertThat(json.at("/advice/0/figures/complaints").asInt()).isEqualTo(30);
        assertThat(Run.of("advise", config.toString()).code()).isEqualTo(1);
    }

    @Test
    void a_broken_line_is_named_and_skipped() throws IOException {
        Run run = Run.of("replay", record("{\"t\":\n").toString(), "--config", config.toString());

        assertThat(run.code()).isZero();
        assertThat(run.err()).contains("run.jsonl:2: skipped, it is not JSON").contains("602 lines, 1 of them broken");
    }

    @Test
    void what_cannot_be_replayed_is_said_in_one_line() throws IOException {
        Run none = Run.of("replay", config.toString(), "--config", config.toString());
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err()).contains("other.yaml is no record");

        assertThat(Run.of("replay", "x.jsonl").code()).isEqualTo(2);
        assertThat(Run.of("replay").code()).isEqualTo(2);
        Run missing = Run.of("replay", folder.resolve("x.jsonl").toString(), "--config", config.toString());
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.err()).contains("there is no file");
    }

    @Test
    void explain_without_a_gatekeeper_says_so() {
        Run run = Run.of("explain", "a17", "--url", "http://127.0.0.1:1");

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).contains("no gatekeeper answers at");
    }

    @Test
    void the_exam_runs_by_settings_of_ones_own() {
        String[] trial = {"simulate", "small-pool", "--seeds", "1", "--policy", "paceline", "--json"};
        Run plain = Run.of(trial);
        Run own = Run.of(
                "simulate", "small-pool", "--seeds", "1", "--policy", "paceline", "--json", "--config", "" + config);

        assertThat(own.code()).as(own.err()).isZero();
        assertThat(own.err()).contains("runs by pool default of").contains("and its rules");
        assertThat(own.out()).isNotEqualTo(plain.out());
        Run scaler = Run.of("simulate", "scaler", "--config", "" + config);
        assertThat(scaler.code()).isEqualTo(2);
        assertThat(scaler.err()).contains("--config is for the pool scenarios");
    }
}
