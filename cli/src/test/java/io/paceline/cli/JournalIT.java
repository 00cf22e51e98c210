package io.paceline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real {@code serve} that is killed with signal 9 under load, and started again. */
class JournalIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ADDRESSES = 20;
    private static final String CONFIG = """
            journal: { flush: 100ms }
            pools:
              - name: default
                addresses: [ { file: list.txt } ]
                max_leases: 2
                lease_ttl: 2m
            rules:
              - { name: hourly, pattern: "long.example", limit: 40, window: 1h }
              - { name: wide, pattern: "*", limit: 100000, window: 1s }
              - { name: many, pattern: "*", concurrency: 1000 }
            """;

    @TempDir
    private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private @Nullable Process process;
    private String url = "";

    @AfterEach
    void end() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    @Test
    void after_a_kill_under_load_everything_is_there_again_and_caps_hold() throws Exception {
        StringBuilder list = new StringBuilder();
        for (int i = 1; i <= ADDRESSES; i++) {
            list.append("198.51.100.").append(i).append(":8080:user:hunter2\n");
        }
        Files.writeString(folder.resolve("list.txt"), list);
        Files.writeString(folder.resolve("paceline.yaml"), CONFIG);
        start();

        String banned = addressOf(get("/api/addresses"), 0);
        assertThat(post("/api/addresses/" + banned + "/ban", "{\"reason\": \"abuse mail\", \"for\": \"1h\"}")
                        .path("error")
                        .isMissingNode())
                .isTrue();
        String sick = makeSick();
        JsonNode session = acquire("shop.example", ", \"session\": \"acct-17\"");
        String bound = session.path("address").asText();
        release(session, "success");
        JsonNode held = acquire("held.example", "");
        for (int i = 0; i < 40; i++) {
            JsonNode permit = acquire("long.example", "");
            assertThat(permit.path("allowed").asBoolean()).as(permit.toString()).isTrue();
            release(permit, "success");
        }
        assertThat(acquire("long.example", "").path("rule").asText()).isEqualTo("hourly");

        AtomicBoolean loading = new AtomicBoolean(true);
        AtomicInteger requests = new AtomicInteger();
        List<Thread> load = load(loading, requests);
        await(() -> requests.get() > 300);
        flushed();
        kill();
        loading.set(false);
        for (Thread thread : load) {
            thread.join();
        }
        start();

        assertThat(state(banned)).isEqualTo("banned");
        assertThat(state(sick)).isEqualTo("quarantined");
        JsonNode again = acquire("shop.example", ", \"session\": \"acct-17\"");
        assertThat(again.path("address").asText()).isEqualTo(bound);
        release(again, "success");
        // The second who is refused is told to come one interval after the first.
        JsonNode refused = acquire("long.example", "");
        assertThat(refused.path("rule").asText()).as(refused.toString()).isEqualTo("hourly");
        assertThat(refused.path("wait_seconds").asDouble()).isBetween(3_000.0, 3_800.0);
        assertThat(released(held))
                .as("the release of a lease from before the kill")
                .isTrue();
        assertThat(Files.readString(folder.resolve("err.txt"))).doesNotContain("hunter2");
        assertNoPassword();
    }

    @Test
    void leases_from_before_the_kill_count_in_the_caps() throws Exception {
        Files.writeString(folder.resolve("list.txt"), "198.51.100.1:8080\n198.51.100.2:8080\n");
        Files.writeString(folder.resolve("paceline.yaml"), CONFIG);
        start();
        List<JsonNode> held = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            held.add(acquire("a.example", ""));
        }
        assertThat(acquire("a.example", "").path("reason").asText()).isEqualTo("no_address");
        flushed();
        kill();
        start();

        assertThat(acquire("a.example", "").path("reason").asText()).isEqualTo("no_address");
        assertThat(released(held.get(0))).isTrue();
        assertThat(released(held.get(0))).isFalse();
        assertThat(acquire("a.example", "").path("allowed").asBoolean()).isTrue();
        assertThat(acquire("a.example", "").path("reason").asText()).isEqualTo("no_address");
    }

    @Test
    void a_second_process_does_not_get_the_folder() throws Exception {
        Files.writeString(folder.resolve("paceline.yaml"), "journal: { flush: 1s, fsync: never }\n");
        start();

        Run second = Run.of(
                "serve",
                "--data",
                folder.resolve("paceline-data").toString(),
                "--api",
                "127.0.0.1:0",
                "--proxy",
                "127.0.0.1:0");

        assertThat(second.code()).isEqualTo(3);
        assertThat(second.err())
                .contains("another process uses the data folder")
                .contains("--data");
    }

    // ---- what happens to it

    /** Fails on one address wherever it is leased, until it is quarantined. */
    private String makeSick() throws Exception {
        String sick = addressOf(get("/api/addresses"), 1);
        for (int i = 0; i < 2_000 && !state(sick).equals("quarantined"); i++) {
            JsonNode permit = acquire("site" + i % 5 + ".example", "");
            release(permit, permit.path("address").asText().equals(sick) ? "connect_error" : "success");
        }
        assertThat(state(sick)).isEqualTo("quarantined");
        return sick;
    }

    private List<Thread> load(AtomicBoolean loading, AtomicInteger requests) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int self = i;
            Thread thread = new Thread(() -> {
                while (loading.get()) {
                    try {
                        release(acquire("load" + self + ".example", ""), "success");
                        requests.incrementAndGet();
                    } catch (IOException killed) {
                        return;
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        return;
                    }
                }
            });
            thread.start();
            threads.add(thread);
        }
        return threads;
    }

    /** All that was decided before is on disk: a flush has begun after now, and ended. */
    private void flushed() throws Exception {
        long before = System.nanoTime();
        await(() -> {
            try {
                double age = age();
                return age >= 0 && (System.nanoTime() - before) / 1e9 > 2 * age + 0.3;
            } catch (IOException e) {
                return false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return true;
            }
        });
    }

    private double age() throws IOException, InterruptedException {
        return text("/metrics")
                .lines()
                .filter(line -> line.startsWith("paceline_journal_age_seconds "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .findFirst()
                .orElse(-1);
    }

    private void start() throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.paceline.cli.Main",
                "serve",
                "--config",
                "paceline.yaml",
                "--api",
                "127.0.0.1:0",
                "--proxy",
                "127.0.0.1:0");
        Process started = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(folder.resolve("err.txt").toFile())
                .start();
        process = started;
        BufferedReader out =
                new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8));
        String ready = out.readLine();
        assertThat(ready)
                .as(() -> {
                    try {
                        return Files.readString(folder.resolve("err.txt"));
                    } catch (IOException e) {
                        return e.toString();
                    }
                })
                .startsWith("ready ");
        url = ready.split("[= ]")[2];
    }

    /** Signal 9. */
    private void kill() throws InterruptedException {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
            assertThat(running.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(running.exitValue()).isEqualTo(128 + 9);
        }
    }

    private void assertNoPassword() throws IOException {
        try (var files = Files.walk(folder.resolve("paceline-data"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .doesNotContain("hunter2")
                        .doesNotContain("acct-17");
            }
        }
    }

    // ---- how it is spoken to

    private JsonNode acquire(String host, String more) throws IOException, InterruptedException {
        return post("/acquire", "{\"target\": \"http://" + host + "/\"" + more + "}");
    }

    private void release(JsonNode permit, String outcome) throws IOException, InterruptedException {
        if (permit.path("allowed").asBoolean()) {
            post(
                    "/release",
                    "{\"lease\": \"" + permit.path("lease").asText() + "\", \"outcome\": \"" + outcome + "\"}");
        }
    }

    private boolean released(JsonNode permit) throws IOException, InterruptedException {
        return post("/release", "{\"lease\": \"" + permit.path("lease").asText() + "\", \"outcome\": \"success\"}")
                .path("released")
                .asBoolean();
    }

    private String state(String id) throws IOException, InterruptedException {
        for (JsonNode address : get("/api/addresses").path("addresses")) {
            if (address.path("id").asText().equals(id)) {
                return address.path("state").asText();
            }
        }
        return "";
    }

    private static String addressOf(JsonNode list, int index) {
        return list.at("/addresses/" + index + "/id").asText();
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        return JSON.readTree(text(path));
    }

    private String text(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(url + path)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private JsonNode post(String path, String json) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
        return JSON.readTree(
                client.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited for a minute").isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
