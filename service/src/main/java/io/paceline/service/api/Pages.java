package io.paceline.service.api;

import io.paceline.service.reload.ConfigStatus;
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
    private final Supplier<ConfigStatus> configuration;
    private final Buffer home = resource("home.html");
    private final Buffer openApi = resource("openapi.yaml");

    /**
     * @param metrics the Prometheus text; may take a while, and runs on no event loop
     * @param configuration which one is in force, and whether the files still say so
     */
    public Pages(Vertx vertx, Readiness readiness, Supplier<String> metrics, Supplier<ConfigStatus> configuration) {
        this.configuration = configuration;
        this.vertx = vertx;
        this.readiness = readiness;
        this.metrics = metrics;
    }

    /** {@code GET /livez}: the process runs and its event loops turn. */
    void live(Call call) {
        call.json(200, new JsonOut().put("status", "live").end());
    }

    /**
     * {@code GET /readyz}: whether new work should be sent here. A broken file changes nothing of that, and is told beside
     * it; what is wrong with it is not for everybody.
     */
    void ready(Call call) {
        if (readiness.isReady()) {
            boolean valid = configuration.get().state().valid();
            JsonOut answer = new JsonOut().put("status", "ready").put("configuration", valid ? "valid" : "broken");
            readiness.journalTrouble().ifPresent(trouble -> answer.put("journal", trouble));
            call.json(200, answer.end());
        } else {
            String status = readiness.isDraining() ? "draining" : "starting";
            call.json(503, new JsonOut().put("status", status).end());
        }
    }

    /** {@code GET /metrics}. */
    void metrics(Call call) {
        if (!call.sight().all()) {
            throw HttpProblem.of(
                    403,
                    "forbidden",
                    "the metrics are those of all tenants: use a token without a tenant; your own figures are at"
                            + " /api/tenants/" + call.caller().tenant() + "/usage");
        }
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
