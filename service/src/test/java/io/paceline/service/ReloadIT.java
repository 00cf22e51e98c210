package io.paceline.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that change under a running service, as a user changes them. */
class ReloadIT {

    private static final String POOL = """
            pools:
              - name: default
                addresses: [ { inline: "http://u:hunter2@198.51.100.7:8080" }, { inline: "http://198.51.100.8:8080" } ]
                max_leases: 100000
            """;

    @TempDir
    private Path folder;

    private static String rule(int limit) {
        return "rules: [ { name: all, pattern: \"*\", limit: " + limit + ", window: 1h } ]\n";
    }

    private static final String ACQUIRE = "{\"target\": \"https://www.example.com/\", \"lease\": false}";

    @Test
    void a_new_limit_holds_from_the_next_decision_and_what_was_counted_stays_counted() throws Exception {
        try (Running running = Running.start(folder, POOL + rule(5))) {
            for (int i = 0; i < 5; i++) {
                running.post("/acquire", ACQUIRE, 200);
            }
            running.post("/acquire", ACQUIRE, 429);

            running.write(POOL + rule(8));
            JsonNode reloaded = running.post("/api/reload", "", 200);
            assertThat(reloaded.path("result").asText()).isIn("applied", "unchanged"); // the watch may have been first
            assertThat(running.configuration().path("generation").asInt()).isEqualTo(2);
            for (int i = 0; i < 3; i++) {
                running.post("/acquire", ACQUIRE, 200);
            }
            assertThat(running.post("/acquire", ACQUIRE, 429).path("rule").asText())
                    .isEqualTo("all");

            running.write(POOL + rule(2));
            running.awaitGeneration(3);
            running.post("/acquire", ACQUIRE, 429);
            assertThat(running.get("/api/events").toString())
                    .contains("reloaded")
                    .contains("rule all: pattern *");
        }
    }

    @Test
    void a_broken_file_changes_nothing_is_told_everywhere_and_forgotten_once_it_is_mended() throws Exception {
        try (Running running = Running.start(folder, POOL + rule(5))) {
            running.write(POOL + "rules: [ { name: all, pattern: \"regex:[a-z\", limit: 10, window: 1h } ]\n");
            JsonNode broken = running.await(now -> !now.path("valid").asBoolean());
            assertThat(broken.path("generation").asInt()).isEqualTo(1);
            assertThat(broken.at("/errors/0/file").asText()).endsWith("paceline.yaml");
            assertThat(broken.at("/errors/0/line").asInt()).isEqualTo(6);
            assertThat(broken.at("/errors/0/column").asInt()).isEqualTo(32);

            JsonNode refused = running.post("/api/reload", "", 422);
            assertThat(refused.path("result").asText()).isEqualTo("broken");
            assertThat(refused.at("/error/message").asText()).contains("paceline.yaml:6:32: ");
            assertThat(refused.path("errors")).hasSize(1);
            assertThat(running.get("/readyz").path("status").asText()).isEqualTo("ready");
            assertThat(running.get("/readyz").path("configuration").asText()).isEqualTo("broken");
            assertThat(running.answer("GET", "/metrics", "").body())
                    .contains("paceline_config_valid 0.0")
                    .contains("paceline_config_generation 1.0")
                    .containsPattern("paceline_reloads_total\\{result=\"broken\"\\} [2-9]");
            assertThat(running.get("/api/events").toString()).contains("reload_refused");
            assertThat(running.get("/api/rules").at("/rules/0/limit").asInt()).isEqualTo(5);
            running.post("/acquire", ACQUIRE, 200);

            running.write(POOL + rule(5));
            running.await(now -> now.path("valid").asBoolean());
            assertThat(running.get("/readyz").path("configuration").asText()).isEqualTo("valid");
            assertThat(running.configuration().path("generation").asInt()).isEqualTo(1);
            assertThat(running.answer("GET", "/metrics", "").body()).contains("paceline_config_valid 1.0");
            for (int i = 0; i < 4; i++) {
                running.post("/acquire", ACQUIRE, 200);
            }
            running.post("/acquire", ACQUIRE, 429);
        }
    }

