package io.paceline.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.paceline.service.config.AddressIds;
import io.paceline.service.config.ConfigInputs;
import io.paceline.service.config.ConfigLoader;
import io.paceline.service.config.ServiceConfig;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Active probes in the running service: a dead proxy, a dead control URL, and one that must cost nothing. */
class ActiveProbesIT {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    private Path temp;

    /** A proxy that answers every GET by itself, as if the control URL had. */
    private static final class Upstream implements Closeable {
        final AtomicInteger asked = new AtomicInteger();
        private final ServerSocket server;

        Upstream(int port) throws IOException {
            server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            Thread thread = new Thread(this::serve, "upstream");
            thread.setDaemon(true);
            thread.start();
        }

        int port() {
            return server.getLocalPort();
        }

        private void serve() {
            while (!server.isClosed()) {
                try (Socket socket = server.accept()) {
                    asked.incrementAndGet();
                    BufferedReader in = new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
                    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                        // To the end of the head.
                    }
                    socket.getOutputStream()
                            .write("HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
                } catch (IOException e) {
                    // The client has gone, or the test is over.
                }
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }

    private static HttpServer site() throws IOException {
        HttpServer site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        site.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        site.start();
        return site;
    }

    @Test
    void a_dead_proxy_leaves_and_comes_back_by_probes_and_a_dead_control_url_is_named() throws Exception {
        HttpServer first = site();
        HttpServer second = site();
        Upstream metered = new Upstream(0);
        Upstream upstream = new Upstream(0);
        int port = upstream.port();
        String firstUrl = "http://127.0.0.1:" + first.getAddress().getPort() + "/ok";
        Service service = Service.start(
                config("""
                        pools:
                          - name: default
                            addresses:
                              - { inline: "http://up01:hunter2@127.0.0.1:%d" }
                              - { inline: "http://127.0.0.1:%d", metered: true }
                            probe: { urls: [ "%s?key=hunter3", "http://127.0.0.1:%d/ok" ], idle: 500ms..1s, rise: 2 }
                            quarantine: { base: 1s, cap: 2s, max_share: 1, min_in_service: 0 }
                            slow_start: { over: 1s }
                        """.formatted(
                        port, metered.port(), firstUrl, second.getAddress().getPort())),
                Keys.ephemeral());
        try {
            await(service, "probes pass", "/metrics", "paceline_probes_total{pool=\"default\",result=\"passed\"}");
            first.stop(0);
            await(service, "the dead URL is named", "/api/status", "\"url\":\"" + firstUrl + "\",\"alive\":false");
            assertThat(get(service, "/metrics"))
                    .contains("paceline_control_url_up{url=\"" + firstUrl + "\"} 0.0")
                    .contains("paceline_probe_seconds_count{pool=\"default\"}")
                    .doesNotContain("hunter");
            assertThat(states(service)).isEqualTo("healthy healthy");

            upstream.close();
            await(service, "the dead proxy is out", "/api/addresses", "quarantined");
            upstream = new Upstream(port);
            awaitStates(service, "healthy healthy");
            assertThat(upstream.asked.get()).isPositive();
            assertThat(metered.asked.get()).isZero();
            assertThat(get(service, "/api/addresses"))
                    .contains("\"checked_at\"")
                    .doesNotContain("hunter");
        } finally {
            service.stop(Duration.ZERO);
            second.stop(0);
            upstream.close();
            metered.close();
        }
    }

    private ServiceConfig config(String yaml) throws IOException {
        Path file = Files.writeString(temp.resolve("paceline.yaml"), yaml);
        ConfigInputs inputs = ConfigInputs.none(Map.of(), temp, AddressIds.keyed(new byte[32]))
                .withConfig(file)
                .withOverrides(Optional.of("127.0.0.1:0"), Optional.of("127.0.0.1:0"), Optional.empty(), false);
        return ConfigLoader.load(inputs).match(loaded -> loaded, errors -> {
            throw new AssertionError(errors.toString());
        });
    }

    private static String states(Service service) throws Exception {
        StringBuilder states = new StringBuilder();
        for (JsonNode address : MAPPER.readTree(get(service, "/api/addresses")).path("addresses")) {
            states.append(states.isEmpty() ? "" : " ")
                    .append(address.path("state").asText());
        }
        return states.toString();
    }

    private static void awaitStates(Service service, String wanted) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!states(service).equals(wanted)) {
            assertThat(System.nanoTime()).as("states " + states(service)).isLessThan(end);
            Thread.sleep(50);
        }
    }

    private static void await(Service service, String what, String path, String text) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!get(service, path).contains(text)) {
            assertThat(System.nanoTime()).as(what + ": " + get(service, path)).isLessThan(end);
            Thread.sleep(50);
        }
    }

    private static String get(Service service, String path) throws Exception {
        return CLIENT.send(
                        HttpRequest.newBuilder(URI.create(service.apiUrl() + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
