package io.paceline.demo;

import io.paceline.demo.Scenario.SiteSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * What is crawled: the same for every run. Each site is crawled by workers of its own, as crawlers do it, so that a slow
 * site holds up no other.
 */
record Workload(List<Lane> lanes) {

    /**
     * The work for one site.
     *
     * @param workers how many work on it at once
     */
    record Lane(int site, int workers, List<Chain> chains) {
        Lane {
            chains = List.copyOf(chains);
        }

        int pages() {
            return chains.stream().mapToInt(chain -> chain.pages().size()).sum();
        }
    }

    /**
     * Pages that are got one after another.
     *
     * @param session the name of the session that they belong to; empty for a page by itself
     */
    record Chain(String session, List<Page> pages) {
        Chain {
            pages = List.copyOf(pages);
        }
    }

    /** A session gets its turn as often as any worker; so much of the time that leaves is filled. */
    private static final double SESSION_SHARE = 0.7;

    private static final int SHORTEST_SESSION = 5;

    Workload {
        lanes = List.copyOf(lanes);
    }

    static Workload of(Scenario scenario, Timing timing) {
        Builder builder = new Builder(timing);
        for (int site = 0; site < scenario.sites().size(); site++) {
            builder.add(site, scenario.sites().get(site));
        }
        return new Workload(builder.lanes);
    }

    int pages() {
        return lanes.stream().mapToInt(Lane::pages).sum();
    }

    int sessions() {
        return (int) lanes.stream()
                .flatMap(lane -> lane.chains().stream())
                .filter(chain -> !chain.session().isEmpty())
                .count();
    }

    private static final class Builder {
        private final Timing timing;
        private final List<Lane> lanes = new ArrayList<>();
        private int pages;
        private int sessions;

        Builder(Timing timing) {
            this.timing = timing;
        }

        /** Sessions first: they are the longest, and the others fill the gaps that they leave. */
        void add(int site, SiteSpec spec) {
            int wanted = timing.events(spec.pace());
            int sessionLength =
                    Math.max(SHORTEST_SESSION, timing.events(SESSION_SHARE * spec.pace() / (double) spec.workers()));
            List<Chain> chains = new ArrayList<>();
            for (int i = 0; i < spec.sessions(); i++) {
                chains.add(chain("acct" + ++sessions, site, sessionLength));
                wanted -= sessionLength;
            }
            for (; wanted > 0; wanted--) {
                chains.add(chain("", site, 1));
            }
            lanes.add(new Lane(site, spec.workers(), chains));
        }

        private Chain chain(String session, int site, int length) {
            List<Page> chain = new ArrayList<>(length);
            for (int i = 0; i < length; i++) {
                chain.add(new Page(pages, site, "/p/" + pages));
                pages++;
            }
            return new Chain(session, chain);
        }
    }
}
