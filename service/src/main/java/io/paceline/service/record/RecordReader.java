package io.paceline.service.record;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.paceline.Outcome;
import io.paceline.Request;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a record line by line. A broken line is reported with its number and skipped; a file with more than one in a
 * hundred of them is refused. What a later version has added, fields and kinds of lines, is passed over.
 */
public final class RecordReader {

    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** No line that we write comes near. */
    private static final int LONGEST_LINE = 1_000_000;

    private static final int PROGRESS_LINES = 250_000;

    /** Broken lines that are reported one by one; of the rest the number is. */
    private static final int MOST_REPORTED = 20;

    private RecordReader() {}

    /** What was read. */
    public record Summary(long lines, long broken) {}

    /** True where the first line of the file is a record's header, of whatever version. */
    static boolean isRecord(Path path) throws IOException {
        try (BufferedReader in = reader(path)) {
            String first = firstLine(in);
            return first != null && version(first) > 0;
        }
    }

    /**
     * Reads the whole file.
     *
     * @param lines is given each line that is understood
     * @param broken is told the number of a broken line (from 1) and what is wrong with it
     * @param progress is told now and then how far the reading is
     * @throws IOException with one sentence for a person: no such file, no record, too new, too many broken lines
     */
    public static Summary read(
            Path path, Consumer<RecordLine> lines, BiConsumer<Long, String> broken, Consumer<String> progress)
            throws IOException {
        if (!Files.isRegularFile(path)) {
            throw new IOException("there is no file " + path + ": name what serve --record has written");
        }
        long number = 0;
        long bad = 0;
        try (BufferedReader in = reader(path)) {
            checkHeader(path, firstLine(in), lines);
            number = 1;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                number++;
                try {
                    RecordLine read = parse(line);
                    if (read != null) {
                        lines.accept(read);
                    }
                } catch (IllegalArgumentException e) {
                    bad++;
                    if (bad <= MOST_REPORTED) {
                        broken.accept(number, String.valueOf(e.getMessage()));
                    }
                }
                if (number % PROGRESS_LINES == 0) {
                    progress.accept(path + ": " + number + " lines read");
                }
            }
        }
        if (bad * 100 > number) {
            throw new IOException(path + " is damaged: " + bad + " of its " + number
                    + " lines cannot be read, and above 1 % nothing that it says can be trusted");
        }
        return new Summary(number, bad);
    }

    private static BufferedReader reader(Path path) throws IOException {
        return new BufferedReader(
                new InputStreamReader(
                        Files.newInputStream(path),
                        StandardCharsets.UTF_8
                                .newDecoder()
                                .onMalformedInput(CodingErrorAction.REPLACE)
                                .onUnmappableCharacter(CodingErrorAction.REPLACE)),
                1 << 16);
    }

    /** Bounded: any file may be given, and some have no lines. */
    private static @Nullable String firstLine(BufferedReader in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n' && line.length() < 10_000; c = in.read()) {
            line.append((char) c);
        }
        return line.isEmpty() ? null : line.toString();
    }

    private static void checkHeader(Path path, @Nullable String first, Consumer<RecordLine> lines) throws IOException {
        long version = first == null ? 0 : version(first);
        if (first == null || version == 0) {
            throw new IOException(path + " is no record: its first line is not the header that serve --record writes"
                    + " ({\"paceline_record\":" + RecordLine.VERSION + ",...})");
        }
        if (version > RecordLine.VERSION) {
            throw new IOException(path + " is a record of version " + version + ", and this program reads up to "
                    + RecordLine.VERSION + ": use the one that wrote it, or a later one");
        }
        RecordLine header = parse(first);
        if (header != null) {
            lines.accept(header);
        }
    }

    /** 0 where the line is no header. */
    private static long version(String line) {
        try {
            JsonNode node = MAPPER.readTree(line);
            return node == null ? 0 : node.path("paceline_record").asLong(0);
        } catch (JsonProcessingException e) {
            return 0;
        }
    }

    /** The line; null for one of a kind that this version does not know. */
    static @Nullable RecordLine parse(String line) {
        if (line.length() > LONGEST_LINE) {
            throw new IllegalArgumentException("it has more than " + LONGEST_LINE + " characters");
        }
        JsonNode node;
        try {
            node = MAPPER.readTree(line);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("it is not JSON: " + e.getOriginalMessage());
        }
        if (node == null || !node.isObject()) {
            throw new IllegalArgumentException("it is no JSON object");
        }
        long at = micros(node, "t");
        if (node.has("paceline_record")) {
            return new RecordLine.Header(at, node.path("paceline_record").asInt());
        }
        return switch (text(node, "e")) {
            case "acquire" -> asked(node, at, text(node, "result"));
            case "refusal" -> asked(node, at, text(node, "reason"));
            case "outcome" ->
                new RecordLine.Ended(
                        at,
                        text(node, "pool"),
                        text(node, "address"),
                        text(node, "target"),
                        text(node, "lease"),
                        outcome(text(node, "outcome")),
                        node.has("latency_ms") ? Math.round(number(node, "latency_ms") * 1_000) : -1,
                        node.path("status").asInt());
            case "transition" ->
                new RecordLine.Moved(
                        at,
                        text(node, "pool"),
                        text(node, "address"),
                        optional(node, "target"),
                        text(node, "from"),
                        text(node, "to"),
                        text(node, "cause"));
            case "expired" -> new RecordLine.Expired(at, text(node, "pool"), text(node, "address"));
            case "dry_run" -> new RecordLine.DryRun(at, text(node, "rule"));
            case "dropped" -> new RecordLine.Dropped(at, micros(node, "lines"));
            default -> null;
        };
    }

    private static RecordLine asked(JsonNode node, long at, String result) {
        Map<String, String> tags = new LinkedHashMap<>();
        node.path("tags")
                .properties()
                .forEach(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
        List<RecordLine.Leased> leases = new ArrayList<>();
        for (JsonNode lease : node.path("leases")) {
            leases.add(new RecordLine.Leased(
                    optional(lease, "lease"),
                    text(lease, "address"),
                    lease.path("probe").asBoolean()));
        }
        long asked = micros(node, "asked");
        if (asked > at) {
            throw new IllegalArgumentException("`asked` " + asked + " is after `t` " + at);
        }
        return new RecordLine.Asked(
                at,
                asked,
                text(node, "pool"),
                text(node, "host"),
                optional(node, "target"),
                optional(node, "client"),
                optional(node, "session"),
                optional(node, "task"),
                tags,
                node.has("tenant") ? text(node, "tenant") : "",
                wanted(node),
                result,
                optional(node, "rule"),
                leases);
    }

    private static RecordLine.Wanted wanted(JsonNode node) {
        return new RecordLine.Wanted(
                amount(node, "count", Request.MAX_COUNT),
                amount(node, "cost", Request.MAX_COST),
                node.has("priority") ? priority(text(node, "priority")) : Request.Priority.NORMAL,
                node.has("max_wait_ms") ? 1_000 * micros(node, "max_wait_ms") : -1);
    }

    private static int amount(JsonNode node, String name, int most) {
        long amount = node.has(name) ? micros(node, name) : 1;
        if (amount < 1 || amount > most) {
            throw new IllegalArgumentException("`" + name + "` " + amount + " is not between 1 and " + most);
        }
        return (int) amount;
    }

    private static Request.Priority priority(String word) {
        for (Request.Priority priority : Request.Priority.values()) {
            if (priority.name().toLowerCase(Locale.ROOT).equals(word)) {
                return priority;
            }
        }
        throw new IllegalArgumentException("`priority` \"" + word + "\" is not low, normal or high");
    }

    private static Outcome.Kind outcome(String word) {
        return Outcome.Kind.ofWord(word)
                .orElseThrow(() -> new IllegalArgumentException("`outcome` \"" + word + "\" is none that we know"));
    }

    private static String text(JsonNode node, String name) {
        JsonNode value = node.path(name);
        if (!value.isTextual()) {
            throw new IllegalArgumentException("`" + name + "` must be a text");
        }
        return value.textValue();
    }

    private static @Nullable String optional(JsonNode node, String name) {
        return node.has(name) ? text(node, name) : null;
    }

    private static long micros(JsonNode node, String name) {
        JsonNode value = node.path(name);
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
            throw new IllegalArgumentException("`" + name + "` must be a whole number, not below 0");
        }
        return value.longValue();
    }

    private static double number(JsonNode node, String name) {
        JsonNode value = node.path(name);
        if (!value.isNumber()) {
            throw new IllegalArgumentException("`" + name + "` must be a number");
        }
        return value.doubleValue();
    }
}
