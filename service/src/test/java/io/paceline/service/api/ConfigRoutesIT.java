package io.paceline.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What operators may ask of the configuration, and what they are told. */
class ConfigRoutesIT {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final TestApi api = new TestApi(TestApi.settings());

    @AfterEach
    void close() {
        api.close();
    }

    private JsonNode send(String method, String path, String json, int status) throws Exception {
        HttpResponse<String> answer = CLIENT.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port + path))
                        .header("content-type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(json))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return new ObjectMapper().readTree(answer.body());
    }

    @Test
    void a_broken_configuration_is_422_with_every_fault_and_its_place() throws Exception {
        JsonNode answer = send("POST", "/api/reload", "", 422);
        assertThat(answer.path("result").asText()).isEqualTo("broken");
        assertThat(answer.path("generation").asInt()).isEqualTo(4);
        assertThat(answer.at("/error/code").asText()).isEqualTo("configuration_broken");
        assertThat(answer.at("/errors/0").toString())
                .isEqualTo("{\"file\":\"rules.yaml\",\"line\":3,\"column\":5,"
                        + "\"message\":\"limit \\\"x\\\" is no whole number: write limit: 30\"}");
    }

    @Test
    void status_and_readiness_say_that_the_files_are_broken() throws Exception {
        assertThat(send("GET", "/readyz", "", 200).toString())
                .isEqualTo("{\"status\":\"ready\",\"configuration\":\"broken\"}");
        JsonNode configuration = send("GET", "/api/status", "", 200).path("configuration");
        assertThat(configuration.path("valid").asBoolean()).isFalse();
        assertThat(configuration.at("/lists/0/fault").asText()).isEqualTo("no connection");
        assertThat(configuration.at("/supply/0/fault").isNull()).isTrue();
        assertThat(configuration.at("/supply/0").has("asked_at")).isFalse();
    }

    @Test
    void addresses_are_added_in_any_form_and_what_is_none_is_named_without_its_password() throws Exception {
        assertThat(send("POST", "/api/addresses", "{\"proxies\": [\"198.51.100.7:80\", \"198.51.100.8:80:u:p\"]}", 200)
                        .path("added")
                        .toString())
                .isEqualTo("[\"a2\"]");
        assertThat(send("POST", "/api/addresses", "{\"proxies\": [\"198.51.100.7:80\", \"http://u:hunter2@\"]}", 400)
                        .toString())
                .contains("`proxies[1]` is no proxy")
                .doesNotContain("hunter2");
        assertThat(send("POST", "/api/addresses", "{\"pool\": \"x\", \"proxy\": \"198.51.100.7:80\"}", 400)
                        .at("/error/message")
                        .asText())
                .isEqualTo("there is no pool \"x\"");
        assertThat(send("POST", "/api/addresses", "{}", 400).at("/error/field").asText())
                .isEqualTo("proxy");
        assertThat(send("POST", "/api/addresses", "{\"proxies\": \"a\"}", 400)
                        .at("/error/message")
                        .asText())
                .contains("an array of strings");
        assertThat(send("POST", "/api/addresses", "{\"proxy\": \"198.51.100.7:80\", \"weight\": 0}", 400)
                        .at("/error/field")
                        .asText())
                .isEqualTo("weight");
    }

    @Test
    void what_was_added_is_removed_and_what_a_file_has_is_removed_there() throws Exception {
        assertThat(send("DELETE", "/api/addresses/a17", "", 200).path("removed").asBoolean())
                .isTrue();
        assertThat(send("DELETE", "/api/addresses/a18", "", 409)
                        .at("/error/code")
                        .asText())
                .isEqualTo("configured");
        assertThat(send("DELETE", "/api/addresses/a19", "", 404)
                        .at("/error/code")
                        .asText())
                .isEqualTo("unknown_address");
    }
}
