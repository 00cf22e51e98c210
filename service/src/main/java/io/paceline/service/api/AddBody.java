package io.paceline.service.api;

import io.paceline.service.lists.ProxyEntry;
import io.paceline.service.lists.ProxyList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Addresses that are to be added to a pool.
 *
 * @param pool its name; null for the first
 * @param entries at least one, in the order given
 * @param tags of all of them; what a line says of itself is nearer
 */
record AddBody(
        @Nullable String pool, List<ProxyEntry> entries, Map<String, String> tags, double weight, boolean metered) {

    static final List<String> FIELDS = List.of("pool", "proxy", "proxies", "tags", "weight", "metered");

    private static final int MAX_PROXIES = 10_000;
    private static final int MAX_LINE_CHARS = 2_048;
    private static final int MAX_TAGS = 16;
    private static final int MAX_TAG_CHARS = 128;
    private static final double MIN_WEIGHT = 0.001;
    private static final double MAX_WEIGHT = 1_000_000;

    static AddBody read(byte[] octets) {
        Reader reader = new Reader();
        JsonIn.body(octets, FIELDS, in -> name -> reader.take(in, name));
        if (reader.entries.isEmpty()) {
            throw HttpProblem.field(
                    "proxy", "`proxy` is missing: send {\"proxy\": \"http://user:password@198.51.100.7:8080\"}");
        }
        return new AddBody(reader.pool, reader.entries, reader.tags, reader.weight, reader.metered);
    }

    private static final class Reader {
        private @Nullable String pool;
        private final List<ProxyEntry> entries = new ArrayList<>();
        private Map<String, String> tags = Map.of();
        private double weight = 1;
        private boolean metered;

        boolean take(JsonIn in, String name) {
            switch (name) {
                case "pool" -> pool = in.text(name, MAX_TAG_CHARS);
                case "proxy" -> line(name, in.text(name, MAX_LINE_CHARS));
                case "proxies" -> {
                    List<String> lines = in.textList(name, MAX_PROXIES, MAX_LINE_CHARS);
                    for (int i = 0; i < lines.size(); i++) {
                        line(name + "[" + i + "]", lines.get(i));
                    }
                }
                case "tags" -> tags = in.texts(name, MAX_TAGS, MAX_TAG_CHARS);
                case "weight" -> weight = in.number(name, MIN_WEIGHT, MAX_WEIGHT);
                case "metered" -> metered = in.bool(name);
                default -> {
                    return false;
                }
            }
            return true;
        }

        private void line(String field, String line) {
            ProxyList list = ProxyList.read(line);
            if (list.badLines() > 0) {
                throw HttpProblem.field(
                        field,
                        "`" + field + "` is no proxy: " + list.bad().get(0).message());
            }
            if (list.entries().isEmpty()) {
                throw HttpProblem.field(field, "`" + field + "` names no proxy: write http://user:password@host:port");
            }
            entries.addAll(list.entries());
        }
    }
}
