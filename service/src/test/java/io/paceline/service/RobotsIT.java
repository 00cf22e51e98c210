package io.paceline.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.paceline.service.Site.Reply;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a site's robots.txt says, through a whole service: fetched through an address of the pool, by the site's own rules. */
class RobotsIT {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    private Path folder;

    /** The upstream proxy, and every site behind it. */
    private Site upstream;

    @BeforeEach
    void upstream() throws Exception {
        upstream = new Site();
        upstream.replies = request -> request.path().endsWith("/robots.txt")
                ? Reply.ok("User-agent: *\nDisallow: /private\nCrawl-delay: 3600\n", "Content-Type", "text/plain")
                : new Reply(404, "", List.of());
    }

    @AfterEach
    void close() {
        upstream.close();
    }

    private String yaml(String mode) {
        return """
                pools: [ { name: default, addresses: [ { inline: "%s" } ] } ]
                targets: [ { match: shop.test, robots: %s } ]
                rules: [ { name: open, pattern: "*", limit: 1000, window: 1s } ]
                """.formatted(upstream.url(), mode);
    }

    /** The answer to one acquire. */
    private static HttpResponse<String> acquire(Running running, String path) throws Exception {
        return running.answer("POST", "/acquire", "{\"target\": \"http://shop.test" + path + "\"}");
    }

    private long fetches() {
        return upstream.asked.stream()
                .filter(request -> request.path().equals("http://shop.test/robots.txt"))
                .count();
    }

    private static void release(Running running, HttpResponse<String> granted) throws Exception {
        assertThat(granted.statusCode()).as(granted.body()).isEqualTo(200);
        String lease = MAPPER.readTree(granted.body()).path("lease").asText();
        running.post("/release", "{\"lease\": \"" + lease + "\", \"outcome\": \"success\"}", 200);
    }

    private static HttpResponse<String> through(URI proxy, String url) throws Exception {
        HttpClient client = HttpClient.newBuilder()
                .proxy(ProxySelector.of(new InetSocketAddress(proxy.getHost(), proxy.getPort())))
                .build();
        return client.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void obey_refuses_what_is_disallowed_and_names_the_line_and_paces_by_crawl_delay() throws Exception {
        try (Running running = Running.start(folder, yaml("obey"))) {
            HttpResponse<String> refused = acquire(running, "/private/page");
            JsonNode error = MAPPER.readTree(refused.body());
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(403);
            assertThat(error.toString()).contains("robots_disallowed").contains("Disallow: /private");

            release(running, acquire(running, "/open"));
            HttpResponse<String> soon = acquire(running, "/open");
            assertThat(soon.statusCode()).as(soon.body()).isEqualTo(429);
            assertThat(Optional.of(Long.parseLong(
                            soon.headers().firstValue("retry-after").orElseThrow())))
                    .hasValueSatisfying(wait -> assertThat(wait).isBetween(3_000L, 3_600L));
            assertThat(fetches()).isEqualTo(1);
        }
    }

    @Test
    void delay_only_paces_and_refuses_nothing() throws Exception {
        try (Running running = Running.start(folder, yaml("delay-only"))) {
            release(running, acquire(running, "/private/page"));
            assertThat(acquire(running, "/private/page").statusCode()).isEqualTo(429);
        }
    }

    @Test
    void ignore_asks_nobody_and_a_reload_to_obey_holds_from_the_next_decision() throws Exception {
        try (Running running = Running.start(folder, yaml("ignore"))) {
            release(running, acquire(running, "/private/page"));
            release(running, acquire(running, "/private/page"));
            assertThat(fetches()).isZero();

            running.write(yaml("obey"));
            running.awaitGeneration(2);
            assertThat(acquire(running, "/private/page").statusCode()).isEqualTo(403);
        }
    }

    @Test
    void the_forward_proxy_refuses_alike() throws Exception {
        try (Running running = Running.start(folder, yaml("obey"))) {
            HttpResponse<String> refused =
                    through(URI.create(running.service.proxyUrl()), "http://shop.test/private/page");

            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(403);
            assertThat(refused.headers().firstValue("x-paceline-error")).contains("robots_disallowed");
            assertThat(upstream.asked).noneMatch(request -> request.path().endsWith("/private/page"));
        }
    }
}
