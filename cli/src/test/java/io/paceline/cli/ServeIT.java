package io.paceline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve} and {@code status} as processes and users meet them. */
class ServeIT {

    @TempDir
    private Path folder;

    @Test
    void it_says_that_it_is_ready_shows_its_status_and_drains_at_a_signal() throws Exception {
        Files.writeString(folder.resolve("list.txt"), "198.51.100.7:8080:user:hunter2\n198.51.100.8:8080\n");
        Process process = serve("--proxies", "list.txt", "--api", "127.0.0.1:0", "--proxy", "127.0.0.1:0");
        try {
            String ready = lines(process).readLine();
            assertThat(ready)
                    .matches("ready api=http://127\\.0\\.0\\.1:[1-9]\\d* proxy=http://127\\.0\\.0\\.1:[1-9]\\d*"
                            + " store=memory addresses=2");
            String url = ready.split("[= ]")[2];

            Run text = Run.of("status", "--url", url);
            assertThat(text.code()).as(text.err()).isZero();
            assertThat(text.out())
                    .contains("ready")
                    .contains("pool default (weighted): 2 addresses: 2 healthy")
                    .contains("default-pace");
            order(url, "ban", "{\"reason\": \"abuse mail\", \"for\": \"10m\"}");
            assertThat(Run.of("status", "--url", url).out())
                    .contains("2 addresses: 1 banned, 1 healthy")
                    .containsPattern(
                            "banned\\R  \\S+ http://198\\.51\\.100\\.\\d:8080 in pool default until \\S+Z: abuse mail")
                    .doesNotContain("hunter2");
            JsonNode json = new ObjectMapper()
                    .readTree(Run.of("status", "--json", "--url", url).out());
            assertThat(json.at("/pools/0/addresses/total").intValue()).isEqualTo(2);

            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
            assertThat(Files.readString(folder.resolve("err.txt")))
                    .contains("draining")
                    .doesNotContain("hunter2");
        } finally {
            process.destroyForcibly();
        }
        assertThat(folder.resolve("paceline-data/secret.key")).exists();
    }

    @Test
    void at_sighup_it_reads_its_files_again_and_a_broken_one_is_shown_by_status() throws Exception {
        Path file = folder.resolve("paceline.yaml");
        String yaml = "reload: { poll: off }\nrules: [ { name: all, pattern: \"*\", limit: %s, window: 1m } ]\n";
        Files.writeString(file, yaml.formatted(30));
        Process process = serve("--config", "paceline.yaml", "--api", "127.0.0.1:0", "--proxy", "127.0.0.1:0");
        try {
            String url = lines(process).readLine().split("[= ]")[2];
            Files.writeString(file, yaml.formatted(40));
            hangUp(process);
            awaitLog("reloaded (SIGHUP): rule all: ");
            assertThat(Run.of("status", "--url", url).out())
                    .contains("configuration 2 since ")
                    .contains("never more than 40 in any 60 s");

            Files.writeString(file, yaml.formatted("many"));
            hangUp(process);
            awaitLog("reload refused (SIGHUP): ");
            assertThat(Run.of("status", "--url", url).out())
                    .contains("its files are broken since ")
                    .contains("  paceline.yaml:2:44: limit \"many\" is no whole number")
                    .contains("never more than 40 in any 60 s");
            assertThat(process.isAlive()).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    private static void hangUp(Process process) throws Exception {
        Process kill = new ProcessBuilder("kill", "-HUP", Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    private void awaitLog(String text) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!Files.readString(folder.resolve("err.txt")).contains(text)) {
            assertThat(System.nanoTime()).as(text).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private static void order(String url, String verb, String json) throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        String addresses = client.send(
                        HttpRequest.newBuilder(URI.create(url + "/api/addresses"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        String id = new ObjectMapper().readTree(addresses).at("/addresses/0/id").asText();
        HttpRequest order = HttpRequest.newBuilder(URI.create(url + "/api/addresses/" + id + "/" + verb))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
        assertThat(client.send(order, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
    }

    @Test
    void a_taken_port_ends_it_with_3_and_names_the_port_and_who_chose_it() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();

            Run api = Run.of("serve", "--data", folder.toString(), "--api", address, "--proxy", "127.0.0.1:0");
            assertThat(api.code()).isEqualTo(3);
            assertThat(api.err().lines().findFirst())
                    .hasValue("the API cannot listen on " + address
                            + ": the port is taken (from --api); end what listens there, or choose another with --api"
                            + " HOST:PORT");

            Run proxy = Run.of("serve", "--data", folder.toString(), "--api", "127.0.0.1:0", "--proxy", address);
            assertThat(proxy.code()).isEqualTo(3);
            assertThat(proxy.err())
                    .contains("the forward proxy cannot listen on " + address)
                    .contains("from --proxy");
        }
    }

    @Test
    void what_cannot_be_served_is_refused_before_anything_is_opened() throws IOException {
        Run store = Run.of("serve", "--data", folder.toString(), "--store", "redis://:hunter2@127.0.0.1:1");
        assertThat(store.code()).isEqualTo(3);
        assertThat(store.err())
                .contains("no connection to Redis at 127.0.0.1:1")
                .doesNotContain("hunter2");

        Run open = Run.of("serve", "--data", folder.toString(), "--api", "0.0.0.0:0");
        assertThat(open.code()).isEqualTo(1);
        assertThat(open.err()).contains("api.tokens");

        Path file = Files.createFile(folder.resolve("file"));
        Run data = Run.of("serve", "--data", file.toString());
        assertThat(data.code()).isEqualTo(3);
        assertThat(data.err()).contains("--data");

        Run missing = Run.of("serve", "--data", folder.toString(), "--proxies", folder.resolve("no.txt") + "");
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.err()).contains("no.txt");
    }

    @Test
    void status_without_a_gatekeeper_says_so() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        Run run = Run.of("status", "--url", "http://127.0.0.1:" + free);
        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).contains("no gatekeeper answers at").contains("paceline serve");
        assertThat(Run.of("status", "--url", "not a url").code()).isEqualTo(1);
    }

    private Process serve(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.paceline.cli.Main",
                "serve"));
        command.addAll(List.of(options));
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(folder.resolve("err.txt").toFile())
                .start();
    }

    private static BufferedReader lines(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }
}
