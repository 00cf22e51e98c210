package io.paceline.demo.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.paceline.demo.history.Event;
import io.paceline.demo.history.History;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** A history as JSON lines, in the order of the answers: what each event is, and its members. */
final class HistoryFile {
    private HistoryFile() {}

    static void write(Path file, History history) throws IOException {
        ObjectMapper json = new ObjectMapper();
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (Event event : history.events()) {
                out.write(line(json, event).toString());
                out.newLine();
            }
        }
    }

    static ObjectNode line(ObjectMapper json, Event event) {
        ObjectNode line = json.createObjectNode()
                .put("event", event.getClass().getSimpleName().toLowerCase(Locale.ROOT));
        line.setAll((ObjectNode) json.valueToTree(event));
        return line;
    }
}
