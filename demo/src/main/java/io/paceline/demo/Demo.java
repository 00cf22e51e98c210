package io.paceline.demo;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The demo: a crawl of misbehaving proxies and sites, done three times ({@link ThreeWays}), or one crawl that meets
 * {@link Trouble}.
 *
 * <p>Everything is real but the distance: sockets, HTTP, a whole Paceline, all on loopback and in this process.
 */
public final class Demo {
    private static final String LIST = "list";

    private final Progress progress;
    private final Show show;

    /**
     * What the command line can say.
     *
     * @param seconds for everything together
     * @param seed of all chance
     * @param scenario the scenario's name, or {@code list}
     * @param json whether the result is wanted as JSON
     * @param terminal whether the progress may write over its own line
     */
    public record Options(int seconds, long seed, String scenario, boolean json, boolean terminal) {
        /** Of {@link #DEFAULT_SCENARIO}. */
        public static final int DEFAULT_SECONDS = 30;

        /** Of the others. */
        public static final int DEFAULT_SECONDS_OF_TROUBLE = TroubleTiming.USUAL_SECONDS;

        public static final String DEFAULT_SCENARIO = "mixed";
    }

    /**
     * @param err takes the progress
     * @throws IllegalArgumentException for an option that cannot be, in words for the user
     */
    public Demo(Options options, PrintWriter err) {
        this.progress = new Progress(err, options.terminal());
        this.show = show(options);
    }

    private Show show(Options options) {
        if (options.scenario().equals(LIST)) {
            return Demo::list;
        }
        Optional<Scenario> scenario = Scenario.named(options.scenario());
        if (scenario.isPresent()) {
            return new ThreeWays(scenario.get(), options, progress);
        }
        Trouble trouble = Trouble.named(options.scenario())
                .orElseThrow(() -> new IllegalArgumentException("--scenario " + options.scenario()
                        + ": there is no such scenario; write one of " + String.join(", ", names()) + ", or " + LIST
                        + " to be told what each is"));
        TroubleTiming timing = TroubleTiming.of(options.seconds());
        return new TroubleShow(trouble, timing, options.seed(), options.json(), progress);
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>(List.of(Options.DEFAULT_SCENARIO));
        for (Trouble trouble : Trouble.values()) {
            names.add(trouble.word());
        }
        return names;
    }

    private static String list() {
        StringBuilder list = new StringBuilder(512);
        line(list, Options.DEFAULT_SCENARIO, "a third of the proxies is no good; one crawl, done in three ways");
        for (Trouble trouble : Trouble.values()) {
            line(list, trouble.word(), trouble.sentence());
        }
        return list.toString().stripTrailing();
    }

    private static void line(StringBuilder list, String name, String sentence) {
        list.append(String.format(Locale.ROOT, "%-17s %s%n", name, sentence));
    }

    /**
     * Runs it.
     *
     * @return what is to be printed on standard output
     * @throws IOException where the machine lacks something, with a message for the user
     * @throws InterruptedException where the thread was asked to stop; everything is closed then
     */
    public String run() throws IOException, InterruptedException {
        return show.run();
    }

    /** Leaves the terminal as it was found; for the end by a signal. */
    public void abandon() {
        progress.endLine();
    }
}
