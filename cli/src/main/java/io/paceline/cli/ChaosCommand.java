package io.paceline.cli;

import io.paceline.demo.chaos.Chaos;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code chaos}: real gatekeepers over a real Redis, faults, and a check of everything that callers were told. */
@Command(
        name = "chaos",
        description = {
            "Start a Redis and several gatekeepers on loopback, put them under load from many callers, let faults befall"
                    + " them one after another, and check everything that callers were told: leases on an address"
                    + " never beyond its cap, no limit exceeded, one address a session, every lease ended once,"
                    + " bans held, nobody refused for long where there is room.",
            "",
            "Needs redis-server (or Valkey under that name) in the PATH."
        },
        footer = {
            "",
            "Faults, FAULT or FAULT:SECONDS, of whatever fits --redis:",
            "  kill, freeze             of a gatekeeper: kill -9 and a new start; it stands still",
            "  redis-restart            killed, starts again at once, empty",
            "  redis-stop               the same after 10 seconds",
            "  redis-pause              stands still, forgets nothing",
            "  slow, too-slow           answers come 30 ms, or 150 ms, later",
            "  cut-off                  one gatekeeper has no way to Redis",
            "  drop, drop-pubsub        all connections of gatekeepers, or those that listen, are closed",
            "  failover                 (sentinel) the master is killed, its replica takes over",
            "  slot                     (cluster) the slot of all keys is moved under load, which docs/distributed.md"
                    + " advises against",
            "",
            "Exit code 0: no promise broken; 1: some were, with the events that contradict each other."
        })
final class ChaosCommand implements Callable<Integer> {

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Over which the faults are spread (default: ${DEFAULT-VALUE}).")
    private int seconds = Chaos.Options.DEFAULT_SECONDS;

    @Option(names = "--gatekeepers", paramLabel = "N", description = "Processes (default: ${DEFAULT-VALUE}).")
    private int gatekeepers = Chaos.Options.DEFAULT_GATEKEEPERS;

    @Option(names = "--clients", paramLabel = "N", description = "Callers at once (default: ${DEFAULT-VALUE}).")
    private int clients = Chaos.Options.DEFAULT_CLIENTS;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Of what callers ask for and whom faults befall (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--redis",
            paramLabel = "SHAPE",
            description = "single, sentinel or cluster (default: ${DEFAULT-VALUE}).")
    private String redis = "single";

    @Option(
            names = "--faults",
            paramLabel = "FAULT",
            split = ",",
            description = "In this order; none for none (default: all that fit --redis, without slot).")
    private @Nullable List<String> faults;

    @Option(
            names = "--history",
            paramLabel = "FILE",
            description = "Write all that callers were told there, as JSON lines.")
    private @Nullable Path history;

    @Option(names = "--json", description = "Print JSON instead of a table; progress goes to standard error anyway.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public Integer call() {
        Chaos chaos = chaos();
        Runtime.getRuntime().addShutdownHook(new Thread(chaos::abandon, "chaos-end"));
        try {
            Chaos.Result result = chaos.run();
            spec.commandLine().getOut().println(result.text());
            return result.broken() == 0 ? 0 : Failure.INPUT;
        } catch (IOException e) {
            throw Failure.surroundings("paceline chaos: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.surroundings("paceline chaos: interrupted");
        }
    }

    private Chaos chaos() {
        try {
            return new Chaos(
                    new Chaos.Options(
                            serve(),
                            seconds,
                            gatekeepers,
                            clients,
                            seed,
                            redis,
                            faults != null && faults.equals(List.of("none")) ? List.of() : faults,
                            json,
                            history),
                    spec.commandLine().getErr());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** The same Java and the same classes as this process; small, since there are several on one machine. */
    private static List<String> serve() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "serve");
    }
}
