package io.paceline.service.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Credentials;
import io.paceline.Endpoint;
import io.paceline.Outcome;
import io.paceline.PageFetcher.Page;
import io.paceline.health.ControlAnswer;
import io.paceline.health.ControlAnswer.Kind;
import io.paceline.pace.TargetUrl;
import io.paceline.service.proxy.SystemResolver;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Control URLs asked on real sockets: directly, through real proxies with passwords, and through bad ones. */
class SocketProberIT {
    private static final Credentials UP = new Credentials("up01", "pw2");
    private static final SocketProber.Timeouts PATIENT =
            new SocketProber.Timeouts(Duration.ofSeconds(20), Duration.ofSeconds(20));

    @TempDir
    private static Path dir;

    private static SystemResolver resolver;
    private static Sites sites;
    private static SocketProber prober;

    @BeforeAll
    static void open() throws Exception {
        resolver = new SystemResolver();
        sites = new Sites(dir);
        prober = new SocketProber(resolver, sites.trust(), PATIENT);
    }

    @AfterAll
    static void close() {
        prober.close();
        sites.close();
        resolver.close();
    }

    @BeforeEach
    void forgetHeads() {
        sites.heads.clear();
    }

    private static ControlAnswer ask(Endpoint via, String url) {
        return prober.ask(via, url).toCompletableFuture().join();
    }

    private static Endpoint proxy(int port, @Nullable Credentials credentials) {
        return new Endpoint(Endpoint.Scheme.HTTP, "127.0.0.1", port, credentials);
    }

    @Test
    void our_own_side_passes_with_and_without_tls() {
        ControlAnswer plain = ask(Endpoint.DIRECT, sites.http(204));
        assertThat(plain.kind()).isEqualTo(Kind.PASSED);
        assertThat(plain.status()).isEqualTo(204);
        assertThat(plain.latencyMicros()).isPositive();
        assertThat(ask(Endpoint.DIRECT, sites.https(200)).kind()).isEqualTo(Kind.PASSED);
        assertThat(sites.heads)
                .allSatisfy(head -> assertThat(head)
                        .containsEntry("Cache-control", List.of("no-cache, no-store"))
                        .doesNotContainKey("Proxy-authorization"));
    }

