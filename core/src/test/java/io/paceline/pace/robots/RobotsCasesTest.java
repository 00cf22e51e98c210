package io.paceline.pace.robots;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.paceline.pace.TargetUrl;
import io.paceline.pace.hint.FieldValues;
import io.paceline.testkit.Cases;
import io.paceline.testkit.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of 3-robots.jsonl, those of level "policy" by what docs/hints.md says of them. */
class RobotsCasesTest {

    static Stream<Named<JsonNode>> contents() {
        return Cases.ofType("3-robots.jsonl", "content");
    }

    static Stream<Named<JsonNode>> fetches() {
        return Cases.ofType("3-robots.jsonl", "http");
    }

    @ParameterizedTest
    @MethodSource("contents")
    void a_file_allows_exactly_what_its_row_says(JsonNode row) {
        byte[] octets = row.has("robots_b64")
                ? Base64.getDecoder().decode(row.get("robots_b64").asText())
                : row.get("robots").asText().getBytes(StandardCharsets.UTF_8);
        Robots robots = Robots.parse(octets, row.get("agent").asText());
        for (JsonNode check : row.get("checks")) {
            RobotsVerdict verdict = robots.check(check.get("path").asText());
            assertThat(verdict.allowed())
                    .as("%s: %s", check, verdict)
                    .isEqualTo(check.get("allow").asBoolean());
        }
        if (row.has("crawl_delay")) {
            checkDelay(robots, row.get("crawl_delay"));
        }
        if (row.has("effective_delay")) {
            Duration minimum =
                    Duration.ofSeconds(row.get("configured_min_delay").asLong());
            Duration delay = robots.crawlDelay().orElse(Duration.ZERO);
            assertThat(delay.compareTo(minimum) > 0 ? delay : minimum)
                    .isEqualTo(Duration.ofSeconds(row.get("effective_delay").asLong()));
        }
        assertThat(robots.unreadable()).isEqualTo(row.has("flag"));
    }

    private static void checkDelay(Robots robots, JsonNode expected) {
        Double seconds = robots.crawlDelay().map(delay -> delay.toNanos() / 1e9).orElse(null);
        if (expected.isObject()) {
            // Of a choice the first: obeyed as it stands.
            assertThat(seconds).isEqualTo(expected.get("one_of").get(0).asDouble());
        } else {
            assertThat(seconds).isEqualTo(expected.isNull() ? null : expected.asDouble());
        }
    }

    @ParameterizedTest
    @MethodSource("fetches")
    void an_answer_to_the_fetch_means_what_its_row_says(JsonNode row) {
        List<String> asked = new ArrayList<>();
        VirtualTime time = new VirtualTime();
        RobotsBook book = new RobotsBook(url -> answer(row, url, asked), "example-bot", false, time);
        for (JsonNode check : row.get("checks")) {
            if (check.get("allow").isTextual()) {
                continue; // another site: see below that its own file is asked for
            }
            TargetUrl url = TargetUrl.parse(check.get("url").asText());
            boolean allowed = state(book, url).check(url.pathAndQuery()).allowed();
            boolean right =
                    !check.get("allow").isBoolean() || check.get("allow").asBoolean();
            assertThat(allowed).as("%s", check).isEqualTo(right);
        }
        row.path("must_not_connect").forEach(host -> assertThat(asked).noneMatch(url -> url.contains(host.asText())));
        row.get("checks").forEach(check -> checkOwnFile(book, check, asked));
        checkRetry(row, book, asked, time);
    }

    private static void checkOwnFile(RobotsBook book, JsonNode check, List<String> asked) {
        if (check.get("allow").isTextual()) {
            state(book, TargetUrl.parse(check.get("url").asText()));
            assertThat(check.get("allow").asText()).contains(asked.get(asked.size() - 1));
        }
    }

    private static void checkRetry(JsonNode row, RobotsBook book, List<String> asked, VirtualTime time) {
        TargetUrl url = TargetUrl.parse(row.get("checks").get(0).get("url").asText());
        long[] within = {24 * 3_600, 24 * 3_600};
        if (row.has("next_robots_fetch_after_s")) {
            within[0] = row.get("next_robots_fetch_after_s").asLong();
            within[1] = within[0];
        } else if (row.has("retry_within_s")) {
            within[0] = row.get("retry_within_s").get(0).asLong();
            within[1] = row.get("retry_within_s").get(1).asLong();
        } else if (!state(book, url).open()) {
            return;
        }
        int before = asked.size();
        time.advance(Duration.ofSeconds(within[0] - 1));
        state(book, url);
        assertThat(asked).as("kept for so long").hasSize(before);
        time.advance(Duration.ofSeconds(within[1] - within[0] + 1));
        state(book, url);
        assertThat(asked.size()).as("and then asked again").isGreaterThan(before);
    }

    private static RobotsState state(RobotsBook book, TargetUrl url) {
        return book.of(url).toCompletableFuture().join();
    }

    private static CompletionStage<RobotsSource.Reply> answer(JsonNode row, TargetUrl url, List<String> asked) {
        String text = url.scheme() + "://" + url.authority() + url.pathAndQuery();
        asked.add(text);
        for (JsonNode fetch : row.get("fetches")) {
            if (fetch.get("url").asText().equals(text)) {
                if (fetch.has("error")) {
                    return CompletableFuture.failedStage(
                            new IllegalStateException(fetch.get("error").asText()));
                }
                List<Map.Entry<String, String>> fields = new ArrayList<>();
                fetch.path("headers")
                        .properties()
                        .forEach(field -> fields.add(
                                Map.entry(field.getKey(), field.getValue().asText())));
                return CompletableFuture.completedStage(new RobotsSource.Reply(
                        fetch.get("status").asInt(),
                        FieldValues.of(fields),
                        fetch.path("body").asText().getBytes(StandardCharsets.UTF_8)));
            }
        }
        return CompletableFuture.completedStage(new RobotsSource.Reply(404, FieldValues.NONE, new byte[0]));
    }
}
