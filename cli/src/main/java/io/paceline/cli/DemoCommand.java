package io.paceline.cli;

import io.paceline.demo.Demo;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code demo}: a crawl of misbehaving proxies and sites on loopback, done naively and through Paceline. */
@Command(
        name = "demo",
        description = {
            "Crawl three sites through a dozen misbehaving proxies, all on loopback, three times: naively (a random line"
                    + " of the list for every try), through the permit API, and through the forward proxy. Then show"
                    + " the figures side by side."
        },
        footer = {
            "",
            "success: pages got of pages wanted; each is tried twice at most.",
            "wasted tries: requests that brought no page, of all requests.",
            "captchas, 429s and changes of address inside a session are counted by the sites.",
            "",
            "The same seed gives the same faults. Two runs with one seed differ in what threads and sockets decide:"
                    + " success by 2 points at most, wasted tries by 4."
        })
final class DemoCommand implements Callable<Integer> {

    /** What slf4j-simple reads when the first logger is made. */
    private static final String OWN_LOG_LEVEL = "org.slf4j.simpleLogger.log.io.paceline";

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "For the three crawls together, 10 to 600; ${DEFAULT-VALUE} unless said.")
    private int seconds = Demo.Options.DEFAULT_SECONDS;

    @Option(names = "--seed", paramLabel = "N", description = "Of all chance; ${DEFAULT-VALUE} unless said.")
    private long seed = 1;

    @Option(names = "--scenario", paramLabel = "S", description = "What is wrong: ${DEFAULT-VALUE}, the only one yet.")
    private String scenario = Demo.Options.DEFAULT_SCENARIO;

    @Option(names = "--json", description = "Print JSON instead of the table.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public Integer call() {
        quieten();
        Demo demo = demo();
        Runtime.getRuntime().addShutdownHook(new Thread(demo::abandon, "demo-end"));
        try {
            spec.commandLine().getOut().println(demo.run());
            return 0;
        } catch (IOException e) {
            throw Failure.surroundings("paceline demo: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.surroundings("paceline demo: interrupted");
        }
    }

    private Demo demo() {
        try {
            return new Demo(
                    new Demo.Options(seconds, seed, scenario, json, Terminal.attached()),
                    spec.commandLine().getErr());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** Every quarantine is a line in Paceline's log, which would tear the progress apart. */
    private static void quieten() {
        if (System.getProperty(OWN_LOG_LEVEL) == null) {
            System.setProperty(OWN_LOG_LEVEL, "warn");
        }
    }
}
