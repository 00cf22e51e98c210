package io.paceline.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.paceline.service.config.AddressIds;
import io.paceline.service.config.ConfigInputs;
import io.paceline.service.config.ConfigLoader;
import io.paceline.service.config.ServiceConfig;
import io.paceline.service.proxy.ProxySettings;
import io.paceline.service.record.RecordLine;
import io.paceline.service.record.RecordReader;
import io.paceline.service.record.RecordSettings;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Why, asked of the whole service: events, explanations and the record. */
class ExplainIT {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private Service service;
    private Path record;
    private boolean stopped;

    @BeforeEach
    void start() throws Exception {
        Path file = Files.writeString(folder.resolve("paceline.yaml"), """
                pools:
                  - name: default
                    addresses: [ { inline: "http://user:hunter2@198.51.100.7:8080", weight: 2 } ]
                    quarantine: { max_share: 1, min_in_service: 0 }
                rules: [ { name: wide, pattern: "*", limit: 10000, window: 1s } ]
                """);
        ConfigInputs inputs = ConfigInputs.none(Map.of(), folder, AddressIds.keyed(new byte[32]))
                .withConfig(file)
                .withOverrides(Optional.of("127.0.0.1:0"), Optional.of("127.0.0.1:0"), Optional.empty(), false);
        ServiceConfig config = ConfigLoader.load(inputs).match(loaded -> loaded, errors -> {
            throw new AssertionError(errors.toString());
        });
        record = folder.resolve("run.jsonl");
        service = Service.start(
                config,
                Keys.ephemeral(),
                ProxySettings.Timeouts.defaults(),
                new RecordSettings(record, 1 << 20),
                ConfigFiles.none(config));
    }

    @AfterEach
    void stop() {
        if (!stopped) {
            stopped = true;
            service.stop(Duration.ZERO);
        }
    }

    @Test
    void an_address_is_explained_by_standing_window_weight_and_events() throws Exception {
        String lease = acquire("acct-17").path("lease").asText();
        release(lease, "success");

        JsonNode explained = get("/api/explain/address/198.51.100.7:8080");
        JsonNode pool = explained.at("/pools/0");
        assertThat(pool.path("weight_parts").path("configured").asDouble()).isEqualTo(2);
        assertThat(pool.path("cells").findValuesAsText("target")).contains("example.com");
        assertThat(pool.path("explanation").toString()).contains("in pool default it is");
        String id = explained.path("address").asText();
        assertThat(get("/api/explain/address/" + id)).isNotNull();
        assertThat(explained.toString()).doesNotContain("hunter2");
        assertThat(get("/api/explain/address/nobody").path("error").path("code").asText())
                .isEqualTo("unknown_address");
    }

    @Test
    void a_lease_and_its_session_are_explained() throws Exception {
        JsonNode permit = acquire("acct-17");
        String lease = permit.path("lease").asText();

        JsonNode explained = get("/api/explain/lease/" + lease);
        assertThat(explained.path("chosen_by").asText()).isEqualTo("session");
        assertThat(explained.path("address")).isEqualTo(permit.path("address"));
        assertThat(explained.path("candidates").size()).isEqualTo(1);
        assertThat(explained.path("session").asText()).startsWith("~");
        assertThat(explained.path("explanation").toString()).contains("nobody has released it so far");
        release(lease, "success");
        assertThat(get("/api/explain/lease/" + lease).path("outcome").asText()).isEqualTo("success");

        JsonNode session = get("/api/explain/session/acct-17");
        assertThat(session.path("address")).isEqualTo(permit.path("address"));
        assertThat(session.path("confirmed").asBoolean()).isTrue();
        assertThat(get("/api/explain/session/nobody").path("error").path("code").asText())
                .isEqualTo("unknown_session");
        assertThat(get("/api/explain/lease/l_5m").path("error").path("code").asText())
                .isEqualTo("unknown_lease");
    }

    @Test
    void events_are_told_as_json_and_as_a_stream_that_a_drain_ends() throws Exception {
        JsonNode events = get("/api/events");
        assertThat(events.at("/events/0/kind").asText()).isEqualTo("configuration");
        assertThat(get("/api/events?kind=nonsense").path("error").path("field").asText())
                .isEqualTo("kind");

        HttpResponse<java.io.InputStream> stream = CLIENT.send(
                HttpRequest.newBuilder(URI.create(service.apiUrl() + "/api/events?since=0"))
                        .header("accept", "text/event-stream")
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        assertThat(stream.headers().firstValue("content-type")).hasValue("text/event-stream");
        BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8));
        assertThat(next(lines, "data: ")).contains("\"kind\":\"configuration\"");

        // Failures inside one instant are one signal, so how many it takes is the clock's affair.
        while (get("/api/events?kind=transition").path("events").isEmpty()) {
            release(acquire(null).path("lease").asText(), "connect_error");
        }
        assertThat(next(lines, "data: ")).contains("\"kind\":\"transition\"").contains("failures in a row");
        stop();
        while (lines.readLine() != null) {
            // The rest, until the server ends it.
        }
    }

    @Test
    void the_record_is_whole_after_a_stop() throws Exception {
        release(acquire("acct-17").path("lease").asText(), "success");
        stop();

        List<RecordLine> lines = new ArrayList<>();
        RecordReader.read(record, lines::add, (number, what) -> {}, progress -> {});
        assertThat(lines)
                .hasSize(3)
                .hasAtLeastOneElementOfType(RecordLine.Asked.class)
                .hasAtLeastOneElementOfType(RecordLine.Ended.class);
    }

    private static String next(BufferedReader lines, String prefix) throws Exception {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(prefix)) {
                return line;
            }
        }
        throw new AssertionError("the stream ended");
    }

    private JsonNode acquire(String session) throws Exception {
        String key = session == null ? "" : ", \"session\": \"" + session + "\"";
        return post("/acquire", "{\"target\": \"https://www.example.com/\"" + key + "}");
    }

    private void release(String lease, String outcome) throws Exception {
        post("/release", "{\"lease\": \"" + lease + "\", \"outcome\": \"" + outcome + "\"}");
    }

    private JsonNode post(String path, String json) throws Exception {
        return MAPPER.readTree(CLIENT.send(
                        HttpRequest.newBuilder(URI.create(service.apiUrl() + path))
                                .header("content-type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(json))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body());
    }

    private JsonNode get(String path) throws Exception {
        return MAPPER.readTree(CLIENT.send(
                        HttpRequest.newBuilder(URI.create(service.apiUrl() + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body());
    }
}
