package io.paceline.demo;

import io.paceline.demo.Scenario.SiteSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** A crawl without an end: so many workers a site, as fast as they get permits. */
final class Crowd implements AutoCloseable {
    private final Way way;
    private final List<SiteSpec> sites;
    private final List<Recent> recent = new ArrayList<>();
    private final List<Tally> tallies = new ArrayList<>();
    private final List<Thread> workers = new ArrayList<>();
    private final AtomicInteger pages = new AtomicInteger();

    private Crowd(Way way, List<SiteSpec> sites) {
        this.way = way;
        this.sites = sites;
    }

    static Crowd start(Way way, List<SiteSpec> sites) {
        Crowd crowd = new Crowd(way, sites);
        for (int site = 0; site < sites.size(); site++) {
            crowd.recent.add(new Recent());
            crowd.tallies.add(new Tally());
            for (int i = 0; i < sites.get(site).workers(); i++) {
                int number = site;
                Thread worker = new Thread(() -> crowd.work(number), "demo-crawler-" + crowd.workers.size());
                worker.setDaemon(true);
                crowd.workers.add(worker);
            }
        }
        crowd.workers.forEach(Thread::start);
        return crowd;
    }

    private void work(int site) {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                int number = pages.incrementAndGet();
                Answer answer = way.fetch(new Page(number, site, "/p/" + number), 0, "");
                tallies.get(site).tried(answer);
                if (answer.sent()) {
                    recent.get(site).add(answer == Answer.PAGE, System.nanoTime());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the crawl is over
        }
    }

    /** {@code news 100 %  shop   0 %}. */
    String lately() {
        long now = System.nanoTime();
        StringBuilder text = new StringBuilder(80);
        for (int site = 0; site < sites.size(); site++) {
            text.append(String.format(
                    Locale.ROOT,
                    "%s %s  ",
                    sites.get(site).name(),
                    recent.get(site).rate(now)));
        }
        return text.toString();
    }

    /** Requests that were sent to a site. */
    long requests(int site) {
        return tallies.get(site).requests();
    }

    long requests() {
        return tallies.stream().mapToLong(Tally::requests).sum();
    }

    long pagesGot() {
        return tallies.stream().mapToLong(Tally::pagesGot).sum();
    }

    @Override
    public void close() {
        workers.forEach(Thread::interrupt);
    }
}
