package io.paceline.bench;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.util.concurrent.ExecutionException;

/**
 * What the service is measured against, each on a free port of the loopback that is printed: {@code echo} answers a JSON
 * POST with its own body, {@code site} answers everything with 1 KiB, {@code relay} forwards absolute-form GETs and does
 * nothing else.
 */
public final class BareServers {
    private static final Buffer PAGE = Buffer.buffer("x".repeat(1_024));

    private BareServers() {}

    public static void main(String[] args) throws ExecutionException, InterruptedException {
        int loops = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(loops).setPreferNativeTransport(true));
        HttpServer server = vertx.createHttpServer(
                new HttpServerOptions().setHost("127.0.0.1").setPort(0));
        switch (args[0]) {
            case "echo" -> server.requestHandler(BareServers::echo);
            case "site" -> server.requestHandler(request -> request.response().end(PAGE));
            case "relay" -> {
                HttpClient client = vertx.createHttpClient(
                        new HttpClientOptions().setPipelining(false), new PoolOptions().setHttp1MaxSize(256));
                server.requestHandler(request -> relay(client, request));
            }
            default -> throw new IllegalArgumentException(args[0] + " is not echo, site or relay");
        }
        HttpServer listening =
                server.listen().toCompletionStage().toCompletableFuture().get();
        System.out.println("ready port=" + listening.actualPort());
    }

    private static void echo(HttpServerRequest request) {
        request.body()
                .onSuccess(body -> request.response()
                        .putHeader("content-type", "application/json")
                        .end(body.toJsonObject().toBuffer()));
    }

    private static void relay(HttpClient client, HttpServerRequest request) {
        URI target = URI.create(request.uri());
        client.request(new RequestOptions()
                        .setMethod(request.method())
                        .setHost(target.getHost())
                        .setPort(target.getPort())
                        .setURI(target.getRawPath()))
                .compose(upstream -> upstream.send())
                .compose(answer -> {
                    request.response().setStatusCode(answer.statusCode());
                    request.response().headers().setAll(answer.headers());
                    return answer.body();
                })
                .onSuccess(body -> request.response().end(body))
                .onFailure(failure -> request.response().setStatusCode(502).end());
    }
}
