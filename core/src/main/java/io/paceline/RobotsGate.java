package io.paceline;

import io.paceline.Request.Hold;
import io.paceline.Routes.Route;
import io.paceline.pace.RobotsMode;
import io.paceline.pace.TargetPace;
import io.paceline.pace.TargetUrl;
import io.paceline.pace.robots.RobotsBook;
import io.paceline.pace.robots.RobotsSource;
import io.paceline.pace.robots.RobotsState;
import io.paceline.pace.robots.RobotsVerdict;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What a site's robots.txt has to say before a request is admitted: a refusal, a crawl delay, or nothing.
 *
 * <p>The file itself is fetched as any other URL of the site: admitted by its rules, through an address, which learns from
 * the outcome. Thread-safe.
 */
final class RobotsGate implements RobotsSource {
    /** Under this name callers are told to come back while the file is still being read. */
    static final String RULE = "robots-txt";

    /** Addresses that one fetch is tried through. */
    private static final int TRIES = 3;

    private static final Duration FETCH_WAIT = Duration.ofMinutes(1);
    /** How long a request that does not say how long it would wait waits for the file. */
    private static final long READING_MICROS = 10_000_000;

    private static final long COME_BACK_MICROS = 1_000_000;

    private final EmbeddedGatekeeper gate;
    private final PageFetcher fetcher;
    private final String agent;
    private final RobotsBook book;

    /**
     * @param agent the crawler's product token
     * @param privateTargets whether redirects may lead to private addresses
     */
    RobotsGate(EmbeddedGatekeeper gate, PageFetcher fetcher, String agent, boolean privateTargets) {
        this.gate = gate;
        this.fetcher = fetcher;
        this.agent = agent;
        this.book = new RobotsBook(this, agent, privateTargets, gate.ticker);
    }

    /**
     * What was heard.
     *
     * @param refused what the request is told instead of a permit; null where it may go on
     * @param crawlDelay the least time between two requests; null where the file names none
     */
    record Heard(
            Decision.@Nullable Refused refused, @Nullable Duration crawlDelay) {}

    /** Completes as soon as the site's file is known, and no later than the request would wait. Does not fail. */
    CompletableFuture<Heard> hear(Request request, Route route, long nowMicros) {
        TargetUrl url = TargetUrl.parseLoosely(request.target());
        CompletableFuture<Heard> heard = new CompletableFuture<>();
        book.of(url).thenAccept(state -> heard.complete(heard(state, url, route.robots())));
        if (!heard.isDone()) {
            Decision.Refused reading = new Decision.Refused(
                    Reason.RATE_LIMITED,
                    COME_BACK_MICROS,
                    RULE,
                    "robots.txt of " + url.hostPort() + " is still being read: ask again");
            gate.alarm.at(nowMicros + patience(request), () -> heard.complete(new Heard(reading, null)));
        }
        return heard;
    }

    private static long patience(Request request) {
        if (request.hold() == Hold.NEVER) {
            return 0;
        }
        return request.maxWait() == null ? READING_MICROS : request.maxWait().toNanos() / 1_000;
    }

    private Heard heard(RobotsState state, TargetUrl url, RobotsMode mode) {
        RobotsVerdict verdict = state.check(url.pathAndQuery());
        if (mode == RobotsMode.OBEY && !verdict.allowed()) {
            String message = state.open()
                    ? "robots.txt of " + url.hostPort() + " disallows it for " + agent + ", " + verdict.why()
                    : verdict.why();
            long wait = state.open() ? -1 : state.holdsMicros();
            return new Heard(new Decision.Refused(Reason.ROBOTS_DISALLOWED, wait, null, message), null);
        }
        return new Heard(null, state.robots().crawlDelay().orElse(null));
    }

    /** The route with the crawl delay as one limit more. */
    static Route at(Route route, @Nullable Duration crawlDelay) {
        return crawlDelay == null
                ? route
                : route.limitedBy(TargetPace.crawlDelay(route.target(), crawlDelay, route.plan()));
    }

    // ---- fetching

    @Override
    public CompletionStage<Reply> get(TargetUrl url) {
        return get(url, Set.of(), "");
    }

    private CompletionStage<Reply> get(TargetUrl url, Set<String> tried, String lastFault) {
        Request request = Request.to(url.toString()).toBuilder()
                .maxWait(FETCH_WAIT)
                .exclude(tried)
                .build();
        return gate.admit(request).thenCompose(decision -> {
            if (decision instanceof Decision.Granted granted) {
                return fetch(url, granted.lease(), tried);
            }
            String refusal = decision instanceof Decision.Refused refused ? refused.message() : "no permit";
            return CompletableFuture.failedStage(
                    new IllegalStateException(tried.isEmpty() ? "no permit for it: " + refusal : lastFault));
        });
    }

    private CompletionStage<Reply> fetch(TargetUrl url, Lease lease, Set<String> tried) {
        Endpoint via = lease.address().endpoint();
        if (!fetcher.supports(via)) {
            gate.cancel(lease);
            return again(
                    url,
                    lease,
                    tried,
                    "nothing can be fetched through " + via.scheme().word() + " proxies");
        }
        String named = lease.userAgent() == null ? agent : lease.userAgent();
        return fetcher.fetch(via, url, named).thenCompose(page -> {
            if (lease.id() != null) {
                gate.settle(lease.id(), page.outcome());
            }
            return page.reply() != null
                    ? CompletableFuture.completedStage(page.reply())
                    : again(url, lease, tried, page.why());
        });
    }

    /** Through another address, which may do better. */
    private CompletionStage<Reply> again(TargetUrl url, Lease lease, Set<String> tried, String fault) {
        if (tried.size() + 1 >= TRIES) {
            return CompletableFuture.failedStage(new IllegalStateException(fault));
        }
        Set<String> all = new HashSet<>(tried);
        all.add(lease.address().id());
        return get(url, all, fault);
    }
}
