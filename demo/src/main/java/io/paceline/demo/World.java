package io.paceline.demo;

import io.paceline.demo.Scenario.SiteSpec;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The proxies and sites of one run, all on loopback and all in this process. Every run gets a new one, with the same faults. */
final class World implements Closeable {
    private static final int MAX_THREADS = 2_000;

    private final ExecutorService threads;
    private final List<Upstream> upstreams = new ArrayList<>();
    private final List<Site> sites = new ArrayList<>();

    private World() {
        AtomicInteger started = new AtomicInteger();
        threads = new ThreadPoolExecutor(0, MAX_THREADS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, "demo-world-" + started.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** @throws IOException where the machine does not lend the addresses */
    static World start(Scenario scenario, long seed) throws IOException {
        World world = new World();
        try {
            world.populate(scenario, seed);
            return world;
        } catch (IOException e) {
            world.close();
            throw e;
        }
    }

    private void populate(Scenario scenario, long seed) throws IOException {
        Draws draws = new Draws(seed);
        for (Temper temper : scenario.dealt(seed)) {
            upstreams.add(Upstream.start(upstreams.size() + 1, temper, draws, threads));
        }
        for (SiteSpec spec : scenario.sites()) {
            sites.add(Site.start(spec, suspects(spec.captchaFor(), seed), draws, threads));
        }
    }

    /** Good addresses that a site takes for robots. */
    private Set<String> suspects(int howMany, long seed) {
        List<Upstream> good = new ArrayList<>(upstreams);
        good.removeIf(upstream -> upstream.temper() != Temper.GOOD);
        Collections.shuffle(good, new Random(~seed));
        Set<String> suspects = new LinkedHashSet<>();
        for (Upstream upstream : good.subList(0, Math.min(howMany, good.size()))) {
            suspects.add(upstream.address());
        }
        return suspects;
    }

    List<Upstream> upstreams() {
        return List.copyOf(upstreams);
    }

    List<Site> sites() {
        return List.copyOf(sites);
    }

    /** What all sites together saw. */
    SiteLog.Counts counts() {
        return sites.stream().map(Site::counts).reduce(SiteLog.Counts.NONE, SiteLog.Counts::plus);
    }

    @Override
    public void close() {
        upstreams.forEach(Upstream::close);
        sites.forEach(Site::close);
        threads.shutdownNow();
    }
}
