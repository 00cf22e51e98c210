package io.paceline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardsCommandTest {

    @TempDir
    private Path folder;

    @Test
    void theTableSaysWhatMovesAndWhatItMeansByEachMethod() {
        Run run = Run.of("shards", "--instances", "3", "--then", "4");
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("from 3 instances to 4: 1,000 addresses, 10,000 session keys, 200 targets (an example")
                .containsPattern("addresses that move +0 +2\\d\\d \\(2\\d %\\) +7\\d\\d \\(7\\d %\\)")
                .contains("limit example, a window", "60         20 > 15         20 > 15              60")
                .contains("broker: nothing moves", "hash: ", "modulo: most of the pool", "domain: ")
                .contains("Of a limit like default-pace there is not enough for all: 3 of 4 instances send");
    }

    @Test
    void machinesReadTheSameFigures() throws IOException {
        JsonNode root = new ObjectMapper()
                .readTree(Run.of("shards", "--instances", "3", "--then", "4", "--json")
                        .out());
        assertThat(root.path("example").asBoolean()).isTrue();
        assertThat(root.path("methods").findValuesAsText("division"))
                .containsExactly("broker", "hash", "modulo", "domain");
        JsonNode hash = root.path("methods").get(1);
        assertThat(hash.path("addresses_moved").asInt()).isBetween(150, 325);
        assertThat(hash.path("sessions_ended").asInt()).isZero();
        assertThat(hash.path("limits")
                        .get(0)
                        .path("share_per_instance")
                        .path("then")
                        .path("most")
                        .asInt())
                .isEqualTo(15);
    }

    @Test
    void aConfigurationIsCountedByItsOwnAddressesTargetsAndRules() throws IOException {
        Path config = Files.writeString(folder.resolve("paceline.yaml"), """
                pools:
                  - name: default
                    addresses: [ { inline: "http://198.51.100.1:1" }, { inline: "http://198.51.100.2:1" } ]
                  - name: other
                    addresses: [ { inline: "http://198.51.100.2:1" }, { inline: "http://198.51.100.3:1" } ]
                targets: [ { match: .example.com, name: example } ]
                rules: [ { name: mine, pattern: "*", limit: 9, window: 1m } ]
                """);
        Run run = Run.of("shards", "--instances", "2", "--then", "3", "--config", config.toString());
        assertThat(run.out()).contains("3 addresses", "1 targets", "limit mine, a window", "4-5 > 3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--instances 0 --then 4|1|--instances must be 1 to 1000, not 0",
                "--instances 3 --then 1001|1|--then must be 1 to 1000, not 1001",
                "--instances 3 --then 3|1|so nothing moves: write another number",
                "--instances 3|2|--then",
                "--instances three --then 4|2|three",
                "--instances 3 --then 4 --config nowhere.yaml|1|the file does not exist",
            })
    void whatCannotBeCountedIsToldWithWhatToWrite(String arguments, int code, String message) {
        Run run = Run.of(("shards " + arguments).split(" "));
        assertThat(run.code()).isEqualTo(code);
        assertThat(run.err()).contains(message);
    }

    @Test
    void helpShowsAnExample() {
        assertThat(Run.of("shards", "--help").out()).contains("paceline shards --instances 3 --then 4 --config");
    }
}
