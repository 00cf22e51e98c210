package io.paceline.service.supply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.paceline.service.lists.ProxyEntry;
import io.paceline.service.lists.ProxyList;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the addresses in a provider's answer: at a JSON pointer (RFC 6901) in which {@code *} stands for every item of an
 * array or value of an object, as lines or as objects; without a pointer the answer is a list in one of the forms of files.
 */
final class Items {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String EVERY = "*";

    private Items() {}

    /** @throws IOException with a few words for people, where there is nothing to be found */
    static List<ProxyEntry> read(byte[] body, @Nullable String pointer) throws IOException {
        if (pointer == null) {
            return entries(ProxyList.read(body));
        }
        JsonNode root;
        try {
            root = MAPPER.readTree(body);
        } catch (IOException broken) {
            throw new IOException("its answer is no JSON", broken);
        }
        List<JsonNode> found = List.of(root);
        for (String step : pointer.substring(1).split("/", -1)) {
            List<JsonNode> next = new ArrayList<>();
            found.forEach(node -> follow(node, step.replace("~1", "/").replace("~0", "~"), next));
            found = next;
        }
        if (found.isEmpty()) {
            throw new IOException("its answer has nothing at " + pointer);
        }
        return entries(found);
    }

    private static void follow(JsonNode node, String step, List<JsonNode> next) {
        if (step.equals(EVERY) && node.isContainerNode()) {
            node.forEach(next::add);
            return;
        }
        JsonNode at = node.isArray() && step.matches("0|[1-9][0-9]{0,8}")
                ? node.path(Integer.parseInt(step))
                : node.path(step);
        if (!at.isMissingNode() && !at.isNull()) {
            next.add(at);
        }
    }

    /** Lines are read together, and so are objects; an array in the place of an item is its items. */
    private static List<ProxyEntry> entries(List<JsonNode> nodes) throws IOException {
        StringBuilder lines = new StringBuilder();
        ArrayNode objects = MAPPER.createArrayNode();
        for (JsonNode node : nodes) {
            for (JsonNode item : node.isArray() ? node : List.of(node)) {
                if (item.isTextual()) {
                    lines.append(item.textValue()).append('\n');
                } else {
                    objects.add(item);
                }
            }
        }
        Map<io.paceline.Endpoint, ProxyEntry> all = new LinkedHashMap<>();
        if (lines.length() > 0) {
            ProxyList.read(lines.toString()).entries().forEach(entry -> all.put(entry.endpoint(), entry));
        }
        if (!objects.isEmpty()) {
            ProxyList.read(objects.toString()).entries().forEach(entry -> all.putIfAbsent(entry.endpoint(), entry));
        }
        if (all.isEmpty()) {
            throw new IOException("none of what it gave is a proxy");
        }
        return List.copyOf(all.values());
    }

    private static List<ProxyEntry> entries(ProxyList list) throws IOException {
        if (list.entries().isEmpty()) {
            throw new IOException(list.badLines() == 0 ? "its answer is empty" : "none of what it gave is a proxy");
        }
        return list.entries();
    }
}
