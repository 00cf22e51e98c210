package io.paceline.cli;

import io.paceline.demo.Demo;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code demo}: a crawl of misbehaving proxies and sites on loopback, done naively and through Paceline. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Crawls three sites through a dozen upstream proxies, all on loopback, three times:"
                    + " naively (a random line of the list), through the permit API, and through the forward proxy."
                    + " Then prints the figures side by side.",
            "",
            "success: pages got of pages wanted; each is tried twice at most. wasted tries: requests that brought no"
                    + " page, of all requests. Captchas, 429s and changes of address inside a session are counted by"
                    + " the sites.",
            ""
        })
final class DemoCommand implements Callable<Integer> {
    private static final int DONE = 0;
    private static final int USAGE = 2;
    private static final int SURROUNDINGS = 3;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "for all three crawls together, 10 to 600 (default: ${DEFAULT-VALUE})")
    private int seconds = Demo.Options.DEFAULT_SECONDS;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "of all chance: the same seed gives the same faults (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Option(names = "--scenario", paramLabel = "S", description = "what is wrong (default and only: ${DEFAULT-VALUE})")
    private String scenario = Demo.Options.DEFAULT_SCENARIO;

    @Option(names = "--json", description = "print JSON instead of the table")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        Demo demo;
        try {
            demo = new Demo(new Demo.Options(seconds, seed, scenario, json, Terminal.attached()), err);
        } catch (IllegalArgumentException e) {
            err.println("demo: " + e.getMessage());
            return USAGE;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(demo::abandon, "demo-end"));
        try {
            spec.commandLine().getOut().println(demo.run());
            return DONE;
        } catch (IOException e) {
            err.println("demo: " + e.getMessage());
            return SURROUNDINGS;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return SURROUNDINGS;
        } finally {
            spec.commandLine().getOut().flush();
        }
    }
}
