package io.paceline.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/** Rows of the case files in {@code src/test/resources/cases}, each called by its id and its reason. */
public final class Cases {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Cases() {}

    /** The rows of a file whose {@code type} is the one given. */
    public static Stream<Named<JsonNode>> ofType(String file, String type) {
        return rows(file).filter(row -> row.getPayload().path("type").asText().equals(type));
    }

    public static Stream<Named<JsonNode>> rows(String file) {
        try (InputStream in = Cases.class.getResourceAsStream("/cases/" + file)) {
            String text = new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
            return text.lines().filter(line -> !line.isBlank()).map(Cases::row);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Named<JsonNode> row(String line) {
        try {
            JsonNode row = JSON.readTree(line);
            return Named.of(row.path("id").asText() + ": " + row.path("why").asText(), row);
        } catch (IOException e) {
            throw new UncheckedIOException(line, e);
        }
    }
}
