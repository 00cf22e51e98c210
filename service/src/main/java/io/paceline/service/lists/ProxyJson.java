package io.paceline.service.lists;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;

/** Proxies as JSON: an object with named fields, or a string that holds a line. */
final class ProxyJson {

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private ProxyJson() {}

    /** Reads a line that begins with a brace; the comma of an array element may follow. */
    static ProxyLine line(String text) throws BadLineException {
        return element(parse(text.endsWith(",") ? text.substring(0, text.length() - 1) : text), new LineReader());
    }

    /** Reads one element of a JSON list. */
    static ProxyLine element(JsonNode node, LineReader lines) throws BadLineException {
        if (node.isTextual()) {
            return lines.read(node.textValue());
        }
        if (node.isObject()) {
            return new ProxyLine.Entries(new ProxyFields(named(node)).entries());
        }
        throw new BadLineException(
                Fault.BAD_JSON, "neither an object nor a string: write {\"host\": \"198.51.100.7\", \"port\": 8080}");
    }

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** The text of a JSON string, with its escapes resolved. */
    static String string(String quoted) throws BadLineException {
        JsonNode node = parse(quoted);
        if (!node.isTextual()) {
            throw badJson();
        }
        return node.textValue();
    }

    private static JsonNode parse(String text) throws BadLineException {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException broken) {
            throw badJson();
        }
    }

    private static BadLineException badJson() {
        return new BadLineException(
                Fault.BAD_JSON, "no complete JSON on this line: write {\"host\": \"198.51.100.7\", \"port\": 8080}");
    }

    private static Map<String, String> named(JsonNode object) {
        Map<String, String> named = new LinkedHashMap<>();
        object.properties().forEach(field -> {
            String name = ProxyFields.canonicalName(field.getKey());
            JsonNode value = field.getValue();
            if (value.isArray() && name.equals(ProxyFields.SCHEME)) {
                named.put(name, firstScheme(value));
            } else if (value.isValueNode() && !value.isNull() && !value.asText().isBlank()) {
                named.putIfAbsent(name, LineReader.strip(value.asText()));
            }
        });
        return named;
    }

    /** The first protocol that we speak, else the first one: the fault will name it. */
    private static String firstScheme(JsonNode protocols) {
        for (JsonNode protocol : protocols) {
            if (Schemes.ofWord(protocol.asText()).isPresent()) {
                return protocol.asText();
            }
        }
        return protocols.isEmpty() ? "" : protocols.get(0).asText();
    }
}
