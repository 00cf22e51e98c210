package io.paceline.demo;

import java.io.IOException;
import java.util.Set;

/** Through the forward proxy, as a program that knows nothing but {@code HTTP_PROXY}. */
final class ProxyWay implements Way {
    private static final Set<String> SESSION_OVER = Set.of("session_paused", "session_ended");

    /** The proxy's own refusals: no request was sent. */
    private static final Set<String> NO_PERMIT =
            Set.of("rate_limited", "queue_full", "no_address", "store_unavailable");

    private static final long LONGEST_PAUSE_MILLIS = 1_000;

    private final World world;
    private final Fetcher fetcher;
    private final LocalPaceline paceline;

    ProxyWay(World world, Fetcher fetcher, LocalPaceline paceline) {
        this.world = world;
        this.fetcher = fetcher;
        this.paceline = paceline;
    }

    @Override
    public Answer fetch(Page page, int attempt, String session) throws InterruptedException {
        String user = session.isEmpty() ? "demo" : "demo-session-" + session;
        String url = world.sites().get(page.site()).url() + page.path();
        try {
            Http.Head head = fetcher.get("http://" + user + ":token@" + paceline.proxyAuthority(), url, session)
                    .head();
            String error = head.field("x-paceline-error");
            return error == null ? Answer.ofStatus(head.status()) : refused(error);
        } catch (IOException e) {
            return Answer.FAILED;
        }
    }

    private static Answer refused(String error) throws InterruptedException {
        if (SESSION_OVER.contains(error)) {
            return Answer.SESSION_OVER;
        }
        if (NO_PERMIT.contains(error)) {
            Thread.sleep(LONGEST_PAUSE_MILLIS);
            return Answer.NO_PERMIT;
        }
        return Answer.FAILED;
    }

    @Override
    public long hiddenRequests() throws IOException {
        return paceline.retries();
    }
}
