package io.paceline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code try robots} and {@code try response}. */
class TryHintsTest {
    @TempDir
    private Path folder;

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("input"), text).toString();
    }

    private static JsonNode json(String... args) throws IOException {
        Run run = Run.of(args);
        assertThat(run.code()).as(run.err()).isZero();
        return new ObjectMapper().readTree(run.out());
    }

    @Test
    void robots_are_shown_with_the_line_that_decides_and_the_delay() throws IOException {
        String robots = file("User-agent: *\nCrawl-delay: 2.5\nDisallow: /a\nAllow: /a/open\n");
        JsonNode seen = json(
                "try", "robots", robots, "--agent", "example-bot", "--json", "https://www.example.com/a/x", "/a/open");

        assertThat(seen.path("crawl_delay").asDouble()).isEqualTo(2.5);
        assertThat(seen.path("checks").get(0).path("allow").asBoolean()).isFalse();
        assertThat(seen.path("checks").get(0).path("line").asInt()).isEqualTo(3);
        assertThat(seen.path("checks").get(1).path("allow").asBoolean()).isTrue();
        assertThat(Run.of("try", "robots", robots, "--agent", "x", "/a").out())
                .contains("disallowed  /a  (line 3: Disallow: /a)")
                .contains("crawl_delay: 2.5 s");
    }

    @Test
    void a_response_is_shown_with_the_wait_that_it_asks_for() throws IOException {
        String response = file("HTTP/1.1 503 Busy\r\nretry-after: Sun, 01 Mar 2026 12:02:00 GMT\r\n\r\nbody: x");
        JsonNode seen = json("try", "response", response, "--now", "2026-03-01T12:00:00Z", "--json");

        assertThat(seen.path("wait_s").asInt()).isEqualTo(120);
        assertThat(seen.path("source").asText()).isEqualTo("Retry-After");
        assertThat(json("try", "response", file("HTTP/2 429\n\n"), "--json")
                        .path("wait")
                        .asText())
                .isEqualTo("backoff");
    }

    @Test
    void a_file_that_is_no_response_is_refused_with_its_line() throws IOException {
        Run run = Run.of("try", "response", file("HTTP/1.1 200 OK\nno field\n\n"));
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains(":2:1: this is no header field");
        assertThat(Run.of("try", "response", file("hello")).err()).contains("status line");
        assertThat(Run.of("try", "response", file("HTTP/1.1 200 OK\n\n"), "--now", "noon")
                        .err())
                .contains("2026-03-01T12:00:00Z");
    }
}
