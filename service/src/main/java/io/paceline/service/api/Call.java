package io.paceline.service.api;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One HTTP request with its body, and the one answer that it gets. Lives on one event loop. */
final class Call {

    private static final Logger LOG = LoggerFactory.getLogger(Call.class);

    private static final long LINGER_MILLIS = 1_000;

    private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
    private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
    private static final CharSequence BEARER = HttpHeaders.createOptimized("Bearer realm=\"paceline\"");
    private static final CharSequence CLOSE = HttpHeaders.createOptimized("close");

    private final HttpServerRequest request;
    private final Context context;
    private final Runnable onEnd;
    private final @Nullable String pathParameter;
    private Caller caller = Caller.UNKNOWN;
    private Sight.View sight = Sight.View.ALL;
    private byte[] body = new byte[0];
    private boolean began;
    private boolean ended;

    /**
     * @param pathParameter what stands in the path where the route has braces, decoded; or null
     * @param onEnd runs once, when a call that began has been answered or its client has gone
     */
    Call(HttpServerRequest request, Context context, @Nullable String pathParameter, Runnable onEnd) {
        this.request = request;
        this.context = context;
        this.pathParameter = pathParameter;
        this.onEnd = onEnd;
    }

    void identify(Caller known, Sight.View sees) {
        caller = known;
        sight = sees;
    }

    /** The whole request is there, and its handler runs next. */
    void began() {
        began = true;
    }

    void receive(byte[] octets) {
        body = octets;
    }

    Caller caller() {
        return caller;
    }

    /** What the caller may see. */
    Sight.View sight() {
        return sight;
    }

    byte[] body() {
        return body;
    }

    String pathParameter() {
        if (pathParameter == null) {
            throw new IllegalStateException("the route has no parameter");
        }
        return pathParameter;
    }

    /** The first query parameter of the name, or null. */
    @Nullable
    String query(String name) {
        String value = request.getParam(name);
        return value == null || value.isEmpty() ? null : value;
    }

    /** True where nobody waits any more for the answer: the client has gone, or was told something else. */
    boolean isAbandoned() {
        return ended || request.response().closed();
    }

    /** Nobody waits for an answer: there will be none. */
    void drop() {
        finish();
    }

    /**
     * Goes on with a stage's result, on this call's event loop whatever thread completes it.
     *
     * <p>Failures of the stage and of the function end in an answer, never in silence.
     */
    <T> void await(CompletionStage<T> stage, Consumer<T> then) {
        stage.whenComplete((value, failure) -> onLoop(() -> {
            if (failure != null) {
                fail(failure);
            } else {
                guarded(() -> then.accept(value));
            }
        }));
    }

    /** Runs a step whose exceptions become the answer. */
    void guarded(Runnable step) {
        try {
            step.run();
        } catch (HttpProblem problem) {
            problem(problem);
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    /** Runs a step on this call's event loop. */
    void onLoop(Runnable step) {
        if (Vertx.currentContext() == context) {
            step.run();
        } else {
            context.runOnContext(ignored -> step.run());
        }
    }

    void json(int status, Buffer json) {
        HttpServerResponse response = request.response();
        if (ended || response.closed()) {
            finish();
            return;
        }
        response.setStatusCode(status);
        response.putHeader(HttpHeaders.CONTENT_TYPE, JSON);
        response.putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE);
        end(json);
    }

    /** A JSON answer with {@code Retry-After}. */
    void jsonLater(int status, long retryAfterSeconds, Buffer json) {
        request.response().putHeader(HttpHeaders.RETRY_AFTER, Long.toString(retryAfterSeconds));
        json(status, json);
    }

    void text(int status, String contentType, Buffer content) {
        HttpServerResponse response = request.response();
        if (ended || response.closed()) {
            finish();
            return;
        }
        response.setStatusCode(status);
        response.putHeader(HttpHeaders.CONTENT_TYPE, contentType);
        response.putHeader("x-content-type-options", "nosniff");
        end(content);
    }

    /** A request header, or null. */
    @Nullable
    String requestHeader(String name) {
        return request.getHeader(name);
    }

    /**
     * Begins an answer that has no end of its own; null where the client has gone already. The call runs until the
     * client goes or the server ends the response.
     */
    @Nullable
    HttpServerResponse stream(String contentType) {
        HttpServerResponse response = request.response();
        if (ended || response.closed()) {
            finish();
            return null;
        }
        response.setStatusCode(200);
        response.putHeader(HttpHeaders.CONTENT_TYPE, contentType);
        response.putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE);
        response.setChunked(true);
        response.closeHandler(gone -> finish());
        response.endHandler(done -> finish());
        return response;
    }

    /** Every so often until the timer is canceled, on this call's event loop. */
    long every(long millis, Runnable step) {
        return context.owner().setPeriodic(millis, timer -> onLoop(step));
    }

    void cancel(long timer) {
        context.owner().cancelTimer(timer);
    }

    void header(String name, String value) {
        request.response().putHeader(name, value);
    }

    void problem(HttpProblem problem) {
        if (problem.status() == 401) {
            request.response().putHeader("www-authenticate", BEARER);
        }
        if (problem.status() == 413) {
            hangUp();
        }
        JsonOut out = new JsonOut().openObject("error").put("code", problem.code());
        json(
                problem.status(),
                out.put("field", problem.field())
                        .put("message", problem.message())
                        .close()
                        .end());
    }

    /**
     * Ends the connection with this answer. What still comes is taken and thrown away for a moment: closing at once would
     * reset the connection, and many clients would lose the answer that says why.
     */
    private void hangUp() {
        request.response().putHeader(HttpHeaders.CONNECTION, CLOSE);
        context.owner().setTimer(LINGER_MILLIS, timer -> request.connection().close());
    }

    private void fail(Throwable failure) {
        LOG.error("{} {} failed", request.method(), request.path(), failure);
        problem(HttpProblem.of(500, "internal", "the server failed to serve this; its log says why"));
    }

    private void end(Buffer content) {
        HttpServerResponse response = request.response();
        if (request.method().equals(HttpMethod.HEAD)) {
            response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(content.length()));
            response.end();
        } else {
            response.end(content);
        }
        finish();
    }

    private void finish() {
        if (!ended) {
            ended = true;
            if (began) {
                onEnd.run();
            }
        }
    }
}
