package io.paceline.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code explain}: why an address is in its state, where a session lives, why a lease went where it went. */
@Command(
        name = "explain",
        description = "Ask a running gatekeeper why: of an address, a session or a lease.",
        footer = {
            "",
            "Examples: paceline explain a4k2j7qw3xz",
            "          paceline explain 198.51.100.7:8080",
            "          paceline explain acct-17 --pool default",
            "          paceline explain l_5m...",
            "",
            "Where it wants a token, PACELINE_TOKEN holds it (role viewer or operator)."
        })
final class ExplainCommand implements Runnable {

    @Parameters(
            paramLabel = "ADDRESS|SESSION|LEASE",
            description = "An address's id, host:port or URL; a session's key; or a lease as /acquire gave it.")
    @SuppressWarnings("NullAway.Init") // required
    private String what;

    @Option(
            names = "--url",
            paramLabel = "U",
            defaultValue = "http://127.0.0.1:8080",
            description = "Its API (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // has a default
    private String url;

    @Option(names = "--pool", paramLabel = "P", description = "The session's pool; the first unless said.")
    private @Nullable String pool;

    @Option(names = "--json", description = "The answer of GET /api/explain/... as it is.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public void run() {
        RunningGatekeeper gatekeeper = new RunningGatekeeper(url);
        List<String> no = new ArrayList<>();
        JsonNode answer = leases(gatekeeper, no)
                .or(() -> addresses(gatekeeper, no))
                .or(() -> sessions(gatekeeper, no))
                .orElseThrow(() -> Failure.input("nothing here is called " + what + ": " + String.join("; ", no)));
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(answer.toPrettyString());
        } else {
            print(answer, out);
        }
    }

    /** What looks like a lease is nothing else: no key or address has its form. */
    private Optional<JsonNode> leases(RunningGatekeeper gatekeeper, List<String> no) {
        if (!what.startsWith("l_") || what.length() < 60) {
            return Optional.empty();
        }
        Optional<JsonNode> found = gatekeeper.find("/api/explain/lease/" + encoded(what), no::add);
        if (found.isEmpty()) {
            throw Failure.input(no.get(0));
        }
        return found;
    }

    private Optional<JsonNode> addresses(RunningGatekeeper gatekeeper, List<String> no) {
        return pool != null ? Optional.empty() : gatekeeper.find("/api/explain/address/" + encoded(what), no::add);
    }

    private Optional<JsonNode> sessions(RunningGatekeeper gatekeeper, List<String> no) {
        String query = pool == null ? "" : "?pool=" + encoded(pool);
        return gatekeeper.find("/api/explain/session/" + encoded(what) + query, no::add);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private void print(JsonNode answer, PrintWriter out) {
        out.println(answer.has("pools") ? "address " + answer.path("address").asText() : what);
        answer.path("pools").forEach(one -> printPool(one, out));
        answer.path("explanation").forEach(line -> out.println("  " + line.asText()));
        JsonNode events = answer.path("events");
        if (!events.isEmpty()) {
            out.println("recent events");
            events.forEach(event -> out.println("  " + event.path("time").asText() + " "
                    + event.path("what").asText()
                    + (event.has("target") ? " on " + event.path("target").asText() : "") + ": "
                    + event.path("reason").asText()));
        }
    }

    private static void printPool(JsonNode pool, PrintWriter out) {
        out.println("  " + pool.path("proxy").asText()
                + (pool.path("tags").isEmpty() ? "" : " " + pool.path("tags").toString()));
        pool.path("explanation").forEach(line -> out.println("  " + line.asText()));
        for (JsonNode cell : pool.path("cells")) {
            out.println("  target " + cell.path("target").asText() + ": "
                    + cell.path("phase").asText() + ", "
                    + cell.at("/window/successes").asInt() + " of "
                    + Words.count(cell.at("/window/outcomes").asInt(), "outcome") + " good, "
                    + cell.at("/window/failures_in_row").asInt() + " failures in a row");
        }
    }
}