    /** Case Q-S30: 500 entries, an editor truncates the list and writes it a moment later. */
    @Test
    void a_list_that_is_truncated_and_then_written_never_empties_the_pool_and_bindings_and_bans_stay()
            throws Exception {
        Path list = folder.resolve("list.txt");
        Files.writeString(list, lines(1, 500));
        try (Running running = Running.start(
                folder, "pools: [ { name: default, addresses: [ { file: list.txt } ] } ]\n" + rule(10_000))) {
            assertThat(running.addresses()).isEqualTo(500);
            String banned = running.get("/api/addresses").at("/addresses/3/id").asText();
            running.post("/api/addresses/" + banned + "/ban", "{}", 200);
            Map<String, String> bound = new TreeMap<>();
            for (int i = 0; i < 20; i++) {
                bound.put("s" + i, addressOf(running, "s" + i));
            }

            Files.writeString(list, "");
            JsonNode refused = running.post("/api/reload", "", 422);
            assertThat(refused.at("/errors/0/message").asText()).contains("list.txt has no usable line");
            assertThat(running.addresses()).isEqualTo(500);
            assertThat(addressOf(running, "s0")).isEqualTo(bound.get("s0"));

            Files.writeString(list, lines(2, 600));
            running.awaitGeneration(2);
            assertThat(running.addresses()).isEqualTo(599);
            bound.forEach((session, address) -> {
                try {
                    JsonNode permit = running.post("/acquire", inSession(session), 200);
                    assertThat(permit.path("address").asText()).isEqualTo(address);
                    running.post(
                            "/release",
                            "{\"lease\": \"" + permit.path("lease").asText() + "\", \"outcome\": \"success\"}",
                            200);
                } catch (Exception e) {
                    throw new AssertionError(session, e);
                }
            });
            assertThat(running.get("/api/addresses?state=banned")
                            .at("/addresses/0/id")
                            .asText())
                    .isEqualTo(banned);
        }
    }

    private static String lines(int from, int to) {
        // The first one is never anybody's session or ban: it is the one that goes.
        return IntStream.rangeClosed(from, to)
                .mapToObj(i -> i == 1 ? "198.18.0.1:9" : "198.51." + i / 250 + "." + i % 250 + ":8080:user:hunter2")
                .collect(Collectors.joining("\n"));
    }

    private static String inSession(String key) {
        return "{\"target\": \"https://www.example.com/\", \"session\": \"" + key + "\"}";
    }

    private static String addressOf(Running running, String session) throws Exception {
        while (true) {
            JsonNode permit = running.post("/acquire", inSession(session), 200);
            running.post(
                    "/release",
                    "{\"lease\": \"" + permit.path("lease").asText() + "\", \"outcome\": \"success\"}",
                    200);
            if (!permit.path("proxy").asText().contains("198.18.0.1")) {
                return permit.path("address").asText();
            }
            running.post("/sessions/" + session + "/repin", "", 200);
        }
    }