    @ParameterizedTest
    @CsvSource({"false,0", "false,70000", "true,70000", "false,512001", "true,600000"})
    void a_page_comes_whole_up_to_what_a_robots_txt_may_have(boolean tls, int octets) {
        Page page = page(Endpoint.DIRECT, sites.page(tls, octets));
        assertThat(page.outcome().kind()).isEqualTo(Outcome.Kind.SUCCESS);
        assertThat(page.reply()).isNotNull().satisfies(reply -> {
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.body()).hasSize(Math.min(octets, 512_001));
        });
        assertThat(sites.heads).allSatisfy(head -> assertThat(head).containsEntry("User-agent", List.of("mybot")));
    }

    @ParameterizedTest
    @CsvSource({"404,NEUTRAL", "429,RATE_LIMITED", "500,TARGET_ERROR", "301,SUCCESS"})
    void the_status_of_a_page_says_what_follows_for_its_address(int status, Outcome.Kind kind) {
        Page page = page(Endpoint.DIRECT, sites.http(status));
        assertThat(page.outcome().kind()).isEqualTo(kind);
        assertThat(page.reply())
                .isNotNull()
                .satisfies(reply -> assertThat(reply.status()).isEqualTo(status));
    }

    @Test
    void a_page_behind_a_private_name_is_not_fetched_from_our_own_side() {
        Page page = prober.pages(false, () -> 0)
                .fetch(Endpoint.DIRECT, TargetUrl.parse(sites.http(200)), "mybot")
                .toCompletableFuture()
                .join();
        assertThat(page.reply()).isNull();
        assertThat(page.why()).isEqualTo("its name leads to a private address");
    }

    private static Page page(Endpoint via, String url) {
        return prober.pages(true, () -> 0)
                .fetch(via, TargetUrl.parse(url), "mybot")
                .toCompletableFuture()
                .join();
    }

    @ParameterizedTest
    @CsvSource({"301", "403", "429", "503"})
    void any_other_status_is_an_answer_and_no_pass(int status) {
        assertThat(ask(Endpoint.DIRECT, sites.http(status)))
                .extracting(ControlAnswer::kind, ControlAnswer::status)
                .containsExactly(Kind.ANSWERED, status);
    }

    @Test
    void a_certificate_that_nobody_vouches_for_is_refused() {
        try (SocketProber suspicious = new SocketProber(resolver, null, PATIENT)) {
            ControlAnswer answer = suspicious
                    .ask(Endpoint.DIRECT, sites.https(200))
                    .toCompletableFuture()
                    .join();
            assertThat(answer.kind()).isEqualTo(Kind.SILENT);
            assertThat(answer.detail()).isEqualTo("its certificate is not believed");
        }
    }

    @Test
    void a_certificate_of_another_host_is_refused() {
        assertThat(ask(Endpoint.DIRECT, sites.httpsByAnotherName(200)))
                .extracting(ControlAnswer::kind, ControlAnswer::detail)
                .containsExactly(Kind.SILENT, "its certificate is not believed");
    }

    @Test
    void nobody_listening_is_silence() throws IOException {
        assertThat(ask(Endpoint.DIRECT, "http://127.0.0.1:" + closedPort() + "/")
                        .kind())
                .isEqualTo(Kind.SILENT);
        assertThat(ask(proxy(closedPort(), UP), sites.https(200)).kind()).isEqualTo(Kind.SILENT);
    }

    @Test
    void a_proxy_that_hangs_ends_by_time_out() throws IOException {
        try (SocketProber hasty = new SocketProber(
                        resolver, null, new SocketProber.Timeouts(Duration.ofMillis(100), Duration.ofMillis(100)));
                ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            for (String url : List.of(sites.http(200), sites.https(200))) {
                assertThat(hasty.ask(proxy(silent.getLocalPort(), null), url)
                                .toCompletableFuture()
                                .join()
                                .detail())
                        .isEqualTo("timed out");
            }
        }
    }

    /** Each answers every connection with the same head, whatever it is asked. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http|HTTP/1.1 407 Proxy Authentication Required|CREDENTIALS_REFUSED",
                "https|HTTP/1.1 407 Proxy Authentication Required|CREDENTIALS_REFUSED",
                "https|HTTP/1.1 401 Unauthorized|CREDENTIALS_REFUSED",
                "http|HTTP/1.1 502 Bad Gateway|SILENT",
                "http|HTTP/1.1 504 Gateway Timeout|SILENT",
                "http|HTTP/1.1 503 Service Unavailable~X-Squid-Error: ERR_CONNECT_FAIL 111|SILENT",
                "http|HTTP/1.1 500 Unable to connect~Server: tinyproxy/1.11|SILENT",
                "http|HTTP/1.1 429 Too Many Requests|ANSWERED",
                "http|HTTP/1.1 302 Found~Location: http://portal.example/|ANSWERED",
                "https|HTTP/1.1 403 Forbidden|SILENT",
                "https|HTTP/1.1 503 Service Unavailable|SILENT",
                "https|SSH-2.0-OpenSSH_9.2|SILENT",
                "http|SSH-2.0-OpenSSH_9.2|SILENT",
                "https|HTTP/1.1 200 OK|SILENT",
                "http|HTTP/1.1 204 No Content|PASSED",
            })
    void what_a_proxy_says_is_told_from_what_the_url_says(String scheme, String head, Kind kind) throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread answering = new Thread(() -> answer(server, head.replace("~", "\r\n"), asked));
            answering.setDaemon(true);
            answering.start();
            String url = scheme.equals("http") ? sites.http(200) : sites.https(200);
            assertThat(ask(proxy(server.getLocalPort(), UP), url).kind()).isEqualTo(kind);
        }
        assertThat(asked).anyMatch(line -> line.equalsIgnoreCase("proxy-authorization: Basic dXAwMTpwdzI="));
    }

    private static void answer(ServerSocket server, String head, List<String> asked) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
                for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                    asked.add(line);
                }
                socket.getOutputStream().write((head + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
                socket.getOutputStream().flush();
            } catch (IOException e) {
                return;
            }
        }
    }

    @Test
    @Tag("tools")
    void tinyproxy_with_its_password_passes_both_kinds() throws Exception {
        int port = closedPort();
        Path config = dir.resolve("tinyproxy.conf");
        Files.writeString(
                config,
                "Port " + port
                        + "\nListen 127.0.0.1\nTimeout 60\nMaxClients 20\nAllow 127.0.0.1\nBasicAuth up01 pw2\n");
        passes(port, "tinyproxy", "-d", "-c", config.toString());
    }

    @Test
    @Tag("tools")
    void squid_with_its_password_passes_both_kinds() throws Exception {
        int port = closedPort();
        Path config = dir.resolve("squid.conf");
        Path helper = dir.resolve("auth.sh");
        Files.writeString(
                helper, "#!/bin/sh\nwhile read -r pair; do [ \"$pair\" = 'up01 pw2' ] && echo OK || echo ERR; done\n");
        Files.writeString(
                config,
                String.join(
                        "\n",
                        "http_port 127.0.0.1:" + port,
                        "auth_param basic program /bin/sh " + helper,
                        "auth_param basic children 1",
                        "acl known proxy_auth REQUIRED",
                        "http_access allow known",
                        "http_access deny all",
                        "cache_log stdio:/dev/null",
                        "access_log none",
                        "pid_filename none",
                        "coredump_dir " + dir,
                        "shutdown_lifetime 0 seconds",
                        "pinger_enable off",
                        ""));
        assertThat(dir.toFile().setExecutable(true, false) && dir.toFile().setReadable(true, false))
                .isTrue();
        passes(port, "squid", "-N", "-f", config.toString());
    }

    private void passes(int port, String... command) throws Exception {
        Process upstream = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            awaitListening(port, upstream);
            Endpoint via = proxy(port, UP);
            assertThat(ask(via, sites.http(200)).kind()).isEqualTo(Kind.PASSED);
            assertThat(ask(via, sites.https(200)).kind()).isEqualTo(Kind.PASSED);
            assertThat(sites.heads).allSatisfy(head -> assertThat(head).doesNotContainKey("Proxy-authorization"));
            assertThat(ask(via, sites.http(429)).kind()).isEqualTo(Kind.ANSWERED);
            assertThat(ask(via, sites.httpsByAnotherName(200)).kind()).isEqualTo(Kind.SILENT);
            assertThat(ask(via, "http://127.0.0.1:" + closedPort() + "/").kind())
                    .isEqualTo(Kind.SILENT);
            assertThat(ask(via, "https://127.0.0.1:" + closedPort() + "/").kind())
                    .isEqualTo(Kind.SILENT);
            Endpoint wrong = proxy(port, new Credentials("up01", "wrong"));
            assertThat(ask(wrong, sites.https(200)).kind()).isEqualTo(Kind.CREDENTIALS_REFUSED);
            assertThat(ask(wrong, sites.http(200)).kind()).isIn(Kind.CREDENTIALS_REFUSED, Kind.SILENT);
        } finally {
            upstream.destroy();
            if (!upstream.waitFor(10, TimeUnit.SECONDS)) {
                upstream.destroyForcibly();
            }
        }
    }

    private static void awaitListening(int port, Process process) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (process.isAlive() && System.nanoTime() < end) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (socket.isConnected()) {
                    return;
                }
            } catch (IOException e) {
                Thread.sleep(20);
            }
        }
        throw new AssertionError("the proxy does not listen");
    }

    private static int closedPort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
