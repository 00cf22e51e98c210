package io.paceline.service.api;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.Supplier;

/** What people and monitors look at: the home page, the OpenAPI document, health and metrics. */
public final class Pages {

    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final Vertx vertx;
    private final Readiness readiness;
    private final Supplier<String> metrics;
    private final Buffer home = resource("home.html");
    private final Buffer openApi = resource("openapi.yaml");

    /** @param metrics the Prometheus text; may take a while, and runs on no event loop */
    public Pages(Vertx vertx, Readiness readiness, Supplier<String> metrics) {
        this.vertx = vertx;
        this.readiness = readiness;
        this.metrics = metrics;
    }

    /** {@code GET /livez}: the process runs and its event loops turn. */
    void live(Call call) {
        call.json(200, new JsonOut().put("status", "live").end());
    }

    /** {@code GET /readyz}: whether new work should be sent here. */
    void ready(Call call) {
        if (readiness.isReady()) {
            JsonOut answer = new JsonOut().put("status", "ready");
            readiness.journalTrouble().ifPresent(trouble -> answer.put("journal", trouble));
            call.json(200, answer.end());
        } else {
            String status = readiness.isDraining() ? "draining" : "starting";
            call.json(503, new JsonOut().put("status", status).end());
        }
    }

    /** {@code GET /metrics}. */
    void metrics(Call call) {
        call.await(
                vertx.executeBlocking(metrics::get, false).toCompletionStage(),
                text -> call.text(200, PROMETHEUS, Buffer.buffer(text)));
    }

    /** {@code GET /openapi.yaml}. */
    void openApi(Call call) {
        call.text(200, "application/yaml; charset=utf-8", openApi);
    }

    /** {@code GET /}. */
    void home(Call call) {
        call.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
        call.text(200, "text/html; charset=utf-8", home);
    }

    private static Buffer resource(String name) {
        try (InputStream in = Pages.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + name + " is not on the class path");
            }
            return Buffer.buffer(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