    @Test
    void rules_in_a_file_that_is_moved_into_place_or_behind_a_link_that_is_turned_are_followed() throws Exception {
        Path first = Files.createDirectory(folder.resolve("..2026_1"));
        Path second = Files.createDirectory(folder.resolve("..2026_2"));
        Files.writeString(first.resolve("list.txt"), "198.51.100.1:80\n");
        Files.writeString(second.resolve("list.txt"), "198.51.100.1:80\n198.51.100.2:80\n");
        Path data = Files.createSymbolicLink(folder.resolve("..data"), first.getFileName());
        Files.createSymbolicLink(folder.resolve("list.txt"), Path.of("..data", "list.txt"));
        String pools = "pools: [ { name: default, addresses: [ { file: list.txt } ] } ]\n";
        try (Running running = Running.start(folder, pools + rule(5))) {
            Files.move(
                    Files.createSymbolicLink(folder.resolve("..data_tmp"), second.getFileName()),
                    data,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            running.awaitGeneration(2);
            assertThat(running.addresses()).isEqualTo(2);

            Path edited = Files.writeString(folder.resolve(".paceline.yaml.swp"), Running.FAST + pools + rule(6));
            Files.move(edited, running.file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            running.awaitGeneration(3);
            assertThat(running.get("/api/rules").at("/rules/0/limit").asInt()).isEqualTo(6);
        }
    }

    @Test
    void what_needs_a_restart_is_named_everything_else_holds_and_tokens_are_exchanged() throws Exception {
        String tokens = "api: { tokens: [ { name: ops, token: %s, role: operator } ] }\n";
        try (Running running = Running.start(folder, POOL + rule(5))) {
            running.write("proxy: { retries: 1, allow_private_targets: true }\nrobots: { agent: other }\n"
                    + tokens.formatted("s3cret-1") + POOL + rule(6));
            JsonNode state = running.await(now -> now.path("needs_restart").size() == 3);
            assertThat(state.path("needs_restart").toString())
                    .contains("proxy.allow_private_targets: false is in force")
                    .contains("robots.agent: paceline is in force, the configuration has other")
                    .contains("api.tokens: everyone is operator");
            assertThat(running.get("/api/rules").at("/rules/0/limit").asInt()).isEqualTo(6);
            assertThat(running.answer("POST", "/acquire", "{\"target\": \"http://127.0.0.1/\"}")
                            .statusCode())
                    .isEqualTo(403);

            running.write(POOL + rule(6));
            running.await(now -> now.path("needs_restart").isEmpty());
        }
        try (Running running =
                Running.start(Files.createDirectory(folder.resolve("b")), tokens.formatted("s3cret-1"))) {
            running.write(tokens.formatted("s3cret-2"));
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (status(running, "s3cret-1") != 401) {
                assertThat(System.nanoTime()).isLessThan(end);
            }
            assertThat(status(running, "s3cret-2")).isEqualTo(200);
        }
    }

    private static int status(Running running, String token) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(running.service.apiUrl() + "/api/status"))
                                .header("Authorization", "Bearer " + token)
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void addresses_added_by_the_api_stay_over_reloads_until_they_are_removed() throws Exception {
        DataFolder kept = new DataFolder(folder.resolve("data"));
        String id;
        try (Running running = Running.start(folder, POOL + rule(5), kept)) {
            JsonNode added = running.post(
                    "/api/addresses",
                    "{\"proxies\": [\"http://u:hunter3@203.0.113.1:80\", \"198.51.100.8:8080\"], \"tags\": {\"kind\": \"mobile\"}}",
                    200);
            assertThat(added.path("added")).hasSize(1);
            assertThat(added.path("known")).hasSize(1);
            id = added.at("/added/0").asText();
            assertThat(running.addresses()).isEqualTo(3);
            running.write(POOL + rule(6));
            running.post("/api/reload", "", 200);
            assertThat(running.addresses()).isEqualTo(3);
            String configured = added.at("/known/0").asText();
            assertThat(running.delete("/api/addresses/" + configured, 409)
                            .at("/error/message")
                            .asText())
                    .contains("take it out there");
            assertThat(running.post("/api/addresses", "{\"pool\": \"x\", \"proxy\": \"198.51.100.9:80\"}", 400)
                            .at("/error/message")
                            .asText())
                    .isEqualTo("there is no pool \"x\"");
            assertThat(running.post("/api/addresses", "{\"proxy\": \"u:hunter4\"}", 400)
                            .toString())
                    .contains("`proxy` is no proxy")
                    .doesNotContain("hunter4");
        }
        try (Running running = Running.start(folder, POOL + rule(5), kept)) {
            assertThat(running.addresses()).as("after a restart").isEqualTo(3);
            assertThat(running.delete("/api/addresses/" + id, 200)
                            .path("removed")
                            .asBoolean())
                    .isTrue();
            assertThat(running.addresses()).isEqualTo(2);
            running.delete("/api/addresses/" + id, 404);
        }
        try (Running running = Running.start(folder, POOL + rule(5), kept)) {
            assertThat(running.addresses()).isEqualTo(2);
        }
    }

    /** The third "done when" of reload: 200 requests a second, rules and lists edited meanwhile. */
    @Test
    void under_two_hundred_requests_a_second_no_request_fails_while_everything_is_edited() throws Exception {
        Path list = folder.resolve("list.txt");
        Files.writeString(list, lines(1, 50));
        String pools = "pools: [ { name: default, addresses: [ { file: list.txt } ], max_leases: 1000 } ]\n";
        String open =
                "rules: [ { name: all, pattern: \"*\", limit: %d, window: 1s, on_limit: wait, max_wait: 20s } ]\n";
        HttpClient client = HttpClient.newHttpClient();
        Map<Integer, AtomicInteger> statuses = new ConcurrentHashMap<>();
        Set<String> bodies = ConcurrentHashMap.newKeySet();
        ScheduledExecutorService pace = Executors.newScheduledThreadPool(2);
        try (Running running = Running.start(folder, pools + open.formatted(1_000))) {
            List<CompletableFuture<?>> asked = new ArrayList<>();
            URI acquire = URI.create(running.service.apiUrl() + "/acquire");
            URI release = URI.create(running.service.apiUrl() + "/release");
            ScheduledFuture<?> unused = pace.scheduleAtFixedRate(
                    () -> {
                        synchronized (asked) {
                            asked.add(post(client, acquire, "{\"target\": \"https://www.example.com/\"}")
                                    .thenCompose(permit -> {
                                        statuses.computeIfAbsent(permit.statusCode(), s -> new AtomicInteger())
                                                .incrementAndGet();
                                        if (permit.statusCode() != 200) {
                                            bodies.add(permit.body());
                                            return CompletableFuture.completedFuture(permit);
                                        }
                                        String lease = permit.body().replaceFirst(".*\"lease\":\"([^\"]*)\".*", "$1");
                                        return post(
                                                client,
                                                release,
                                                "{\"lease\": \"" + lease + "\", \"outcome\": \"success\"}");
                                    }));
                        }
                    },
                    0,
                    5,
                    TimeUnit.MILLISECONDS);
            for (int i = 1; i <= 12; i++) {
                Files.writeString(list, lines(1 + i % 3, 50 + 10 * i));
                running.write(pools + open.formatted(1_000 + i));
                running.awaitGeneration(i + 1);
                if (i == 6) {
                    running.write("rules: [");
                    running.await(now -> !now.path("valid").asBoolean());
                }
                int count;
                do {
                    synchronized (asked) {
                        count = asked.size();
                    }
                } while (count < 40 * i);
            }
            pace.shutdown();
            assertThat(pace.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
            CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
            assertThat(statuses.keySet()).as("%s", bodies).isEqualTo(new HashSet<>(List.of(200)));
            assertThat(statuses.get(200).get()).isEqualTo(asked.size()).isGreaterThanOrEqualTo(480);
            assertThat(running.configuration().path("valid").asBoolean()).isTrue();
            assertThat(running.addresses()).isEqualTo(170 - 12 % 3);
            assertThat(running.get("/api/status").at("/pools/0/leases").asInt()).isZero();
        } finally {
            pace.shutdownNow();
        }
    }

    private static CompletableFuture<HttpResponse<String>> post(HttpClient client, URI uri, String json) {
        return client.sendAsync(
                HttpRequest.newBuilder(uri)
                        .header("content-type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(json))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
