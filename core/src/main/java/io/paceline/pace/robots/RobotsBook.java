package io.paceline.pace.robots;

import io.paceline.Ticker;
import io.paceline.pace.TargetUrl;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The robots.txt of every site that was asked for, fetched once for all who ask and kept as long as {@link RobotsState}
 * says. A site is scheme, host and port: each has a file of its own, and what a redirect leads to is never taken for that
 * of the site where it ends.
 *
 * <p>While a site cannot be reached, rules that were read less than a day before are still gone by (RFC 9309, section
 * 2.4). Thread-safe; nothing blocks.
 */
public final class RobotsBook {
    /** Sites remembered; beyond it the memory begins anew, which costs a fetch each and nothing else. */
    static final int MAX_SITES = 20_000;

    private static final long STALE_MICROS = Duration.ofHours(24).toNanos() / 1_000;

    private final RobotsSource source;
    private final String agent;
    private final boolean privateTargets;
    private final Ticker ticker;
    private final Map<String, Site> sites = new ConcurrentHashMap<>();

    /** One site. Its fields are guarded by itself. */
    private static final class Site {
        private @Nullable RobotsState state;
        private long untilMicros;
        /** When what was read last grew too old to be gone by but in need. */
        private long readUntilMicros;

        private int failures;
        private @Nullable CompletableFuture<RobotsState> fetching;
    }

    /**
     * @param agent the crawler's product token
     * @param privateTargets whether redirects may lead to private addresses
     */
    public RobotsBook(RobotsSource source, String agent, boolean privateTargets, Ticker ticker) {
        this.source = source;
        this.agent = agent;
        this.privateTargets = privateTargets;
        this.ticker = ticker;
    }

    /** What is known of the URL's site: at once where it is known, else when it has been fetched. Never fails. */
    public CompletionStage<RobotsState> of(TargetUrl url) {
        if (sites.size() >= MAX_SITES) {
            sites.clear();
        }
        Site site = sites.computeIfAbsent(url.scheme() + "://" + url.hostPort(), key -> new Site());
        CompletableFuture<RobotsState> answer;
        int failures;
        synchronized (site) {
            if (site.state != null && ticker.micros() < site.untilMicros) {
                return CompletableFuture.completedStage(site.state);
            }
            if (site.fetching != null) {
                return site.fetching;
            }
            answer = new CompletableFuture<>();
            site.fetching = answer;
            failures = site.failures;
        }
        new RobotsLookup(source, agent, privateTargets, failures)
                .look(url, ticker.micros())
                .whenComplete((found, failure) -> answer.complete(
                        learn(site, failure == null ? found : RobotsState.unreachable(failure.toString(), failures))));
        return answer;
    }

    private RobotsState learn(Site site, RobotsState found) {
        long now = ticker.micros();
        synchronized (site) {
            site.fetching = null;
            RobotsState before = site.state;
            boolean stillGood = before != null && before.open() && now < site.readUntilMicros + STALE_MICROS;
            site.failures = found.failures();
            if (!found.open() && stillGood && before != null) {
                // Kept, and asked again when the failure says.
                site.state =
                        new RobotsState(before.robots(), true, before.why(), before.holdsMicros(), found.failures());
                site.untilMicros = Math.min(now + found.holdsMicros(), site.readUntilMicros + STALE_MICROS);
                return site.state;
            }
            site.state = found;
            site.untilMicros = now + found.holdsMicros();
            site.readUntilMicros = found.open() ? site.untilMicros : 0;
            return found;
        }
    }
}
