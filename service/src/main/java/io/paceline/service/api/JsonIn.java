package io.paceline.service.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads one request body straight from its octets, and says what is wrong with it and where.
 *
 * <p>{@link #body} walks the members of an object; the caller's function takes the value of each by one of the typed
 * methods. A {@code null} value is the same as an absent member. No tree is built.
 */
final class JsonIn implements AutoCloseable {

    /** Takes the value of one member; false where it knows no such member. */
    @FunctionalInterface
    interface Members {
        boolean take(String name);
    }

    /** Deeper than any body that we know; a thousand brackets must not cost a thousand frames. */
    private static final int MAX_DEPTH = 8;

    private static final int MAX_NUMBER_DIGITS = 40;
    private static final int MAX_NAME_CHARS = 256;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(MAX_NUMBER_DIGITS)
                    .maxNameLength(MAX_NAME_CHARS)
                    .build())
            .build();

    private static final List<String> HINTS_FOR_PROGRAMMERS = List.of("\n", ": enable `", " (not recognized as one");

    private final JsonParser parser;

    private JsonIn(JsonParser parser) {
        this.parser = parser;
    }

    /**
     * Reads a body that is exactly one object.
     *
     * @param known the names that the object may have, for the error about another one
     * @throws HttpProblem 400 where the body is not that
     */
    static void body(byte[] octets, Collection<String> known, Function<JsonIn, Members> members) {
        if (octets.length == 0) {
            throw HttpProblem.malformed("the body is empty: send a JSON object");
        }
        if (isUtf16(octets)) {
            throw HttpProblem.malformed("the body is in UTF-16 or UTF-32: JSON is UTF-8");
        }
        try (JsonIn in = new JsonIn(FACTORY.createParser(octets))) {
            if (in.next() != JsonToken.START_OBJECT) {
                throw HttpProblem.malformed("the body is " + in.kind() + ": send a JSON object, like {\"target\": …}");
            }
            in.object(known, members.apply(in));
            if (in.next() != null) {
                throw HttpProblem.malformed("there is more after the object's end" + in.place());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The parser would guess it and read on; an object in UTF-8 has no zero among its first octets (RFC 4627, 3). */
    private static boolean isUtf16(byte[] octets) {
        for (int i = 0; i < Math.min(4, octets.length); i++) {
            if (octets[i] == 0) {
                return true;
            }
        }
        return false;
    }

    /** Walks the members of the object that has just been opened. */
    private void object(Collection<String> known, Members members) {
        String[] seen = new String[Math.min(8, known.size())];
        int count = 0;
        for (String name = nextName(); name != null; name = nextName()) {
            for (int i = 0; i < count; i++) {
                if (name.equals(seen[i])) {
                    throw HttpProblem.field(name, "`" + name + "` is given twice" + place() + ": give it once");
                }
            }
            if (next() == JsonToken.VALUE_NULL && known.contains(name)) {
                continue;
            }
            if (!members.take(name)) {
                throw HttpProblem.field(name, "unknown field `" + name + "`" + Hint.of(name, known));
            }
            if (count == seen.length) {
                seen = Arrays.copyOf(seen, count * 2);
            }
            seen[count++] = name;
        }
    }

    /** The current value as text of 1 to {@code maxChars} characters, without control characters. */
    String text(String field, int maxChars) {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw wrongType(field, "a string in quotes");
        }
        String text = string();
        if (text.isEmpty()) {
            throw HttpProblem.field(field, "`" + field + "` is empty: leave it out instead");
        }
        if (text.length() > maxChars) {
            throw HttpProblem.field(
                    field, "`" + field + "` has " + text.length() + " characters: at most " + maxChars + " are taken");
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == 0x7f || (Character.isSurrogate(c) && !pairedAt(text, i))) {
                throw HttpProblem.field(
                        field,
                        String.format(
                                Locale.ROOT,
                                "`%s` has the character U+%04X at position %d, which no name or URL can have",
                                field,
                                (int) c,
                                i + 1));
            }
        }
        return text;
    }

    /** The current value as a whole number in a range. */
    long integer(String field, long min, long max) {
        JsonToken token = parser.currentToken();
        if (token != JsonToken.VALUE_NUMBER_INT) {
            throw wrongType(field, "a whole number from " + min + " to " + max);
        }
        try {
            long value = parser.getLongValue();
            if (value >= min && value <= max) {
                return value;
            }
        } catch (InputCoercionException tooLong) {
            // Said below: it is out of any range.
        } catch (IOException e) {
            throw malformed(e);
        }
        throw HttpProblem.field(field, "`" + field + "` is " + raw() + ": it must be from " + min + " to " + max);
    }

    /** The current value as a number, whole or not, in a range. */
    double number(String field, double min, double max) {
        JsonToken token = parser.currentToken();
        if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_NUMBER_FLOAT) {
            throw wrongType(field, "a number");
        }
        try {
            double value = parser.getDoubleValue();
            if (value >= min && value <= max) {
                return value;
            }
        } catch (IOException e) {
            throw malformed(e);
        }
        throw HttpProblem.field(
                field,
                "`" + field + "` is " + raw() + ": it must be from " + Numbers.plain(min) + " to "
                        + Numbers.plain(max));
    }

    boolean bool(String field) {
        JsonToken token = parser.currentToken();
        if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
            throw wrongType(field, "true or false, without quotes");
        }
        return token == JsonToken.VALUE_TRUE;
    }

    /** True where the current value is a number: for fields that may be one or text. */
    boolean isNumber() {
        JsonToken token = parser.currentToken();
        return token != null && token.isNumeric();
    }

    /** The current value as a flat object of texts, in the order given. */
    Map<String, String> texts(String field, int maxEntries, int maxChars) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw wrongType(field, "an object like {\"country\": \"de\"}");
        }
        Map<String, String> texts = new LinkedHashMap<>();
        for (String name = nextName(); name != null; name = nextName()) {
            String path = field + "." + name;
            if (name.isEmpty() || name.length() > maxChars) {
                throw HttpProblem.field(
                        field,
                        "`" + field + "` has a name of " + name.length() + " characters: names have from 1 to "
                                + maxChars);
            }
            next();
            if (texts.put(name, text(path, maxChars)) != null) {
                throw HttpProblem.field(path, "`" + path + "` is given twice" + place() + ": give it once");
            }
            if (texts.size() > maxEntries) {
                throw HttpProblem.field(field, "`" + field + "` has more than " + maxEntries + " entries");
            }
        }
        return texts;
    }

    /** The current value as an array of texts, each as {@link #text} takes it. */
    List<String> textList(String field, int maxItems, int maxChars) {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw wrongType(field, "an array of strings");
        }
        List<String> texts = new ArrayList<>();
        while (next() != JsonToken.END_ARRAY) {
            if (texts.size() == maxItems) {
                throw HttpProblem.field(
                        field, "`" + field + "` has more than " + maxItems + " items: send several calls");
            }
            texts.add(text(field + "[" + texts.size() + "]", maxChars));
        }
        return texts;
    }

    /**
     * The current value as the fields of a site's answer: names to texts, numbers, or arrays of them. What a site writes
     * there is its own fault and never refused; only what is no such object is.
     */
    List<Map.Entry<String, String>> fields(String field, int most) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw wrongType(field, "an object like {\"Retry-After\": \"120\"}");
        }
        List<Map.Entry<String, String>> fields = new ArrayList<>();
        for (String name = nextName(); name != null; name = nextName()) {
            boolean array = next() == JsonToken.START_ARRAY;
            for (JsonToken token = array ? next() : parser.currentToken();
                    token != JsonToken.END_ARRAY;
                    token = next()) {
                if (token == null || !token.isScalarValue()) {
                    throw wrongType(field + "." + name, "a string, or an array of strings");
                }
                if (fields.size() == most) {
                    throw HttpProblem.field(field, "`" + field + "` has more than " + most + " entries");
                }
                if (token != JsonToken.VALUE_NULL) {
                    fields.add(Map.entry(name, token == JsonToken.VALUE_STRING ? string() : raw()));
                }
                if (!array) {
                    break;
                }
            }
        }
        return fields;
    }

    /**
     * Walks an array of objects.
     *
     * @param begin is told each object's index before its members are read
     * @param finish and after
     * @return how many there were: at least 1
     */
    int objects(
            String field,
            int maxItems,
            Collection<String> known,
            IntConsumer begin,
            Members members,
            IntConsumer finish) {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw wrongType(field, "an array of objects");
        }
        int index = 0;
        for (JsonToken token = next(); token != JsonToken.END_ARRAY; token = next()) {
            String item = field + "[" + index + "]";
            if (token != JsonToken.START_OBJECT) {
                throw HttpProblem.field(item, "`" + item + "` is " + kind() + ": it must be an object");
            }
            if (index == maxItems) {
                throw HttpProblem.field(
                        field, "`" + field + "` has more than " + maxItems + " items: send several calls");
            }
            begin.accept(index);
            try {
                object(known, members);
                finish.accept(index);
            } catch (HttpProblem problem) {
                throw problem.inside(item);
            }
            index++;
        }
        if (index == 0) {
            throw HttpProblem.field(field, "`" + field + "` is empty");
        }
        return index;
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }

    private @Nullable String nextName() {
        try {
            return parser.nextFieldName();
        } catch (IOException e) {
            throw malformed(e);
        }
    }

    private @Nullable JsonToken next() {
        try {
            return parser.nextToken();
        } catch (IOException e) {
            throw malformed(e);
        }
    }

    private String string() {
        try {
            return parser.getText();
        } catch (IOException e) {
            throw malformed(e);
        }
    }

    private static boolean pairedAt(String text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
    }

    private HttpProblem wrongType(String field, String wanted) {
        return HttpProblem.field(field, "`" + field + "` is " + kind() + ": it must be " + wanted);
    }

    /** A number as it was written, cut where it is absurdly long. */
    private String raw() {
        String text = string();
        return text.length() <= 24 ? text : text.substring(0, 24) + "…";
    }

    private String kind() {
        JsonToken token = parser.currentToken();
        if (token == null) {
            return "blank";
        }
        return switch (token) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "an array";
            case VALUE_STRING -> "a string";
            case VALUE_NUMBER_INT -> "a number";
            case VALUE_NUMBER_FLOAT -> "a number with a fraction";
            case VALUE_TRUE, VALUE_FALSE -> "true or false";
            case VALUE_NULL -> "null";
            default -> "no value";
        };
    }

    private String place() {
        return place(parser.currentTokenLocation());
    }

    private static String place(@Nullable JsonLocation at) {
        return at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
    }

    private static HttpProblem malformed(IOException e) {
        if (e instanceof StreamConstraintsException) {
            return HttpProblem.malformed("the body goes past a bound: nesting of " + MAX_DEPTH + ", numbers of "
                    + MAX_NUMBER_DIGITS + " digits, names of " + MAX_NAME_CHARS + " characters");
        }
        if (e instanceof JsonProcessingException json) {
            return HttpProblem.malformed("the body is not JSON" + place(json.getLocation()) + ": "
                    + firstSentence(json.getOriginalMessage()));
        }
        return HttpProblem.malformed("the body is not UTF-8 JSON");
    }

    /** Jackson's own words without the hints for programmers that follow them. */
    private static String firstSentence(@Nullable String message) {
        if (message == null) {
            return "it ends too early";
        }
        int end = message.length();
        for (String hint : HINTS_FOR_PROGRAMMERS) {
            int at = message.indexOf(hint);
            end = at < 0 ? end : Math.min(end, at);
        }
        return message.substring(0, end);
    }
}
