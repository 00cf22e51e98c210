package io.paceline.service.lists;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Files that are JSON as a whole: an array of strings or objects, objects one after another, or an object that holds
 * such an array ({@code {"data": [...]}}).
 */
final class JsonFile {

    /** Reads values one after another, so more may follow each. */
    private static final ObjectMapper ELEMENTS = new ObjectMapper();

    private static final Pattern START = Pattern.compile("\\s*(\\{|\\[\\s*[\"{\\]])");

    private JsonFile() {}

    /** Empty where the text is no JSON as a whole: it is then read line by line, so that good lines survive. */
    static Optional<ProxyList> read(String text) {
        String body = LineReader.strip(text);
        if (!START.matcher(body).lookingAt()) {
            return Optional.empty();
        }
        ProxyList.Collector collector = new ProxyList.Collector();
        // Stripped line ends count for the line numbers.
        int before = (int) text.substring(0, text.indexOf(body))
                .chars()
                .filter(c -> c == '\n')
                .count();
        try (JsonParser parser = ELEMENTS.createParser(body)) {
            while (parser.nextToken() != null) {
                value(parser, before, collector);
            }
            return Optional.of(collector.list());
        } catch (IOException notJson) {
            return Optional.empty();
        }
    }

    private static void value(JsonParser parser, int before, ProxyList.Collector collector) throws IOException {
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                element(parser, before, collector);
            }
        } else {
            element(parser, before, collector);
        }
    }

    private static void element(JsonParser parser, int before, ProxyList.Collector collector) throws IOException {
        int line = before + parser.currentTokenLocation().getLineNr();
        JsonNode node = parser.readValueAsTree();
        Optional<JsonNode> inner = onlyArray(node);
        if (inner.isEmpty()) {
            collector.add(line, read(node));
            return;
        }
        for (JsonNode element : inner.get()) {
            collector.add(line, read(element));
        }
    }

    /** The array inside an envelope; a proxy's own object has a host, or a list of protocols at most. */
    private static Optional<JsonNode> onlyArray(JsonNode node) {
        JsonNode found = null;
        if (!node.isObject()) {
            return Optional.empty();
        }
        for (var field : node.properties()) {
            String name = ProxyFields.canonicalName(field.getKey());
            if (field.getValue().isValueNode() && name.equals(ProxyFields.HOST)) {
                return Optional.empty();
            }
            if (field.getValue().isArray() && !name.equals(ProxyFields.SCHEME)) {
                found = field.getValue();
            }
        }
        return Optional.ofNullable(found);
    }

    private static ProxyLine read(JsonNode node) {
        try {
            return ProxyJson.element(node, new LineReader());
        } catch (BadLineException fault) {
            return fault.bad();
        }
    }
}
