package io.paceline.service.api;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** The HTTP server of the API: one listener an event loop, all on one port. Start it once; thread-safe afterwards. */
public final class ApiServer {

    private static final int MAX_REQUEST_LINE = 8 * 1024;
    private static final int MAX_HEADERS = 16 * 1024;
    private static final long SWEEP_MILLIS = 5_000;

    private final Vertx vertx;
    private final ApiSettings settings;
    private final Dispatcher dispatcher;
    private final LongAdder running = new LongAdder();
    private final AtomicInteger port = new AtomicInteger();

    public ApiServer(Vertx vertx, ApiSettings settings, PermitApi api) {
        this.vertx = vertx;
        this.settings = settings;
        this.dispatcher = new Dispatcher(api.routes(), new Authenticator(settings.tokens()), settings.sight(), running);
    }

    /**
     * Listens on as many event loops as given.
     *
     * @return completes with the port, or fails with {@link java.net.BindException}
     */
    public CompletionStage<Integer> start(int eventLoops) {
        DeploymentOptions options = new DeploymentOptions().setInstances(eventLoops);
        return vertx.deployVerticle(Listener::new, options)
                .map(deployed -> port.get())
                .toCompletionStage();
    }

    /** Calls that have a whole request and no answer yet. */
    public long running() {
        return running.sum();
    }

    /** One event loop's server. */
    private final class Listener extends AbstractVerticle {
        private final Connections connections = new Connections();

        @Override
        public void start(Promise<Void> started) {
            Context here = vertx.getOrCreateContext();
            HttpServer server = vertx.createHttpServer(options())
                    .connectionHandler(connection -> connections.opened(connection, System.nanoTime()))
                    .invalidRequestHandler(request -> invalid(request, here))
                    .requestHandler(request -> dispatcher.dispatch(request, here, connections));
            vertx.setPeriodic(SWEEP_MILLIS, timer -> connections.closeIdle(System.nanoTime()));
            server.listen(address())
                    .onSuccess(listening -> port.set(listening.actualPort()))
                    .<Void>mapEmpty()
                    .onComplete(started);
        }

        /** Port 0 would be another free port for each listener: they are to share one. */
        private SocketAddress address() {
            return settings.port() == 0
                    ? SocketAddress.sharedRandomPort(1, settings.host())
                    : SocketAddress.inetSocketAddress(settings.port(), settings.host());
        }

        private HttpServerOptions options() {
            return new HttpServerOptions()
                    .setHttp2ClearTextEnabled(false)
                    .setMaxInitialLineLength(MAX_REQUEST_LINE)
                    .setMaxHeaderSize(MAX_HEADERS)
                    .setTcpNoDelay(true);
        }
    }

    /** What does not parse as HTTP at all. */
    private static void invalid(HttpServerRequest request, Context here) {
        Throwable cause = request.decoderResult().cause();
        String what = cause == null ? "" : cause.getClass().getSimpleName();
        HttpProblem problem = what.startsWith("TooLongHttpLine")
                ? HttpProblem.of(414, "uri_too_long", "the request line is longer than " + MAX_REQUEST_LINE + " octets")
                : what.startsWith("TooLongHttpHeader")
                        ? HttpProblem.of(
                                431, "headers_too_large", "the headers are longer than " + MAX_HEADERS + " octets")
                        : HttpProblem.of(400, "malformed_http", "this is not an HTTP/1.1 request");
        Call call = new Call(request, here, null, () -> {});
        call.header("connection", "close");
        call.problem(problem);
    }

    /** The reason why a start failed, without the wrappings. */
    public static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** For the OpenAPI document's test. */
    static List<Route> routes(PermitApi api) {
        return api.routes().all();
    }
}
