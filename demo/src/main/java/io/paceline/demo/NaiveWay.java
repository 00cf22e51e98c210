package io.paceline.demo;

import java.io.IOException;
import java.util.List;

/** As people do it: a random line of the list for every try, no pace, no memory. */
final class NaiveWay implements Way {
    private final World world;
    private final Fetcher fetcher;
    private final Draws draws;
    private final List<Upstream> list;

    NaiveWay(World world, Fetcher fetcher, long seed) {
        this.world = world;
        this.fetcher = fetcher;
        this.draws = new Draws(~seed);
        this.list = world.upstreams();
    }

    @Override
    public Answer fetch(Page page, int attempt, String session) {
        String proxy =
                list.get(draws.below(list.size(), page.number(), attempt)).line();
        try {
            String url = world.sites().get(page.site()).url() + page.path();
            return Answer.ofStatus(fetcher.get(proxy, url, session).head().status());
        } catch (IOException e) {
            return Answer.FAILED;
        }
    }
}
