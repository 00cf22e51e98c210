package io.paceline.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.paceline.pace.BadTargetException;
import io.paceline.pace.TargetUrl;
import io.paceline.pace.robots.Robots;
import io.paceline.pace.robots.RobotsVerdict;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code try robots}: what a robots.txt lets a crawler do, by which line. */
@Command(
        name = "robots",
        description = "Show what a robots.txt allows: by which line, and with which crawl delay.",
        footer = {"", "Example: paceline try robots robots.txt --agent example-bot https://www.example.com/a /b?c=1"})
final class TryRobotsCommand implements Runnable {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Parameters(index = "0", paramLabel = "FILE", description = "The robots.txt; - for the standard input.")
    @SuppressWarnings("NullAway.Init") // a required parameter
    private Path file;

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "URL", description = "URLs, or paths that begin with /.")
    private List<String> urls = new ArrayList<>();

    @Option(
            names = "--agent",
            required = true,
            paramLabel = "A",
            description = "The crawler's product token, such as example-bot; a whole User-Agent will do.")
    @SuppressWarnings("NullAway.Init") // a required option
    private String agent;

    @Option(names = "--json", description = "One JSON object instead of lines.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public void run() {
        Robots robots = Robots.parse(InputFile.read(file), agent);
        ObjectNode shown = MAPPER.createObjectNode().put("agent", agent).put("group", robots.group());
        ArrayNode checks = shown.putArray("checks");
        for (String url : urls) {
            RobotsVerdict verdict = robots.check(path(url));
            checks.addObject()
                    .put(url.startsWith("/") ? "path" : "url", url)
                    .put("allow", verdict.allowed())
                    .put("line", verdict.line() == 0 ? null : verdict.line())
                    .put("rule", verdict.text())
                    .put("why", verdict.why());
        }
        shown.put("crawl_delay", crawlDelay(robots));
        shown.put("flag", robots.unreadable() ? "robots_is_html" : null);
        robots.notes().forEach(shown.putArray("notes")::add);
        print(shown, spec.commandLine().getOut());
    }

    private static String path(String url) {
        if (url.startsWith("/")) {
            return url;
        }
        try {
            return TargetUrl.parseLoosely(url).pathAndQuery();
        } catch (BadTargetException e) {
            throw Failure.input(e.getMessage() + "; a path begins with /");
        }
    }

    private static @Nullable BigDecimal crawlDelay(Robots robots) {
        return robots.crawlDelay()
                .map(delay -> new BigDecimal(BigDecimal.valueOf(delay.toNanos(), 9)
                        .stripTrailingZeros()
                        .toPlainString()))
                .orElse(null);
    }

    private void print(ObjectNode shown, PrintWriter out) {
        if (json) {
            out.println(shown);
            return;
        }
        shown.path("checks")
                .forEach(check -> out.println((check.path("allow").asBoolean() ? "allowed     " : "disallowed  ")
                        + check.path(check.has("path") ? "path" : "url").asText() + "  ("
                        + check.path("why").asText() + ")"));
        out.println("group: " + shown.path("group").asText("none"));
        out.println("crawl_delay: "
                + (shown.path("crawl_delay").isNull()
                        ? "none"
                        : shown.path("crawl_delay").asText() + " s"));
        shown.path("notes").forEach(note -> out.println("note: " + note.asText()));
    }
}
