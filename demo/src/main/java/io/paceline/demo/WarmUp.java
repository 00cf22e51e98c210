package io.paceline.demo;

import io.paceline.demo.Scenario.SiteSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * A small crawl by both of Paceline's ways, of proxies and a site that do nothing wrong, before anything is counted: a Java program is
 * slow while its code is cold, and the first run through Paceline should not pay for all.
 */
final class WarmUp {
    private static final int PROXIES = 3;
    private static final int WORKERS = 16;

    /** Enough for the just-in-time compiler to have seen every path. */
    private static final int PACE = 400;

    private static final Scenario CALM = new Scenario(
            "calm",
            Collections.nCopies(PROXIES, Temper.GOOD),
            List.of(new SiteSpec("calm", "127.0.0.2", 0, 0, PACE, WORKERS, 2)));

    private WarmUp() {}

    /** A second on an idle machine, or two; on a busy one the bound. */
    private static final Duration MOST = Duration.ofSeconds(20);

    static void run() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + MOST.toNanos();
        Timing timing = new Timing(MOST, Duration.ofSeconds(1), Duration.ofSeconds(5));
        Workload workload = Workload.of(CALM, timing);
        Fetcher fetcher = new Fetcher(timing.tryTimeout());
        try (World world = World.start(CALM, 0);
                LocalPaceline paceline =
                        LocalPaceline.start(DemoConfig.of(CALM, world.upstreams()), timing.tryTimeout())) {
            crawl(new ApiWay(world, fetcher, paceline.api()), workload, deadline);
            crawl(new ProxyWay(world, fetcher, paceline), workload, deadline);
        }
    }

    private static void crawl(Way way, Workload workload, long deadline) throws InterruptedException {
        for (Thread worker : new Crawl(way, new Tally(), "warm", deadline).start(workload)) {
            worker.join();
        }
    }
}
