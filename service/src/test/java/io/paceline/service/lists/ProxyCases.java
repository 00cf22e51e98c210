package io.paceline.service.lists;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/** The shared rows of {@code cases/1-proxy-list.jsonl}. */
final class ProxyCases {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private ProxyCases() {}

    static Stream<Named<JsonNode>> rows() {
        return new String(bytes("1-proxy-list.jsonl"), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .map(ProxyCases::node)
                .map(row ->
                        Named.of(row.get("id").asText() + " " + row.get("why").asText(), row));
    }

    static byte[] bytes(String file) {
        try (InputStream in = ProxyCases.class.getResourceAsStream("/cases/" + file)) {
            return Objects.requireNonNull(in, file).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode node(String line) {
        try {
            return MAPPER.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
