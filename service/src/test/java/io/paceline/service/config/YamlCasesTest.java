package io.paceline.service.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.paceline.pace.Rate;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rows of {@code cases/4-patterns.jsonl} that are rule files. */
class YamlCasesTest {

    @TempDir
    Path folder;

    static List<Named<JsonNode>> rows() throws IOException {
        List<Named<JsonNode>> rows = new ArrayList<>();
        try (InputStream in = YamlCasesTest.class.getResourceAsStream("/cases/4-patterns.jsonl")) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.lines().toList()) {
                JsonNode row = new ObjectMapper().readTree(line);
                if (row.get("type").asText().equals("yaml")) {
                    rows.add(Named.of(
                            row.get("id").asText() + " " + row.get("why").asText(), row));
                }
            }
        }
        return rows;
    }

    @ParameterizedTest
    @MethodSource("rows")
    void loads_or_refuses_the_shared_cases(JsonNode row) {
        ConfigResult result = Configs.load(folder, Map.of(), row.get("yaml").asText());
        JsonNode expect = row.get("expect");
        List<JsonNode> accepted = new ArrayList<>();
        expect.path("one_of").forEach(accepted::add);
        if (accepted.isEmpty()) {
            accepted.add(expect);
        }
        assertThat(accepted).anyMatch(one -> agrees(result, one));
    }

    private static boolean agrees(ConfigResult result, JsonNode expect) {
        boolean error = expect.get("load").asText().equals("error");
        return result.match(
                config -> !error && windowAgrees(config, expect),
                errors -> error && messagesAgree(errors.toString(), expect));
    }

    private static boolean windowAgrees(ServiceConfig config, JsonNode expect) {
        Rate rate = Objects.requireNonNull(config.rules().get(0).rate());
        long millis = expect.path("window_s").asLong() * 1_000
                + expect.path("window_ms").asLong();
        return rate.window().toMillis() == millis;
    }

    private static boolean messagesAgree(String messages, JsonNode expect) {
        for (JsonNode piece : expect.path("message_contains")) {
            if (!messages.contains(piece.asText())) {
                return false;
            }
        }
        return true;
    }
}
