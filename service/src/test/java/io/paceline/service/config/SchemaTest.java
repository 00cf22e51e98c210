package io.paceline.service.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.paceline.pool.Strategy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The schema for editors and the readers know the same keys at the same places. */
class SchemaTest {

    private static final Path SCHEMA = Path.of("..", "paceline.schema.json");

    @Test
    void the_schema_and_the_reader_know_the_same_keys() throws IOException {
        Map<String, Set<String>> inSchema = new LinkedHashMap<>();
        collect("", schema(), inSchema);

        Map<String, Set<String>> inReader = new LinkedHashMap<>();
        ConfigKeys.places().forEach((place, keys) -> inReader.put(place, new HashSet<>(keys.known())));
        assertThat(inSchema).isEqualTo(inReader);
    }

    @Test
    void the_schema_knows_every_strategy() throws IOException {
        Set<String> words = new HashSet<>();
        schema().at("/$defs/strategy/enum").forEach(word -> words.add(word.asText()));
        for (Strategy strategy : Strategy.values()) {
            assertThat(words).contains(strategy.word());
        }
        assertThat(words).hasSize(Strategy.values().length);
    }

    private static JsonNode schema() throws IOException {
        return new ObjectMapper().readTree(SCHEMA.toFile());
    }

    private static void collect(String place, JsonNode node, Map<String, Set<String>> places) {
        if (node.has("properties")) {
            assertThat(node.path("additionalProperties").asBoolean(true))
                    .as(place)
                    .isFalse();
            Set<String> keys = new HashSet<>();
            node.get("properties").properties().forEach(property -> {
                keys.add(property.getKey());
                collect(
                        place.isEmpty() ? property.getKey() : place + "." + property.getKey(),
                        property.getValue(),
                        places);
            });
            places.put(place, keys);
        }
        if (node.path("additionalProperties").isObject()) {
            collect(place + ".*", node.get("additionalProperties"), places);
        }
        if (node.has("items")) {
            collect(place + "[]", node.get("items"), places);
        }
        node.path("anyOf").forEach(choice -> collect(place, choice, places));
    }
}
