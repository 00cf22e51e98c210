package io.paceline.cli;

import io.paceline.demo.Demo;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
                    + " the figures side by side.",
            "",
            "With --scenario, watch one crawl through Paceline that meets trouble: each second how the sites answer and"
                    + " how the addresses stand, between them what the decision log says, and at the end how"
                    + " long the verdict took, whom it hit, and how long until all was well again:",
            "  incident          one site answers 503 or nothing to everybody for a while",
            "  own-outage        no proxy can be reached, and no control URL either",
            "  control-url-dead  the pages that test addresses die, one by one",
            "  provider-down     all addresses of one of three providers fail"
        },
        footer = {
            "",
            "Of the usual scenario, mixed:",
            "success: pages got of pages wanted; each is tried twice at most.",
            "wasted tries: requests that brought no page, of all requests.",
            "captchas, 429s and changes of address inside a session are counted by the sites.",
            "",
            "The same seed gives the same faults. Two runs with one seed differ in what threads and sockets decide:"
                    + " success by 2 points at most, wasted tries by 4.",
            "",
            "--json of the others: {seed, scenario, began, ended, verdict_seconds, wrong_verdicts, false_quarantines,"
                    + " quarantines, recovery_seconds, requests, pages, events: [{second, what, text}]}."
                    + " Times are seconds of the crawl; null stands for what has not happened."
                    + " verdict_seconds run from the beginning of the trouble to the first right"
                    + " verdict, recovery_seconds from its end until nobody is held guilty or out of service."
                    + " A quarantine is one of an address, or of an address on one site."
        })
final class DemoCommand implements Callable<Integer> {

    /** What slf4j-simple reads when the first logger is made. */
    private static final String OWN_LOG_LEVEL = "org.slf4j.simpleLogger.log.io.paceline";

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "For everything: 10 to 600, 30 unless said; with a trouble 20 to 600, 40 unless said.")
    private @Nullable Integer seconds;

    @Option(names = "--seed", paramLabel = "N", description = "Of all chance; ${DEFAULT-VALUE} unless said.")
    private long seed = 1;

    @Option(
            names = "--scenario",
            paramLabel = "S",
            description = "What is wrong: ${DEFAULT-VALUE} unless said; list to be told what there is.")
    private String scenario = Demo.Options.DEFAULT_SCENARIO;

    @Option(
            names = "--json",
            description = "Print JSON instead of the result in words; the time line goes to standard error.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    @Override
    public Integer call() {
        quieten(scenario.equals(Demo.Options.DEFAULT_SCENARIO));
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
                    new Demo.Options(seconds(), seed, scenario, json, Terminal.attached()),
                    spec.commandLine().getErr());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private int seconds() {
        if (seconds != null) {
            return seconds;
        }
        return scenario.equals(Demo.Options.DEFAULT_SCENARIO)
                ? Demo.Options.DEFAULT_SECONDS
                : Demo.Options.DEFAULT_SECONDS_OF_TROUBLE;
    }

    /** Every quarantine is a line in Paceline's log, which would tear the progress apart; a time line tells of verdicts itself. */
    private static void quieten(boolean verdictsWanted) {
        setUnlessSet(OWN_LOG_LEVEL, "warn");
        if (!verdictsWanted) {
            setUnlessSet(OWN_LOG_LEVEL + ".decisions", "error");
        }
    }

    private static void setUnlessSet(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
