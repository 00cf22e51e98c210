package io.paceline.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.paceline.pace.BadTargetException;
import io.paceline.pace.TargetUrl;
import io.paceline.pace.hint.FieldValues;
import io.paceline.pace.hint.Hint;
import io.paceline.pace.hint.Hints;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code try response}: the wait that a response asks for. */
@Command(
        name = "response",
        description =
                "Show what a raw HTTP response (head, blank line, body) asks of our pace: the wait of its headers.",
        footer = {"", "wait: backoff means that no time is named, and our own back-off applies."})
final class TryResponseCommand implements Runnable {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Parameters(paramLabel = "FILE", description = "The response; - for the standard input.")
    @SuppressWarnings("NullAway.Init") // a required parameter
    private Path file;

    @Option(names = "--url", paramLabel = "U", description = "The URL that was asked for.")
    private @Nullable String url;

    @Option(
            names = "--now",
            paramLabel = "T",
            description = "When it came, such as 2026-03-01T12:00:00Z; now unless said.")
    private @Nullable String now;

    @Option(names = "--json", description = "One JSON object instead of lines.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public void run() {
        RawResponse response = RawResponse.parse(InputFile.read(file), file.toString());
        Hint hint = Hints.read(response.status(), FieldValues.of(response.fields()), nowMicros());
        ObjectNode shown = MAPPER.createObjectNode();
        if (url != null) {
            shown.put("host", host(url));
        }
        shown.put("status", response.status());
        if (hint.ask() == Hint.Ask.BACK_OFF) {
            shown.put("wait", "backoff");
        } else {
            shown.put(
                    "wait_s",
                    new BigDecimal(BigDecimal.valueOf(hint.waitMicros(), 6)
                            .stripTrailingZeros()
                            .toPlainString()));
        }
        shown.put("source", hint.source())
                .put("value", hint.value())
                .put("cap", hint.capped())
                .put("warn", hint.note() != null)
                .put("note", hint.note());
        print(shown, spec.commandLine().getOut());
    }

    private static String host(String url) {
        try {
            return TargetUrl.parseLoosely(url).host();
        } catch (BadTargetException e) {
            throw Failure.input("--url: " + e.getMessage());
        }
    }

    private long nowMicros() {
        try {
            Instant at = now == null ? Instant.now() : Instant.parse(now);
            return Math.addExact(Math.multiplyExact(at.getEpochSecond(), 1_000_000L), at.getNano() / 1_000);
        } catch (DateTimeException | ArithmeticException e) {
            throw Failure.input("--now: \"" + now + "\" is no time: write it like 2026-03-01T12:00:00Z");
        }
    }

    private void print(ObjectNode shown, PrintWriter out) {
        if (json) {
            out.println(shown);
            return;
        }
        shown.properties().stream()
                .filter(field -> !field.getValue().isNull())
                .forEach(field ->
                        out.println(field.getKey() + ": " + field.getValue().asText()));
    }
}
