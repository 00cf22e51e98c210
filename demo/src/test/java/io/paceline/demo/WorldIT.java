package io.paceline.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The proxies and sites of the demo, each asked as a client would. */
class WorldIT {
    private static final int SEED = 5;
    private static final Fetcher FETCHER = new Fetcher(Duration.ofSeconds(20));

    private World world;

    WorldIT() throws IOException {
        world = World.start(Scenario.named("mixed").orElseThrow(), SEED);
    }

    @BeforeEach
    void everything_has_a_socket() {
        assertThat(world.upstreams()).hasSize(12);
    }

    @AfterEach
    void stop() {
        world.close();
    }

    @Test
    void a_good_proxy_brings_the_page_and_the_site_sees_the_proxy_s_own_address() throws IOException {
        Upstream good = good(0);
        Fetcher.Got got = get(good, 0, "/p/1", "s");
        assertThat(got.head().status()).isEqualTo(200);
        assertThat(got.body()).contains("<title>news/p/1</title>");
        get(good, 0, "/p/2", "s");
        assertThat(world.counts().rotations()).isZero();
        get(good(1), 0, "/p/3", "s");
        assertThat(world.counts().rotations()).isEqualTo(1);
    }

    @Test
    void a_dead_proxy_refuses_connections() {
        assertThatThrownBy(() -> get(first(Temper.DEAD), 0, "/", "")).isInstanceOf(ConnectException.class);
    }

    @Test
    void a_hanging_proxy_accepts_and_never_answers() {
        Fetcher impatient = new Fetcher(Duration.ofMillis(200));
        String url = world.sites().get(0).url() + "/";
        assertThatThrownBy(() -> impatient.get(first(Temper.HANGING).line(), url, ""))
                .isInstanceOf(SocketTimeoutException.class)
                .hasMessage("Read timed out");
        assertThat(world.counts().requests()).isZero();
    }

    @Test
    void a_slow_proxy_brings_the_page_all_the_same() throws IOException {
        assertThat(get(first(Temper.SLOW), 0, "/", "").head().status()).isEqualTo(200);
    }

    @Test
    void a_flaky_proxy_fails_about_half_of_the_time_and_the_same_requests_with_the_same_seed() throws IOException {
        List<Boolean> draws = flaky(60);
        assertThat(draws.stream().filter(answered -> answered).count()).isBetween(15L, 45L);
        world.close();
        world = World.start(Scenario.named("mixed").orElseThrow(), SEED);
        assertThat(flaky(60)).isEqualTo(draws);
    }

    private List<Boolean> flaky(int requests) throws IOException {
        List<Boolean> answered = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            try {
                answered.add(get(first(Temper.FLAKY), 0, "/", "").head().status() == 200);
            } catch (EOFException e) {
                answered.add(false);
            }
        }
        return answered;
    }

    @Test
    void the_shop_asks_some_good_addresses_for_captchas_and_no_other_site_does() throws IOException {
        int captchas = 0;
        for (Upstream upstream : world.upstreams()) {
            if (upstream.temper() == Temper.GOOD) {
                captchas += get(upstream, 1, "/", "").head().status() == 403 ? 1 : 0;
                assertThat(get(upstream, 0, "/", "").head().status()).isEqualTo(200);
                assertThat(get(upstream, 2, "/", "").head().status()).isEqualTo(200);
            }
        }
        assertThat(captchas).isEqualTo(2);
        assertThat(world.counts().captchas()).isEqualTo(2);
    }

    @Test
    void the_box_office_says_429_once_too_many_come() throws InterruptedException {
        List<Thread> crowd = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            int number = i;
            Thread visitor = new Thread(() -> quietly(number));
            crowd.add(visitor);
            visitor.start();
        }
        for (Thread visitor : crowd) {
            visitor.join();
        }
        // However slowly this machine runs: of 150 visits within t seconds, 60 x (t + 1) at most are served.
        SiteLog.Counts counts = world.counts();
        assertThat(counts.requests()).isEqualTo(150);
        assertThat(counts.tooMany()).isPositive();
    }

    private void quietly(int number) {
        try {
            get(good(0), 2, "/p/" + number, "");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void connect_opens_a_tunnel() throws IOException {
        String authority = world.sites().get(0).url().substring("http://".length());
        Upstream good = good(0);
        try (Socket socket = new Socket(good.address(), good.port())) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            send(socket, "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n");
            assertThat(Http.readHead(in).status()).isEqualTo(200);
            send(socket, "GET /p/9 HTTP/1.1\r\nHost: " + authority + "\r\n\r\n");
            assertThat(Http.readHead(in).status()).isEqualTo(200);
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).contains("news/p/9");
        }
    }

    @Test
    void what_is_no_request_to_a_proxy_is_answered_400() throws IOException {
        for (String line :
                List.of("GET /p/1 HTTP/1.1", "CONNECT nowhere HTTP/1.1", "CONNECT a:b HTTP/1.1", "nonsense")) {
            Upstream good = good(0);
            try (Socket socket = new Socket(good.address(), good.port())) {
                send(socket, line + "\r\n\r\n");
                assertThat(Http.readHead(socket.getInputStream()).status())
                        .as(line)
                        .isEqualTo(400);
            }
        }
    }

    private static void send(Socket socket, String text) throws IOException {
        Http.send(socket.getOutputStream(), text, new byte[0]);
    }

    private Fetcher.Got get(Upstream upstream, int site, String path, String session) throws IOException {
        return FETCHER.get(upstream.line(), world.sites().get(site).url() + path, session);
    }

    private Upstream first(Temper temper) {
        return world.upstreams().stream()
                .filter(upstream -> upstream.temper() == temper)
                .findFirst()
                .orElseThrow();
    }

    private Upstream good(int index) {
        return world.upstreams().stream()
                .filter(upstream -> upstream.temper() == Temper.GOOD)
                .skip(index)
                .findFirst()
                .orElseThrow();
    }
}
