package io.paceline.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code status}: a look at a running gatekeeper. */
@Command(
        name = "status",
        description = "Show what a running gatekeeper does.",
        footer = {"", "Where it wants a token, PACELINE_TOKEN holds it (role viewer or operator)."})
final class StatusCommand implements Runnable {

    private static final int MAX_OUT_SHOWN = 20;

    /** The states that a person asks about one by one. */
    private static final List<String> OUT = List.of("quarantined", "dead", "banned", "frozen", "draining");

    @Option(
            names = "--url",
            paramLabel = "U",
            defaultValue = "http://127.0.0.1:8080",
            description = "Its API (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // has a default
    private String url;

    @Option(names = "--json", description = "The answer of GET /api/status as it is.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        RunningGatekeeper gatekeeper = new RunningGatekeeper(url);
        JsonNode status = gatekeeper.get("/api/status");
        if (json) {
            out.println(status);
            return;
        }
        out.println("paceline " + text(status, "version") + ", " + text(status, "status") + ", up "
                + uptime(status.path("uptime_seconds").asLong()) + ", store " + text(status, "store"));
        JsonNode division = status.path("division");
        if (!division.isMissingNode()) {
            out.println("division " + text(division, "method") + ", instance " + text(division, "instance") + " of "
                    + division.path("instances").asInt() + ": " + text(division, "detail"));
        }
        printConfiguration(status.path("configuration"), out);
        status.path("pools").forEach(pool -> printPool(pool, out));
        status.path("control_urls").forEach(url -> {
            if (!url.path("alive").asBoolean()) {
                out.println("control URL " + text(url, "url") + " is dead: " + text(url, "reason"));
            }
        });
        JsonNode rules = status.path("rules");
        out.println(rules.isEmpty() ? "no rules: the default pace for every target" : "rules");
        (rules.isEmpty() ? status.path("default_pace") : rules).forEach(rule -> printRule(rule, out));
        OUT.forEach(state ->
                printOut(state, gatekeeper.get("/api/addresses?state=" + state + "&per_page=" + MAX_OUT_SHOWN), out));
    }

    /** Nothing of what is as it should be, but for the generation. */
    private static void printConfiguration(JsonNode configuration, PrintWriter out) {
        out.println("configuration " + text(configuration, "generation") + " since " + text(configuration, "since"));
        if (!configuration.path("valid").asBoolean(true)) {
            out.println("its files are broken since " + text(configuration, "broken_since")
                    + ", and change nothing until they are mended");
            configuration
                    .path("errors")
                    .forEach(error -> out.println("  " + text(error, "file")
                            + (error.has("line")
                                    ? ":" + error.path("line").asInt() + ":"
                                            + error.path("column").asInt()
                                    : "")
                            + ": " + text(error, "message")));
        }
        configuration.path("needs_restart").forEach(needed -> out.println("needs a restart: " + needed.asText()));
        configuration
                .path("lists")
                .forEach(list -> out.println("list " + text(list, "source") + " of pool "
                        + text(list, "pool") + ": "
                        + Words.count(list.path("addresses").asInt(), "address")
                        + (list.has("fetched_at") ? ", fetched " + text(list, "fetched_at") : ", never fetched")
                        + fault(list)));
        configuration
                .path("supply")
                .forEach(supply -> out.println("supply of pool " + text(supply, "pool") + " from "
                        + text(supply, "source") + ": below "
                        + supply.path("below").asInt() + ", budget left "
                        + supply.path("budget_left").asInt()
                        + (supply.has("asked_at") ? ", asked " + text(supply, "asked_at") : "") + fault(supply)));
    }

    private static String fault(JsonNode node) {
        return node.path("fault").isTextual() ? "; " + text(node, "fault") : "";
    }

    private static void printPool(JsonNode pool, PrintWriter out) {
        List<String> states = new ArrayList<>();
        pool.path("addresses").properties().forEach(state -> {
            if (!state.getKey().equals("total")) {
                states.add(state.getValue().asInt() + " " + state.getKey());
            }
        });
        out.println("pool " + text(pool, "name") + " (" + text(pool, "strategy") + "): "
                + Words.count(pool.path("addresses").path("total").asInt(), "address")
                + (states.isEmpty() ? "" : ": " + String.join(", ", states)) + "; "
                + Words.count(pool.path("leases").asInt(), "lease") + ", "
                + Words.count(pool.path("sessions").asInt(), "session") + "; quarantine cap used "
                + Math.round(100 * pool.path("quarantine_cap_used").asDouble()) + " %");
    }

    private static void printRule(JsonNode rule, PrintWriter out) {
        List<String> limits = new ArrayList<>();
        if (rule.has("sustained")) {
            limits.add(text(rule, "sustained"));
        }
        if (rule.has("concurrency")) {
            limits.add(rule.path("concurrency").asInt() + " at once");
        }
        out.println("  " + text(rule, "name") + " (" + text(rule, "pattern") + "), per " + text(rule, "per") + ": "
                + String.join("; ", limits));
    }

    private static void printOut(String state, JsonNode page, PrintWriter out) {
        JsonNode addresses = page.path("addresses");
        if (addresses.isEmpty()) {
            return;
        }
        out.println(state);
        addresses.forEach(address -> out.println("  " + text(address, "id") + " " + text(address, "proxy") + " in pool "
                + text(address, "pool")
                + (address.has("until") ? " until " + text(address, "until") : "")
                + (address.has("reason") ? ": " + text(address, "reason") : "")));
        int more = page.path("total").asInt() - addresses.size();
        if (more > 0) {
            out.println("  and " + more + " more");
        }
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asText();
    }

    private static String uptime(long seconds) {
        long minutes = seconds / 60;
        if (minutes == 0) {
            return seconds + "s";
        }
        return minutes < 60 ? minutes + "m " + seconds % 60 + "s" : minutes / 60 + "h " + minutes % 60 + "m";
    }
}
