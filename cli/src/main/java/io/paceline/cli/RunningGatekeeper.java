package io.paceline.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** The API of a gatekeeper that runs somewhere, as commands ask it; the token is that of PACELINE_TOKEN. */
final class RunningGatekeeper {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final String url;

    RunningGatekeeper(String url) {
        this.url = url;
    }

    JsonNode get(String path) {
        HttpResponse<String> answer = send(path);
        checkAccess(answer);
        if (answer.statusCode() != 200) {
            throw notOurs(path, answer);
        }
        return parse(answer);
    }

    /** Empty where the gatekeeper says 404 in its own words, which {@code otherwise} is given. */
    Optional<JsonNode> find(String path, Consumer<String> otherwise) {
        HttpResponse<String> answer = send(path);
        checkAccess(answer);
        if (answer.statusCode() == 404 && parse(answer).has("error")) {
            otherwise.accept(message(answer));
            return Optional.empty();
        }
        if (answer.statusCode() == 400) {
            throw Failure.input(message(answer));
        }
        if (answer.statusCode() != 200) {
            throw notOurs(path, answer);
        }
        return Optional.of(parse(answer));
    }

    private static void checkAccess(HttpResponse<String> answer) {
        if (answer.statusCode() == 401 || answer.statusCode() == 403) {
            throw Failure.input(message(answer) + " (the token is read from PACELINE_TOKEN)");
        }
    }

    private Failure notOurs(String path, HttpResponse<String> answer) {
        return Failure.surroundings(
                url + path + " answers " + answer.statusCode() + ": is that the API of a gatekeeper of this version?");
    }

    private static String message(HttpResponse<String> answer) {
        return parse(answer).path("error").path("message").asText("the gatekeeper refuses: " + answer.statusCode());
    }

    private static JsonNode parse(HttpResponse<String> answer) {
        try {
            return new ObjectMapper().readTree(answer.body());
        } catch (JsonProcessingException e) {
            throw Failure.surroundings(
                    answer.uri() + " answers something else than JSON: is that the API of a gatekeeper?");
        }
    }

    private HttpResponse<String> send(String path) {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(TIMEOUT)
                .build();
        try {
            return client.send(request(path), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw Failure.surroundings("no gatekeeper answers at " + url + ": start one with `paceline serve`, or name"
                    + " another with --url");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.surroundings("interrupted");
        }
    }

    private HttpRequest request(String path) {
        String base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        HttpRequest.Builder request;
        try {
            request = HttpRequest.newBuilder(URI.create(base + path)).timeout(TIMEOUT);
        } catch (IllegalArgumentException e) {
            throw Failure.input("--url " + url + " is no URL: write http://127.0.0.1:8080");
        }
        String token = System.getenv("PACELINE_TOKEN");
        if (token != null && !token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return request.build();
    }
}
