package io.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.paceline.Target;
import io.paceline.testkit.Cases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rows of 4-patterns.jsonl that speak of hosts, patterns and rules; those on YAML are the configuration's. */
class PatternCasesTest {

    static Stream<Named<JsonNode>> matches() {
        return Cases.ofType("4-patterns.jsonl", "match");
    }

    static Stream<Named<JsonNode>> urls() {
        return Cases.ofType("4-patterns.jsonl", "url");
    }

    static Stream<Named<JsonNode>> selections() {
        return Cases.ofType("4-patterns.jsonl", "select");
    }

    @ParameterizedTest
    @MethodSource("matches")
    void a_pattern_covers_exactly_the_urls_of_its_row(JsonNode row) {
        checkMatches(row);
    }

    @ParameterizedTest
    @MethodSource("matches")
    void and_does_so_where_the_language_is_turkish(JsonNode row) {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("tr-TR"));
        try {
            checkMatches(row);
        } finally {
            Locale.setDefault(before);
        }
    }

    private static void checkMatches(JsonNode row) {
        String text = row.get("pattern").asText();
        if (text.equals("*example.com")) {
            // M-S08 leaves the choice: refused, with the pattern that was meant.
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> HostPattern.parse(text))
                    .withMessageContaining("did you mean *.example.com");
            return;
        }
        HostPattern pattern = HostPattern.parse(text);
        assertThat(pattern).hasToString(text);
        for (JsonNode check : row.get("checks")) {
            TargetUrl url = TargetUrl.parse(check.get("url").asText());
            assertThat(pattern.matches(url))
                    .as("%s on %s", text, url)
                    .isEqualTo(check.get("match").asBoolean());
            boolean indexed =
                    !new PatternIndex<>(List.of(pattern), p -> p).matching(url).isEmpty();
            assertThat(indexed)
                    .as("index of %s on %s", text, url)
                    .isEqualTo(check.get("match").asBoolean());
        }
    }

    @ParameterizedTest
    @MethodSource("urls")
    void a_url_is_read_as_its_row_says(JsonNode row) {
        String text = row.get("url").asText();
        List<JsonNode> right = new ArrayList<>();
        JsonNode expect = row.get("expect");
        (expect.has("one_of") ? expect.get("one_of") : List.of(expect)).forEach(right::add);
        assertThat(right).anySatisfy(one -> checkUrl(text, one));
    }

    private static void checkUrl(String text, JsonNode expect) {
        if (expect.path("status").asInt() == 400) {
            assertThatThrownBy(() -> TargetUrl.parse(text)).isInstanceOf(BadTargetException.class);
            return;
        }
        TargetUrl url = TargetUrl.parse(text);
        if (expect.has("rule_host")) {
            assertThat(url.host()).isEqualTo(expect.get("rule_host").asText());
        }
        if (expect.has("target")) {
            assertThat(url.pathAndQuery()).isEqualTo(expect.get("target").asText());
        }
        if (expect.has("bucket_same_as")) {
            TargetUrl other = TargetUrl.parse(expect.get("bucket_same_as").asText());
            assertThat(plan(url)).isEqualTo(plan(other));
        }
    }

    private static Plan plan(TargetUrl url) {
        return RuleBook.empty().plan(url, TargetBook.empty().targetOf(url));
    }

    @ParameterizedTest
    @MethodSource("selections")
    void the_rule_of_the_row_wins(JsonNode row) {
        List<Rule> rules = new ArrayList<>();
        row.get("rules").forEach(rule -> rules.add(rule(rule)));
        for (JsonNode check : row.get("checks")) {
            if (check.has("steps")) {
                checkBucketPerTarget(rules);
                continue;
            }
            TargetUrl url = TargetUrl.parse(check.get("url").asText());
            Target target = TargetBook.empty().targetOf(url);
            for (List<Rule> order : List.of(rules, reversed(rules))) {
                Plan plan = RuleBook.of(order).plan(url, target);
                assertThat(plan.charges()).hasSize(1);
                if (check.has("rule")) {
                    assertThat(plan.charges().get(0).rule())
                            .isEqualTo(check.get("rule").asText());
                }
                if (check.has("bucket")) {
                    assertThat(plan.charges().get(0).key())
                            .endsWith("|" + check.get("bucket").asText());
                }
            }
        }
    }

    /** M-S24: the bucket is the target's, and two hosts of one registrable domain are one target. */
    private static void checkBucketPerTarget(List<Rule> rules) {
        RuleBook book = RuleBook.of(rules);
        TargetUrl a = TargetUrl.parse("http://a.example.com/");
        TargetUrl b = TargetUrl.parse("http://b.example.com/");
        assertThat(book.plan(a, TargetBook.empty().targetOf(a)))
                .isEqualTo(book.plan(b, TargetBook.empty().targetOf(b)));
    }

    private static Rule rule(JsonNode rule) {
        String[] rate = rule.path("limit").asText("10/1m").split("/");
        return Rule.builder(HostPattern.parse(rule.get("pattern").asText()))
                .name(rule.get("id").asText())
                .limit(Integer.parseInt(rate[0]))
                .window(Duration.ofMinutes(1))
                .priority(rule.path("priority").asInt())
                .build();
    }

    private static List<Rule> reversed(List<Rule> rules) {
        List<Rule> reversed = new ArrayList<>(rules);
        java.util.Collections.reverse(reversed);
        return reversed;
    }
}
