package io.paceline.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A server on loopback whose answers a test gives. */
public final class Site implements AutoCloseable {

    /** What is answered; headers in turn name and value. */
    public record Reply(int status, String body, List<String> headers) {
        public static Reply ok(String body, String... headers) {
            return new Reply(200, body, List.of(headers));
        }
    }

    /** What was asked: path with query, and If-None-Match. */
    public record Asked(
            String path, @Nullable String etag, @Nullable String authorization) {}

    public final List<Asked> asked = new CopyOnWriteArrayList<>();
    public volatile Function<Asked, Reply> replies = request -> new Reply(404, "", List.of());
    private final HttpServer server;

    public Site() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::serve);
        server.start();
    }

    private void serve(HttpExchange exchange) throws IOException {
        Asked request = new Asked(
                exchange.getRequestURI().toString(),
                exchange.getRequestHeaders().getFirst("If-None-Match"),
                exchange.getRequestHeaders().getFirst("Authorization"));
        asked.add(request);
        Reply reply = replies.apply(request);
        for (int i = 0; i + 1 < reply.headers().size(); i += 2) {
            exchange.getResponseHeaders()
                    .set(reply.headers().get(i), reply.headers().get(i + 1));
        }
        byte[] body = reply.body().getBytes(java.nio.charset.StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(reply.status(), reply.status() == 304 || body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
