package io.paceline.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.SocketTimeoutException;

/** Through the permit API: acquire, the request by hand through the proxy that was returned, release with the outcome. */
final class ApiWay implements Way {
    /** The longest wait for a permit that is accepted in one call. */
    private static final int MAX_WAIT_MILLIS = 5_000;

    /** After a refusal that says when to come back, at most so long. */
    private static final double LONGEST_PAUSE_SECONDS = 1;

    private final World world;
    private final Fetcher fetcher;
    private final ApiClient client;

    /** @param client of the permit API */
    ApiWay(World world, Fetcher fetcher, ApiClient client) {
        this.world = world;
        this.fetcher = fetcher;
        this.client = client;
    }

    @Override
    public Answer fetch(Page page, int attempt, String session) throws InterruptedException {
        String url = world.sites().get(page.site()).url() + page.path();
        try {
            JsonNode permit = acquire(url, session);
            if (!permit.path("allowed").asBoolean()) {
                return refused(permit);
            }
            return request(permit, url, session);
        } catch (IOException e) {
            return Answer.NO_PERMIT;
        }
    }

    private JsonNode acquire(String url, String session) throws IOException {
        ObjectNode body = JsonNodeFactory.instance
                .objectNode()
                .put("target", url)
                .put("client_id", "demo")
                .put("max_wait_ms", MAX_WAIT_MILLIS);
        if (!session.isEmpty()) {
            body.put("session", session);
        }
        return client.post("/acquire", body);
    }

    /** A paused session would have to wait longer than the demo lasts, so that it begins anew, as an ended one must. */
    private static Answer refused(JsonNode refusal) throws InterruptedException {
        String reason = refusal.path("reason").asText();
        if (reason.equals("session_paused") || reason.equals("session_ended")) {
            return Answer.SESSION_OVER;
        }
        double wait =
                Math.min(LONGEST_PAUSE_SECONDS, refusal.path("wait_seconds").asDouble(LONGEST_PAUSE_SECONDS));
        Thread.sleep(Math.round(wait * 1_000));
        return Answer.NO_PERMIT;
    }

    private Answer request(JsonNode permit, String url, String session) {
        ObjectNode release = JsonNodeFactory.instance
                .objectNode()
                .put("lease", permit.path("lease").asText());
        long started = System.nanoTime();
        Answer answer;
        try {
            int status = fetcher.get(permit.path("proxy").asText(), url, session)
                    .head()
                    .status();
            answer = Answer.ofStatus(status);
            release.put("status", status).put("outcome", outcome(answer));
        } catch (SocketTimeoutException e) {
            answer = Answer.FAILED;
            release.put("outcome", "timeout");
        } catch (IOException e) {
            answer = Answer.FAILED;
            release.put("outcome", "connect_error");
        }
        release.put("latency_ms", (System.nanoTime() - started) / 1_000_000);
        try {
            client.post("/release", release);
        } catch (IOException e) {
            // The lease ends by itself; the page is what counts.
        }
        return answer;
    }

    private static String outcome(Answer answer) {
        return switch (answer) {
            case PAGE -> "success";
            case CAPTCHA -> "captcha";
            case TOO_MANY -> "rate_limited";
            default -> "target_error";
        };
    }
}
