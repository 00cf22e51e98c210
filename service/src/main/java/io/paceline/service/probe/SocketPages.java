package io.paceline.service.probe;

import io.paceline.Endpoint;
import io.paceline.Outcome;
import io.paceline.Outcome.Kind;
import io.paceline.PageFetcher;
import io.paceline.Ticker;
import io.paceline.pace.TargetUrl;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Fetches pages with the connections of a {@link SocketProber}. Thread-safe. */
final class SocketPages implements PageFetcher {
    private final SocketProber sockets;
    private final boolean privateTargets;
    private final Ticker ticker;

    SocketPages(SocketProber sockets, boolean privateTargets, Ticker ticker) {
        this.sockets = sockets;
        this.privateTargets = privateTargets;
        this.ticker = ticker;
    }

    @Override
    public boolean supports(Endpoint via) {
        return sockets.supports(via);
    }

    @Override
    public CompletionStage<Page> fetch(Endpoint via, TargetUrl url, String agent) {
        return sockets.run(tls -> new PageFetch(via, url, agent, tls, ticker), privateTargets)
                .orElseGet(
                        () -> CompletableFuture.completedFuture(new Page(Outcome.of(Kind.CANCELED), null, "stopping")));
    }
}
