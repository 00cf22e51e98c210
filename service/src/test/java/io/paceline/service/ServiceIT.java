package io.paceline.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.paceline.service.config.AddressIds;
import io.paceline.service.config.ConfigInputs;
import io.paceline.service.config.ConfigLoader;
import io.paceline.service.config.ServiceConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole service over its real gatekeeper. */
class ServiceIT {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    private Path temp;

    @Test
    void a_permit_goes_from_acquire_to_release_and_into_the_metrics() throws Exception {
        Service service = start("""
                pools:
                  - name: default
                    addresses: [ { inline: "http://user:hunter2@198.51.100.7:8080", tags: { kind: datacenter } } ]
                """);
        try {
            assertThat(service.readyLine())
                    .matches("ready api=http://127.0.0.1:\\d+ proxy=http://127.0.0.1:\\d+ store=memory"
                            + " addresses=1");
            JsonNode permit = post(service, "/acquire", "{\"target\": \"https://www.example.com/\"}", 200);
            assertThat(permit.path("proxy").asText()).isEqualTo("http://user:hunter2@198.51.100.7:8080");

            JsonNode refused =
                    post(service, "/acquire", "{\"target\": \"https://www.example.com/\", \"max_wait_ms\": 0}", 429);
            assertThat(refused.path("reason").asText()).isEqualTo("rate_limited");
            assertThat(refused.path("wait_seconds").asDouble()).isBetween(0.0, 1.0);

            String lease = permit.path("lease").asText();
            String release = "{\"lease\": \"" + lease + "\", \"outcome\": \"success\", \"latency_ms\": 20}";
            assertThat(post(service, "/release", release, 200).path("released").asBoolean())
                    .isTrue();
            assertThat(post(service, "/release", release, 200).path("reason").asText())
                    .isEqualTo("already_released");
            assertThat(post(service, "/proxy/report", "{\"proxy\": \"198.51.100.7:8080\", \"status\": \"bad\"}", 200)
                            .path("reported")
                            .asBoolean())
                    .isTrue();

            String metrics = get(service, "/metrics").body();
            assertThat(metrics)
                    .contains("paceline_acquire_total{pool=\"default\",result=\"granted\"} 1.0")
                    .contains(
                            "paceline_outcomes_total{outcome=\"success\",pool=\"default\",target=\"example.com\"} 1.0")
                    .contains("paceline_request_seconds_count{kind=\"datacenter\",pool=\"default\"} 1")
                    .doesNotContain("hunter2")
                    .doesNotContain("198.51.100.7");
            assertThat(get(service, "/api/addresses").body())
                    .contains("198.51.100.7")
                    .doesNotContain("hunter2");
        } finally {
            service.stop(Duration.ZERO);
        }
    }

    @Test
    void an_address_that_an_operator_bans_serves_nobody_and_is_seen_everywhere() throws Exception {
        Service service = start("""
                pools:
                  - name: default
                    addresses: [ { inline: "http://user:hunter2@198.51.100.7:8080" } ]
                targets: [ { match: ".example.com", name: shop } ]
                """);
        try {
            String id = MAPPER.readTree(get(service, "/api/addresses").body())
                    .at("/addresses/0/id")
                    .asText();
            String order = "{\"reason\": \"abuse mail\", \"for\": \"10m\", \"target\": \"shop\"}";
            assertThat(post(service, "/api/addresses/" + id + "/ban", order, 200)
                            .path("changed")
                            .asBoolean())
                    .isTrue();
            post(service, "/acquire", "{\"target\": \"https://www.example.com/\"}", 503);
            post(service, "/acquire", "{\"target\": \"https://other.test/\"}", 200);

            post(service, "/api/addresses/" + id + "/ban", "{\"reason\": \"abuse mail\", \"for\": \"10m\"}", 200);
            post(service, "/acquire", "{\"target\": \"https://third.test/\"}", 503);
            JsonNode banned =
                    MAPPER.readTree(get(service, "/api/addresses?state=banned").body());
            assertThat(banned.at("/addresses/0/reason").asText()).isEqualTo("abuse mail");
            assertThat(banned.at("/addresses/0/until").asText()).isNotEmpty();
            assertThat(MAPPER.readTree(get(service, "/api/pools").body())
                            .at("/pools/0/addresses/banned")
                            .asInt())
                    .isEqualTo(1);
            assertThat(get(service, "/metrics").body())
                    .contains("paceline_addresses{pool=\"default\",state=\"banned\"} 1.0")
                    .contains("paceline_addresses{pool=\"default\",state=\"dead\"} 0.0");

            assertThat(post(service, "/api/addresses/" + id + "/unban", "{}", 200)
                            .path("changed")
                            .asBoolean())
                    .isTrue();
            post(service, "/acquire", "{\"target\": \"https://fourth.test/\"}", 200);
        } finally {
            service.stop(Duration.ZERO);
        }
    }

