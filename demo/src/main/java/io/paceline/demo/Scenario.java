package io.paceline.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;

/**
 * Which proxies and sites there are, and what is wrong with them.
 *
 * @param name the word of the command line
 * @param tempers how many proxies, and how each behaves, before the seed shuffles them
 * @param sites in the order of their addresses, 127.0.0.2 and upwards
 */
record Scenario(String name, List<Temper> tempers, List<SiteSpec> sites) {

    /**
     * One site, and how it is crawled.
     *
     * @param host its address
     * @param captchaFor how many addresses it answers with a captcha, whatever they ask for
     * @param served how many requests it answers in any second before it says 429; 0 without such a limit
     * @param pace the requests a second of the rule that Paceline is given for it
     * @param workers how many requests the crawl has open at once, however it is done
     * @param sessions how many sessions the crawl holds with it
     */
    record SiteSpec(String name, String host, int captchaFor, int served, int pace, int workers, int sessions) {}

    /** As many as the address space of the demo has room for. */
    static final int MAX_PROXIES = 200;

    Scenario {
        tempers = List.copyOf(tempers);
        sites = List.copyOf(sites);
        if (tempers.isEmpty() || tempers.size() > MAX_PROXIES) {
            throw new IllegalArgumentException("tempers: " + tempers.size() + " is not between 1 and " + MAX_PROXIES);
        }
    }

    /**
     * A third of the proxies is no good, as in lists that one buys. The shop asks some good addresses for captchas. The
     * box office serves 48 requests a second; its rule keeps a quarter below that, since permits that start evenly arrive
     * unevenly, by slow proxies and busy processors.
     */
    private static final Scenario MIXED = new Scenario(
            "mixed",
            List.of(
                    Temper.DEAD,
                    Temper.DEAD,
                    Temper.SLOW,
                    Temper.FLAKY,
                    Temper.HANGING,
                    Temper.GOOD,
                    Temper.GOOD,
                    Temper.GOOD,
                    Temper.GOOD,
                    Temper.GOOD,
                    Temper.GOOD,
                    Temper.GOOD),
            List.of(
                    new SiteSpec("news", "127.0.0.2", 0, 0, 90, 30, 8),
                    new SiteSpec("shop", "127.0.0.3", 2, 0, 90, 30, 8),
                    new SiteSpec("tickets", "127.0.0.4", 0, 48, 36, 15, 4)));

    /** Of the crawl that is done in three ways; empty where no such scenario has that name. */
    static Optional<Scenario> named(String name) {
        return name.equals(MIXED.name) ? Optional.of(MIXED) : Optional.empty();
    }

    /** The tempers in the order in which the seed hands them out to the proxies. */
    List<Temper> dealt(long seed) {
        List<Temper> dealt = new ArrayList<>(tempers);
        // java.util.Random's algorithm is specified, so a seed means the same on every Java.
        Collections.shuffle(dealt, new Random(seed));
        return dealt;
    }

    /** {@code 2 dead, 1 slow, 1 flaky, 1 hanging, 7 good}. */
    String census() {
        List<String> parts = new ArrayList<>();
        for (Temper temper : List.of(Temper.DEAD, Temper.SLOW, Temper.FLAKY, Temper.HANGING, Temper.GOOD)) {
            long count = tempers.stream().filter(temper::equals).count();
            if (count > 0) {
                parts.add(count + " " + temper.name().toLowerCase(Locale.ROOT));
            }
        }
        return String.join(", ", parts);
    }
}
