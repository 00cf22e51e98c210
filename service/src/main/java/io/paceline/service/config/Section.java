package io.paceline.service.config;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * A mapping with known keys. Reports unknown and doubled ones as it is opened; {@link #close()} makes sure that the reader
 * has asked for every key that it knows, so that none can be ignored silently.
 */
final class Section implements AutoCloseable {

    private final Value self;
    private final String place;
    private final ConfigKeys keys;
    private final Map<String, Value> values = new LinkedHashMap<>();
    private final Set<String> asked = new HashSet<>();
    private final int errorsBefore;

    private Section(Value self, String place) {
        this.self = self;
        this.place = place;
        this.keys = ConfigKeys.at(place);
        this.errorsBefore = self.source().problems().count();
    }

    static Section of(Value self, String place) {
        Section section = new Section(self, place);
        for (NodeTuple tuple : ((MappingNode) self.node()).getValue()) {
            section.take(tuple.getKeyNode(), tuple.getValueNode());
        }
        return section;
    }

    private void take(Node keyNode, Node valueNode) {
        Value key = new Value(self.source(), "a key", keyNode);
        if (!(keyNode instanceof ScalarNode scalar)) {
            key.error("is " + key.kind() + " where one word is expected");
            return;
        }
        String name = scalar.getValue();
        Value value = new Value(self.source(), name, valueNode);
        Value before = values.get(name);
        if (before != null) {
            key.errorAsIs(
                    "the key \"" + name + "\" is given twice, first in line " + before.line() + ": keep one of them");
        } else if (keys.known().contains(name)) {
            values.put(name, value);
        } else if (keys.later().contains(name)) {
            if (!value.isOff()) {
                key.errorAsIs(qualified(name) + " is not supported by this version: leave it out");
            }
        } else {
            key.errorAsIs(unknown(name));
        }
    }

    private String qualified(String name) {
        return place.isEmpty() ? name : place.replace("[]", "").replace(".*", "") + "." + name;
    }

    private String unknown(String name) {
        String where = place.isEmpty() ? "" : " in " + place.replace("[]", "").replace(".*", "");
        String start = "unknown key \"" + name + "\"" + where + ": ";
        if (name.equals("<<")) {
            return start + "YAML 1.2 has no merge keys, write the keys out";
        }
        if (place.isEmpty() && name.equals("proxies")) {
            return start + "write pools: [{name: default, addresses: [{inline: \"http://198.51.100.7:8080\","
                    + " tags: {country: NO}}]}]";
        }
        Optional<String> meant =
                Synonyms.of(name).filter(keys.known()::contains).or(() -> Nearest.to(name, keys.known()));
        return start
                + meant.map(word -> "did you mean \"" + word + "\"?")
                        .orElse("known are " + String.join(", ", keys.known()));
    }

    Optional<Value> value(String key) {
        if (!keys.known().contains(key)) {
            throw new IllegalArgumentException("the key " + key + " is not listed for " + place);
        }
        asked.add(key);
        return Optional.ofNullable(values.get(key));
    }

    Optional<String> text(String key) {
        return value(key).flatMap(Value::text);
    }

    Duration duration(String key, Duration otherwise) {
        return value(key).flatMap(Value::duration).orElse(otherwise);
    }

    /** A duration above zero. */
    Duration positive(String key, Duration otherwise) {
        Duration duration = duration(key, otherwise);
        if (duration.isZero()) {
            error(key, key + " 0s is not above 0: write " + key + ": " + DurationText.format(otherwise));
            return otherwise;
        }
        return duration;
    }

    int integer(String key, int otherwise, int min, int max) {
        return value(key).flatMap(value -> value.integer(min, max, otherwise)).orElse(otherwise);
    }

    double decimal(String key, double otherwise, double min, double max) {
        return value(key)
                .flatMap(value -> value.decimal(min, max, String.valueOf(otherwise)))
                .orElse(otherwise);
    }

    boolean flag(String key, boolean otherwise) {
        return value(key).flatMap(Value::flag).orElse(otherwise);
    }

    <T> T word(String key, T otherwise, Map<String, T> words, String... later) {
        return value(key).flatMap(value -> value.word(words, List.of(later))).orElse(otherwise);
    }

    List<Value> list(String key, String example) {
        return value(key).map(value -> value.list(example)).orElse(List.of());
    }

    Optional<Section> section(String key) {
        String inner = place.isEmpty() ? key : place + "." + key;
        return value(key).flatMap(value -> value.section(inner));
    }

    void error(String key, String message) {
        Value at = values.get(key);
        (at == null ? self : at).errorAsIs(message);
    }

    void warning(String key, String message) {
        Value at = values.get(key);
        (at == null ? self : at).warning(message);
    }

    /** Reports a fault of a record that names its field first: at that key where there is one, else at the section. */
    void error(IllegalArgumentException fault) {
        String message = String.valueOf(fault.getMessage());
        String field = message.split("[^a-z_.]", 2)[0];
        error(field.substring(field.lastIndexOf('.') + 1), message);
    }

    /** Reports every key but one. */
    void onlyHas(String key, String advice) {
        for (Map.Entry<String, Value> entry : values.entrySet()) {
            if (!entry.getKey().equals(key)) {
                entry.getValue().errorAsIs("the key \"" + entry.getKey() + "\" does not belong here: " + advice);
            }
        }
        if (!values.containsKey(key)) {
            error(key, "the key \"" + key + "\" is missing: " + advice);
        }
    }

    /** Whether an error was reported since this section was opened. */
    boolean failed() {
        return self.source().problems().count() > errorsBefore;
    }

    @Override
    public void close() {
        for (String key : values.keySet()) {
            if (!asked.contains(key)) {
                throw new IllegalStateException("nobody has read " + key + " of " + place);
            }
        }
    }
}