    @Test
    void a_ticket_is_redeemed_when_its_time_has_come() throws Exception {
        Service service = start("rules: [ { pattern: \"*\", limit: 1, window: 200ms, on_limit: wait } ]");
        try {
            String target = "{\"target\": \"https://www.example.com/\", \"hold\": false}";
            post(service, "/acquire", target, 200);
            JsonNode reserved = post(service, "/acquire", target, 200);
            assertThat(reserved.path("allowed").asBoolean()).isTrue();
            assertThat(reserved.path("lease").isMissingNode()).isTrue();

            String ticket = "{\"ticket\": \"" + reserved.path("ticket").asText() + "\"}";
            JsonNode permit = post(service, "/acquire", ticket, 200);
            assertThat(permit.path("lease").asText()).startsWith("l_");
            assertThat(post(service, "/acquire", ticket, 409).path("reason").asText())
                    .isEqualTo("ticket_expired");
        } finally {
            service.stop(Duration.ZERO);
        }
    }

    @Test
    void a_taken_port_is_named_and_nothing_is_left_running() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ServiceConfig config = load("", "127.0.0.1:" + taken.getLocalPort());

            assertThatThrownBy(() -> Service.start(config, Keys.ephemeral()))
                    .isInstanceOfSatisfying(
                            StartException.class, e -> assertThat(e.part()).isEqualTo(StartException.Part.API))
                    .hasMessage("the API cannot listen on 127.0.0.1:" + taken.getLocalPort() + ": the port is taken");
        }
    }

    @Test
    void a_stop_waits_for_the_release_of_what_is_out() throws Exception {
        Service service = start("");
        JsonNode permit = post(service, "/acquire", "{\"target\": \"https://www.example.com/\"}", 200);

        CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> service.stop(Duration.ofMinutes(5)));
        while (get(service, "/readyz").statusCode() != 503) {
            Thread.onSpinWait();
        }
        assertThat(stopped).isNotDone();
        assertThat(post(service, "/acquire", "{\"target\": \"https://www.example.com/\"}", 503)
                        .path("reason")
                        .asText())
                .isEqualTo("draining");
        String lease = permit.path("lease").asText();
        post(service, "/release", "{\"lease\": \"" + lease + "\", \"outcome\": \"success\"}", 200);

        stopped.join();
        assertThatThrownBy(() -> get(service, "/livez")).isInstanceOf(IOException.class);
    }

    private Service start(String yaml) throws Exception {
        return Service.start(load(yaml, "127.0.0.1:0"), Keys.ephemeral());
    }

    private ServiceConfig load(String yaml, String api) throws IOException {
        Path file = Files.writeString(temp.resolve("paceline.yaml"), yaml.isEmpty() ? "store: memory\n" : yaml);
        ConfigInputs inputs = ConfigInputs.none(Map.of(), temp, AddressIds.keyed(new byte[32]))
                .withConfig(file)
                .withOverrides(Optional.of(api), Optional.of("127.0.0.1:0"), Optional.empty(), false);
        return ConfigLoader.load(inputs).match(loaded -> loaded, errors -> {
            throw new AssertionError(errors.toString());
        });
    }

    private static JsonNode post(Service service, String path, String json, int status) throws Exception {
        HttpResponse<String> answer = CLIENT.send(
                HttpRequest.newBuilder(URI.create(service.apiUrl() + path))
                        .header("content-type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(json))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return MAPPER.readTree(answer.body());
    }

    private static HttpResponse<String> get(Service service, String path) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create(service.apiUrl() + path)).build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
