package io.paceline.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.paceline.cli.ConnectTest.Outcome;
import io.paceline.service.lists.ProxyEntry;
import io.paceline.service.lists.ProxyList;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code proxies test}: what a list holds, and which of its proxies accept a connection. */
@Command(
        name = "test",
        description = "Read a list, say what is wrong with its bad lines, and try a TCP connection to each proxy.",
        footer = {
            "",
            "A proxy that accepts a connection may still refuse the password, or be blocked by a site. The exit code is 0"
                    + " if at least one can be reached, else 1."
        })
final class ProxiesTestCommand implements Runnable {

    private static final int MAX_CONCURRENCY = 1_000;
    private static final int MAX_TIMEOUT_SECONDS = 600;

    @Parameters(paramLabel = "FILE", description = "The list, in any format.")
    @SuppressWarnings("NullAway.Init") // a required parameter
    private Path file;

    @Option(names = "--json", description = "One JSON object instead of lines.")
    private boolean json;

    @Option(names = "--timeout", paramLabel = "SECONDS", description = "Time for one connection. Default: 5.")
    private int timeout = 5;

    @Option(names = "--concurrency", paramLabel = "N", description = "Connections at once. Default: 64.")
    private int concurrency = 64;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public void run() {
        require("--timeout", timeout, MAX_TIMEOUT_SECONDS);
        require("--concurrency", concurrency, MAX_CONCURRENCY);
        ProxyList list = ListFile.read(file);
        PrintWriter err = spec.commandLine().getErr();
        ConnectTest test = new ConnectTest(Duration.ofSeconds(timeout), concurrency, err::println);
        Map<ProxyEntry, Outcome> outcomes = test.run(list.entries());
        long usable = outcomes.values().stream().filter(Outcome::reachable).count();
        if (json) {
            spec.commandLine().getOut().println(asJson(list, outcomes, usable));
        } else {
            print(list, outcomes, usable);
        }
        spec.commandLine().getOut().flush();
        if (usable == 0) {
            throw Failure.input(file + ": no usable proxy among "
                    + Words.count(list.entries().size(), "address"));
        }
    }

    private void require(String option, int value, int max) {
        if (value < 1 || value > max) {
            throw new ParameterException(spec.commandLine(), option + " " + value + " is not between 1 and " + max);
        }
    }

    private void print(ProxyList list, Map<ProxyEntry, Outcome> outcomes, long usable) {
        PrintWriter out = spec.commandLine().getOut();
        list.bad().forEach(bad -> out.println("bad   " + ListFile.shown(file, bad)));
        outcomes.forEach((entry, outcome) ->
                out.println((outcome.reachable() ? "ok    " : "fail  ") + entry.endpoint() + "  " + outcome.words()));
        out.println(usable + " of " + Words.count(list.entries().size(), "address") + " reachable, "
                + Words.count(list.duplicates(), "duplicate") + ", " + Words.count(list.badLines(), "bad line"));
    }

    private ObjectNode asJson(ProxyList list, Map<ProxyEntry, Outcome> outcomes, long usable) {
        ObjectNode object = new ObjectMapper().createObjectNode();
        object.put("file", file.toString());
        object.put("addresses", list.entries().size());
        object.put("reachable", usable);
        object.put("duplicates", list.duplicates());
        object.put("bad_lines", list.badLines());
        bad(object.putArray("bad"), list.bad());
        ArrayNode results = object.putArray("results");
        outcomes.forEach((entry, outcome) -> {
            ObjectNode result = results.addObject();
            result.put("proxy", entry.endpoint().toString());
            result.put("reachable", outcome.reachable());
            result.put("connect_ms", outcome.reachable() ? outcome.millis() : null);
            result.put("reason", outcome.reachable() ? null : outcome.reason());
        });
        return object;
    }

    private static void bad(ArrayNode array, List<ProxyList.BadLine> lines) {
        for (ProxyList.BadLine line : lines) {
            array.addObject()
                    .put("line", line.line())
                    .put("error", line.fault().word())
                    .put("message", line.message());
        }
    }
}
