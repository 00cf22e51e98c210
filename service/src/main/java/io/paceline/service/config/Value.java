package io.paceline.service.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * One value of the file and the name under which it stands there. Reads it as what is asked for, or reports why it cannot
 * be and gives nothing.
 *
 * <p>A scalar is read by what is wanted, never by what YAML might take it for: {@code NO}, {@code on} and {@code 010} are
 * texts where a text is wanted.
 *
 * @param name the key, for messages
 */
record Value(Source source, String name, Node node) {

    private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]{0,17})");
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,15}(\\.[0-9]{1,15})?");
    private static final int SHOWN = 60;

    void error(String message) {
        source.problems().error(source.file(), node.getStartMark(), name + " " + message);
    }

    void errorAsIs(String message) {
        source.problems().error(source.file(), node.getStartMark(), message);
    }

    void warning(String message) {
        source.problems().warning(source.file(), node.getStartMark(), message);
    }

    int line() {
        return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
    }

    /** {@code key:} with nothing behind it, or null. */
    boolean isNull() {
        return node instanceof ScalarNode scalar
                && scalar.getScalarStyle() == ScalarStyle.PLAIN
                && (scalar.getValue().isEmpty()
                        || scalar.getValue().equals("~")
                        || scalar.getValue().equals("null"));
    }

    /** Nothing, an empty list or mapping, or the word off. */
    boolean isOff() {
        return isNull()
                || (node instanceof SequenceNode sequence && sequence.getValue().isEmpty())
                || (node instanceof MappingNode mapping && mapping.getValue().isEmpty())
                || (node instanceof ScalarNode scalar && scalar.getValue().equals("off"));
    }

    boolean isScalar() {
        return node instanceof ScalarNode;
    }

    boolean isMapping() {
        return node instanceof MappingNode;
    }

    /** A text that is not empty, with its references resolved. */
    Optional<String> text() {
        if (!(node instanceof ScalarNode scalar)) {
            error("is " + kind() + " where one text is expected");
            return Optional.empty();
        }
        if (isNull()) {
            error("is empty: write a value, or leave the key out");
            return Optional.empty();
        }
        try {
            String text = source.expansion().expand(scalar.getValue());
            if (text.isBlank()) {
                error("is empty: write a value, or leave the key out");
                return Optional.empty();
            }
            return Optional.of(text);
        } catch (IllegalArgumentException unresolved) {
            error("cannot be resolved: " + unresolved.getMessage());
            return Optional.empty();
        }
    }

    /** A text that the parser takes; its exceptions' messages become errors in front of which the text stands. */
    <T> Optional<T> parsed(Function<String, T> parser) {
        return text().flatMap(text -> {
            try {
                return Optional.of(parser.apply(text));
            } catch (IllegalArgumentException unfit) {
                errorAsIs(String.valueOf(unfit.getMessage()));
                return Optional.empty();
            }
        });
    }

    Optional<Duration> duration() {
        return parsed(text -> {
            try {
                return DurationText.parse(text);
            } catch (IllegalArgumentException unfit) {
                throw new IllegalArgumentException(name + " " + shown(text) + " " + unfit.getMessage(), unfit);
            }
        });
    }

    Optional<Integer> integer(int min, int max, int example) {
        return parsed(text -> {
            if (INTEGER.matcher(text).matches()) {
                long number = Long.parseLong(text);
                if (number >= min && number <= max) {
                    return (int) number;
                }
            }
            throw new IllegalArgumentException(name + " " + shown(text) + " is no whole number "
                    + (max == Integer.MAX_VALUE ? "of at least " + min : "between " + min + " and " + max)
                    + ": write " + name + ": " + example);
        });
    }

    Optional<Double> decimal(double min, double max, String example) {
        return parsed(text -> {
            if (DECIMAL.matcher(text).matches()) {
                double number = Double.parseDouble(text);
                if (number >= min && number <= max) {
                    return number;
                }
            }
            throw new IllegalArgumentException(name + " " + shown(text) + " is no number "
                    + (max == Double.MAX_VALUE
                            ? "of at least " + plain(min)
                            : "between " + plain(min) + " and " + plain(max))
                    + ": write " + name + ": " + example);
        });
    }

    Optional<Boolean> flag() {
        return parsed(text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new IllegalArgumentException(
                        name + " " + shown(text) + " is neither true nor false: write " + name + ": true");
        });
    }

    /**
     * One of a set of words.
     *
     * @param later words that mean something to other versions
     */
    <T> Optional<T> word(Map<String, T> words, List<String> later) {
        return parsed(text -> {
            T meaning = words.get(text);
            if (meaning != null) {
                return meaning;
            }
            String known = alternatives(words.keySet());
            if (later.contains(text)) {
                throw new IllegalArgumentException(
                        name + ": " + text + " is not supported by this version: write " + known);
            }
            String near = Nearest.to(text, words.keySet())
                    .map(word -> "did you mean " + word + "? ")
                    .orElse("");
            throw new IllegalArgumentException(name + " " + shown(text) + " is unknown: " + near + "write " + known);
        });
    }

    /** The elements of a list; nothing where the key has no value. */
    List<Value> list(String example) {
        if (isNull()) {
            return List.of();
        }
        if (!(node instanceof SequenceNode sequence)) {
            error("is " + kind() + " where a list is expected: write " + example);
            return List.of();
        }
        List<Value> values = new ArrayList<>();
        for (Node element : sequence.getValue()) {
            values.add(new Value(source, name, element));
        }
        return values;
    }

    /** The values of a mapping whose keys are the user's own. */
    Map<String, Value> entries(String example) {
        Map<String, Value> entries = new LinkedHashMap<>();
        if (isNull()) {
            return entries;
        }
        if (!(node instanceof MappingNode mapping)) {
            error("is " + kind() + " where a mapping is expected: write " + example);
            return entries;
        }
        for (NodeTuple tuple : mapping.getValue()) {
            Value key = new Value(source, "a key of " + name, tuple.getKeyNode());
            if (!(tuple.getKeyNode() instanceof ScalarNode scalar)) {
                key.error("is " + key.kind() + " where one word is expected");
                continue;
            }
            Value before =
                    entries.putIfAbsent(scalar.getValue(), new Value(source, scalar.getValue(), tuple.getValueNode()));
            if (before != null) {
                key.errorAsIs("the key \"" + scalar.getValue() + "\" is given twice, first in line " + before.line()
                        + ": keep one of them");
            }
        }
        return entries;
    }

    /** A mapping with known keys. */
    Optional<Section> section(String place) {
        if (isMapping()) {
            return Optional.of(Section.of(this, place));
        }
        if (!isNull()) {
            error("is " + kind() + " where a mapping is expected: its keys are "
                    + String.join(", ", ConfigKeys.at(place).known()));
        }
        return Optional.empty();
    }

    String kind() {
        return node instanceof MappingNode ? "a mapping" : node instanceof SequenceNode ? "a list" : "a single value";
    }

    private static String alternatives(Collection<String> words) {
        String all = String.join(", ", words);
        int last = all.lastIndexOf(", ");
        return last < 0 ? all : all.substring(0, last) + " or " + all.substring(last + 2);
    }

    private static String shown(String text) {
        return "\"" + (text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text) + "\"";
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? String.valueOf((long) number) : String.valueOf(number);
    }
}
