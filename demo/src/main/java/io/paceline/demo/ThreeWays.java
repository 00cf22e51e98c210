package io.paceline.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One crawl done three times, on the same misbehaving proxies and sites: naively, through the permit API, and through the
 * forward proxy; then the figures side by side.
 */
final class ThreeWays implements Show {
    private static final long POLL_MILLIS = 50;

    /** The forward proxy waits for permits and tries again by itself: a client that gives up early learns nothing. */
    private static final Duration PATIENCE_WITH_PROXY = Duration.ofSeconds(15);

    private final Demo.Options options;
    private final Scenario scenario;
    private final Timing timing;
    private final Workload workload;
    private final Progress progress;
    private long crawledNanos;

    /** @throws IllegalArgumentException for an option that cannot be, in words for the user */
    ThreeWays(Scenario scenario, Demo.Options options, Progress progress) {
        this.options = options;
        this.scenario = scenario;
        this.timing = Timing.of(options.seconds());
        this.workload = Workload.of(scenario, timing);
        this.progress = progress;
    }

    @Override
    public String run() throws IOException, InterruptedException {
        introduce();
        WarmUp.run();
        List<RunResult> results = new ArrayList<>();
        for (Mode mode : Mode.values()) {
            results.add(run(mode, Mode.values().length - results.size()));
        }
        return options.json() ? Report.json(options.seed(), results) : "\n" + Report.table(results) + "\n" + LEGEND;
    }

    private static final String LEGEND = """
            success       pages got of pages wanted; each is tried twice at most
            wasted tries  requests that brought no page, of all requests
            captchas, 429s and changes of address inside a session are counted by the sites""";

    private enum Mode {
        NAIVE,
        API,
        PROXY;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private void introduce() {
        progress.say(String.format(
                Locale.ROOT,
                "%d upstream proxies (%s), %d sites, %,d pages and %d sessions, three times; seed %d",
                scenario.tempers().size(),
                scenario.census(),
                scenario.sites().size(),
                workload.pages(),
                workload.sessions(),
                options.seed()));
        progress.say("Paceline is given the list of proxies, and this:");
        DemoConfig.of(scenario, List.of()).yaml().lines().forEach(line -> progress.say("    " + line));
    }

    private RunResult run(Mode mode, int runsLeft) throws IOException, InterruptedException {
        try (World world = World.start(scenario, options.seed())) {
            Fetcher fetcher = new Fetcher(timing.tryTimeout());
            if (mode == Mode.NAIVE) {
                return crawl(mode, runsLeft, world, new NaiveWay(world, fetcher, options.seed()));
            }
            DemoConfig config = DemoConfig.of(scenario, world.upstreams());
            try (LocalPaceline paceline = LocalPaceline.start(config, timing.tryTimeout())) {
                Way way = mode == Mode.API
                        ? new ApiWay(world, fetcher, paceline.api())
                        : new ProxyWay(world, new Fetcher(PATIENCE_WITH_PROXY), paceline);
                return crawl(mode, runsLeft, world, way);
            }
        }
    }

    private RunResult crawl(Mode mode, int runsLeft, World world, Way way) throws IOException, InterruptedException {
        Tally tally = new Tally();
        long start = System.nanoTime();
        Crawl crawl = new Crawl(way, tally, mode.word(), deadline(runsLeft, start));
        List<Thread> workers = crawl.start(workload);
        try {
            for (Thread worker : workers) {
                while (worker.isAlive()) {
                    worker.join(POLL_MILLIS);
                    long now = System.nanoTime();
                    progress.running(mode.word(), tally, workload.pages(), now - start, now);
                }
            }
        } finally {
            workers.forEach(Thread::interrupt);
        }
        long elapsed = System.nanoTime() - start;
        crawledNanos += elapsed;
        progress.done(mode.word(), tally, workload.pages(), elapsed);
        return result(mode, tally, way, world.counts(), elapsed / 1e9);
    }

    /** A run may use its share of what the runs before it have left. */
    private long deadline(int runsLeft, long nowNanos) {
        long share = (timing.total().toNanos() - crawledNanos) / runsLeft;
        return nowNanos + Math.max(0, share - 2 * timing.tryTimeout().toNanos());
    }

    private RunResult result(Mode mode, Tally tally, Way way, SiteLog.Counts seen, double seconds) throws IOException {
        return new RunResult(
                mode.word(),
                tally.requests() + way.hiddenRequests(),
                tally.pagesWanted(),
                tally.pagesGot(),
                seen.captchas(),
                seen.tooMany(),
                seen.rotations(),
                tally.sessionsRenewed(),
                seconds,
                tally.pagesWanted() < workload.pages());
    }
}
