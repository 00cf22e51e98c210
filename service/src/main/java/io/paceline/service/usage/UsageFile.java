package io.paceline.service.usage;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.paceline.Outcome;
import io.paceline.pace.Spending;
import io.paceline.service.files.OwnerAlone;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a {@link UsageBook} over restarts: one JSON object a line, written aside and then moved, once a minute and at the
 * end. What a crash loses is the last minute. A line that cannot be read is passed over, and the file is kept beside for
 * people: nothing about usage ever refuses the start.
 */
public final class UsageFile implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(UsageFile.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int VERSION = 1;
    private static final long EVERY_SECONDS = 60;

    private final Path file;
    private final UsageBook book;
    private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "paceline-usage");
        thread.setDaemon(true);
        return thread;
    });
    /** One complaint a disk that fails, not one a minute. */
    private boolean failing;

    private UsageFile(Path file, UsageBook book) {
        this.file = file;
        this.book = book;
    }

    /** Reads what is there into the book, and keeps the book in the file from then on. */
    public static UsageFile open(Path file, UsageBook book) {
        UsageFile kept = new UsageFile(file, book);
        kept.load();
        var unused = kept.writer.scheduleWithFixedDelay(kept::save, EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
        return kept;
    }

    // ---- reading

    private void load() {
        List<String> lines;
        try {
            lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (NoSuchFileException first) {
            return;
        } catch (IOException e) {
            LOG.warn("the usage in {} cannot be read ({}): counting begins anew", file, e.getMessage());
            keepBroken();
            return;
        }
        int broken = 0;
        for (String line : lines) {
            broken += read(line) ? 0 : 1;
        }
        if (broken > 0) {
            LOG.warn(
                    "{} of {} lines of the usage in {} cannot be read and are passed over", broken, lines.size(), file);
            keepBroken();
        }
    }

    private boolean read(String line) {
        try {
            JsonNode node = MAPPER.readTree(line);
            if (node == null || !node.isObject()) {
                return false;
            }
            if (node.has("paceline_usage")) {
                return node.path("paceline_usage").asInt() == VERSION;
            }
            if (node.has("spent")) {
                book.restore(new Spending.Spent(
                        text(node, "spent"),
                        Spending.Kind.valueOf(text(node, "what").toUpperCase(Locale.ROOT)),
                        number(node, "window_begin"),
                        number(node, "amount")));
            } else {
                book.restore(row(node));
            }
            return true;
        } catch (JsonProcessingException | IllegalArgumentException | DateTimeException e) {
            return false;
        }
    }

    private static UsageRow row(JsonNode node) {
        Map<Outcome.Kind, Long> outcomes = new EnumMap<>(Outcome.Kind.class);
        for (Outcome.Kind kind : Outcome.Kind.values()) {
            if (node.has(kind.word())) {
                outcomes.put(kind, number(node, kind.word()));
            }
        }
        return new UsageRow(
                LocalDate.parse(text(node, "day")),
                text(node, "tenant"),
                text(node, "pool"),
                text(node, "target"),
                number(node, "permits"),
                number(node, "refused"),
                outcomes,
                number(node, "expired"),
                number(node, "bytes"),
                number(node, "lease_micros"),
                number(node, "money"));
    }

    private static String text(JsonNode node, String name) {
        if (!node.path(name).isTextual()) {
            throw new IllegalArgumentException(name);
        }
        return node.path(name).textValue();
    }

    private static long number(JsonNode node, String name) {
        if (!node.path(name).canConvertToLong() || !node.path(name).isIntegralNumber()) {
            throw new IllegalArgumentException(name);
        }
        return node.path(name).longValue();
    }

    private void keepBroken() {
        Path aside = file.resolveSibling(file.getFileName() + ".broken");
        try {
            Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
            LOG.warn("it is kept as {}", aside);
        } catch (IOException e) {
            LOG.warn("it could not be kept as {}: {}", aside, e.getMessage());
        }
    }

    // ---- writing

    /** Writes everything, for its owner alone: it says who asked which sites. A disk that fails is told once, and tried again. */
    synchronized void save() {
        List<ObjectNode> lines = lines();
        if (lines.size() == 1 && !Files.exists(file)) {
            return; // nobody is a tenant here
        }
        try {
            OwnerAlone.replace(file, out -> {
                for (ObjectNode line : lines) {
                    out.write(MAPPER.writeValueAsBytes(line));
                    out.write('\n');
                }
            });
            failing = false;
        } catch (IOException | RuntimeException e) {
            if (!failing) {
                LOG.warn("the usage cannot be written to {}: {}", file, e.getMessage());
            }
            failing = true;
        }
    }

    private List<ObjectNode> lines() {
        List<ObjectNode> lines = new ArrayList<>();
        lines.add(MAPPER.createObjectNode().put("paceline_usage", VERSION));
        book.spent()
                .forEach(spent -> lines.add(MAPPER.createObjectNode()
                        .put("spent", spent.tenant())
                        .put("what", spent.kind().name().toLowerCase(Locale.ROOT))
                        .put("window_begin", spent.windowBeginMicros())
                        .put("amount", spent.amount())));
        book.save().forEach(row -> lines.add(line(row)));
        return lines;
    }

    private static ObjectNode line(UsageRow row) {
        ObjectNode line = MAPPER.createObjectNode()
                .put("day", row.day().toString())
                .put("tenant", row.tenant())
                .put("pool", row.pool())
                .put("target", row.target())
                .put("permits", row.permits())
                .put("refused", row.refused())
                .put("expired", row.expired())
                .put("bytes", row.bytes())
                .put("lease_micros", row.leaseMicros())
                .put("money", row.money());
        row.outcomes().forEach((kind, count) -> line.put(kind.word(), count));
        return line;
    }

    /** Writes the last time. */
    @Override
    public void close() {
        writer.shutdownNow();
        save();
    }
}
