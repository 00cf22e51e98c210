package io.paceline.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.paceline.service.config.AddressIds;
import io.paceline.service.config.ConfigInputs;
import io.paceline.service.config.ConfigLoader;
import io.paceline.service.config.ServiceConfig;
import io.paceline.service.proxy.ProxySettings;
import io.paceline.service.supply.Vault;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** A service that follows the files of a folder, and what a user does with it. */
final class Running implements AutoCloseable {

    static final String FAST = "reload: {poll: 20ms, settle: 40ms}\n";

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final Service service;
    final Path file;
    private final HttpClient client = HttpClient.newHttpClient();

    private Running(Service service, Path file) {
        this.service = service;
        this.file = file;
    }

    static Running start(Path folder, String yaml) throws Exception {
        return start(folder, yaml, Vault.NONE);
    }

    static Running start(Path folder, String yaml, Vault vault) throws Exception {
        Path file = Files.writeString(folder.resolve("paceline.yaml"), FAST + yaml);
        ConfigInputs inputs = ConfigInputs.none(Map.of(), folder, AddressIds.keyed(new byte[32]))
                .withConfig(file)
                .withOverrides(Optional.of("127.0.0.1:0"), Optional.of("127.0.0.1:0"), Optional.empty(), false);
        ServiceConfig config = ConfigLoader.load(inputs).match(loaded -> loaded, errors -> {
            throw new AssertionError(errors.toString());
        });
        Service service = Service.start(
                config, Keys.ephemeral(), ProxySettings.Timeouts.defaults(), null, ConfigFiles.of(inputs, vault));
        return new Running(service, file);
    }

    void write(String yaml) throws IOException {
        Files.writeString(file, FAST + yaml);
    }

    JsonNode post(String path, String json, int status) throws Exception {
        return send("POST", path, json, status);
    }

    JsonNode delete(String path, int status) throws Exception {
        return send("DELETE", path, "", status);
    }

    JsonNode get(String path) throws Exception {
        return send("GET", path, "", 200);
    }

    private JsonNode send(String method, String path, String json, int status) throws Exception {
        HttpResponse<String> answer = answer(method, path, json);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return MAPPER.readTree(answer.body());
    }

    HttpResponse<String> answer(String method, String path, String json) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(service.apiUrl() + path))
                        .header("content-type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(json))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    JsonNode configuration() throws Exception {
        return get("/api/status").path("configuration");
    }

    int addresses() throws Exception {
        return get("/api/status").at("/pools/0/addresses/total").asInt();
    }

    /** Waits until what the gatekeeper says of its configuration is so. */
    JsonNode await(Predicate<JsonNode> so) throws Exception {
        Instant end = Instant.now().plus(PATIENCE);
        JsonNode latest = configuration();
        while (!so.test(latest)) {
            assertThat(Instant.now()).as("%s", latest).isBefore(end);
            Thread.onSpinWait();
            latest = configuration();
        }
        return latest;
    }

    JsonNode awaitGeneration(int generation) throws Exception {
        return await(now -> now.path("generation").asInt() >= generation);
    }

    @Override
    public void close() {
        service.stop(Duration.ZERO);
    }
}
