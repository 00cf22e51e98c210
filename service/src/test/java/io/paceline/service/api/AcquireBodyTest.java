package io.paceline.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.paceline.Request;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AcquireBodyTest {

    @Test
    void every_field_of_the_contract_reaches_the_request() {
        AcquireBody body = read("""
                {"target": "https://www.example.com/p/1", "session": "acct-17", "client_id": "crawler-3",
                 "pool": "default", "tags": {"country": "de", "kind": "mobile"}, "task": "catalogue",
                 "max_wait_ms": 2000, "hold": false, "count": 1, "priority": "low", "lease": false,
                 "on_refusal": "200"}""");

        assertThat(body.request())
                .isEqualTo(Request.builder("https://www.example.com/p/1")
                        .session("acct-17")
                        .clientId("crawler-3")
                        .tenant("shop")
                        .pool("default")
                        .tags(Map.of("country", "de", "kind", "mobile"))
                        .task("catalogue")
                        .maxWait(Duration.ofSeconds(2))
                        .hold(false)
                        .priority(Request.Priority.LOW)
                        .lease(false)
                        .build());
        assertThat(body.refusalAs200()).isTrue();
        assertThat(body.ticket()).isNull();
    }

    @Test
    void a_target_alone_is_enough_and_the_rest_has_the_defaults_of_the_contract() {
        AcquireBody body = read("{\"target\": \"example.com\"}");

        assertThat(body.request())
                .isEqualTo(Request.builder("example.com")
                        .tenant("shop")
                        .clientId("token-name")
                        .hold(Request.Hold.BY_RULE)
                        .build());
        assertThat(body.refusalAs200()).isNull();
    }

    @Test
    void null_is_the_same_as_absent() {
        AcquireBody body = read("""
                {"target": "example.com", "session": null, "max_wait_ms": null, "tags": null, "ticket": null, "hold": null}""");

        assertThat(body.request())
                .isEqualTo(Request.builder("example.com")
                        .tenant("shop")
                        .clientId("token-name")
                        .hold(Request.Hold.BY_RULE)
                        .build());
    }

    @Test
    void a_ticket_comes_alone() {
        AcquireBody body = read("{\"ticket\": \"t_1\", \"on_refusal\": \"status\", \"client_id\": \"c\"}");

        assertThat(body.ticket()).isEqualTo("t_1");
        assertThat(body.request()).isNull();
        assertThat(body.refusalAs200()).isFalse();
    }

    static Stream<Arguments> broken() {
        String deep = "{\"tags\":" + "[".repeat(5_000) + "]".repeat(5_000) + "}";
        return Stream.of(
                row("", "malformed_json", null, "empty"),
                row("   ", "malformed_json", null, "blank"),
                row("[]", "malformed_json", null, "an array"),
                row("\"x\"", "malformed_json", null, "a string"),
                row("null", "malformed_json", null, "null"),
                row("7", "malformed_json", null, "a number"),
                row("{", "malformed_json", null, "line 1"),
                row("{\"target\": \"a\"", "malformed_json", null, "line 1"),
                row("{\"target\": }", "malformed_json", null, "line 1, column 12"),
                row("{\"target\":\n \"a\",}", "malformed_json", null, "line 2"),
                row("{target: \"a\"}", "malformed_json", null, "column 2"),
                row("{'target': 'a'}", "malformed_json", null, "column 2"),
                row("{\"target\": \"a\"} x", "malformed_json", null, "column"),
                row("{\"target\": \"a\"}{\"target\": \"b\"}", "malformed_json", null, "more after"),
                row("{\"target\": \"a\" /* c */}", "malformed_json", null, "column"),
                row("{\"target\": NaN}", "malformed_json", null, "column"),
                row("{\"target\": \"a\tb\"}", "malformed_json", null, "column"),
                row("{\"count\": 01, \"target\": \"a\"}", "malformed_json", null, "column"),
                row("{\"count\": 1" + "0".repeat(60) + "}", "malformed_json", null, "40 digits"),
                row(deep, "invalid_field", "tags", "an array"),
                row("{}", "invalid_field", "target", "missing"),
                row("{\"target\": \"\"}", "invalid_field", "target", "empty"),
                row("{\"target\": 7}", "invalid_field", "target", "a number"),
                row("{\"target\": [\"a\"]}", "invalid_field", "target", "an array"),
                row("{\"target\": {\"a\": 1}}", "invalid_field", "target", "an object"),
                row("{\"target\": true}", "invalid_field", "target", "true or false"),
                row("{\"target\": null}", "invalid_field", "target", "missing"),
                row("{\"target\": \"a\\u0000b\"}", "invalid_field", "target", "U+0000"),
                row("{\"target\": \"a\\r\\nb\"}", "invalid_field", "target", "U+000D"),
                row("{\"target\": \"a\\ud800b\"}", "invalid_field", "target", "U+D800"),
                row("{\"target\": \"" + "a".repeat(9_000) + "\"}", "invalid_field", "target", "at most 8192"),
                row("{\"target\": \"a\", \"target\": \"b\"}", "invalid_field", "target", "twice"),
                row("{\"target\": \"a\", \"sesion\": \"b\"}", "invalid_field", "sesion", "did you mean `session`?"),
                row("{\"target\": \"a\", \"maxWaitMs\": 1}", "invalid_field", "maxWaitMs", "`max_wait_ms`"),
                row("{\"url\": \"a\"}", "invalid_field", "url", "known are target"),
                row("{\"target\": \"a\", \"Target\": null}", "invalid_field", "Target", "`target`"),
                row("{\"target\": \"a\", \"max_wait_ms\": -1}", "invalid_field", "max_wait_ms", "from 0 to"),
                row("{\"target\": \"a\", \"max_wait_ms\": 3600001}", "invalid_field", "max_wait_ms", "to 3600000"),
                row("{\"target\": \"a\", \"max_wait_ms\": 1.5}", "invalid_field", "max_wait_ms", "a fraction"),
                row("{\"target\": \"a\", \"max_wait_ms\": 1e3}", "invalid_field", "max_wait_ms", "whole number"),
                row("{\"target\": \"a\", \"max_wait_ms\": \"5\"}", "invalid_field", "max_wait_ms", "a string"),
                row(
                        "{\"target\": \"a\", \"max_wait_ms\": 99999999999999999999}",
                        "invalid_field",
                        "max_wait_ms",
                        "9999"),
                row("{\"target\": \"a\", \"count\": 0}", "invalid_field", "count", "from 1"),
                row("{\"target\": \"a\", \"count\": 1001}", "invalid_field", "count", "to 1000"),
                row("{\"target\": \"a\", \"count\": 2, \"session\": \"s\"}", "invalid_field", "count", "session"),
                row("{\"target\": \"a\", \"hold\": \"true\"}", "invalid_field", "hold", "without quotes"),
                row("{\"target\": \"a\", \"hold\": 1}", "invalid_field", "hold", "true or false"),
                row("{\"target\": \"a\", \"lease\": \"l_x\"}", "invalid_field", "lease", "true or false"),
                row("{\"target\": \"a\", \"tags\": []}", "invalid_field", "tags", "an object like"),
                row("{\"target\": \"a\", \"tags\": {\"country\": 1}}", "invalid_field", "tags.country", "a number"),
                row("{\"target\": \"a\", \"tags\": {\"a\": {\"b\": 1}}}", "invalid_field", "tags.a", "an object"),
                row("{\"target\": \"a\", \"tags\": {\"a\": \"x\", \"a\": \"y\"}}", "invalid_field", "tags.a", "twice"),
                row("{\"target\": \"a\", \"tags\": {\"\": \"x\"}}", "invalid_field", "tags", "from 1"),
                row("{\"target\": \"a\", \"tags\": {" + manyTags() + "}}", "invalid_field", "tags", "more than 16"),
                row("{\"target\": \"a\", \"session\": \"\"}", "invalid_field", "session", "leave it out"),
                row("{\"target\": \"a\", \"session\": \"" + "s".repeat(257) + "\"}", "invalid_field", "session", "256"),
                row(
                        "{\"target\": \"a\", \"priority\": \"urgent\"}",
                        "invalid_field",
                        "priority",
                        "\"low\", \"normal\" or"),
                row("{\"target\": \"a\", \"on_refusal\": \"201\"}", "invalid_field", "on_refusal", "\"status\""),
                row("{\"target\": \"a\", \"on_refusal\": 200}", "invalid_field", "on_refusal", "in quotes"),
                row("{\"target\": \"a\", \"callback\": \"https://x\"}", "not_supported", "callback", "not supported"),
                row("{\"target\": \"a\", \"deliver_to\": \"s\"}", "not_supported", "deliver_to", "not supported"),
                row("{\"ticket\": \"t\", \"target\": \"a\"}", "invalid_field", "ticket", "`target`"),
                row("{\"ticket\": \"t\", \"session\": \"a\"}", "invalid_field", "ticket", "`session`"));
    }

    @ParameterizedTest
    @MethodSource("broken")
    void a_broken_body_is_answered_400_with_the_field_and_the_remedy(
            String json, String code, String field, String words) {
        HttpProblem problem = catchThrowableOfType(HttpProblem.class, () -> read(json));

        assertThat(problem).as(json.length() < 200 ? json : "long").isNotNull();
        assertThat(problem.status()).isEqualTo(400);
        assertThat(problem.code()).isEqualTo(code);
        assertThat(problem.field()).isEqualTo(field);
        assertThat(problem.message()).contains(words).hasSizeLessThan(500);
    }

    @Test
    void octets_that_are_no_utf_8_are_malformed() {
        byte[] latin1 = "{\"target\": \"b\u00fccher.example\"}".getBytes(StandardCharsets.ISO_8859_1);

        assertThatThrownBy(() -> AcquireBody.read(latin1, "", ""))
                .isInstanceOfSatisfying(
                        HttpProblem.class, problem -> assertThat(problem.code()).isEqualTo("malformed_json"));
    }

    private static Arguments row(String json, String code, String field, String words) {
        return Arguments.of(json, code, field, words);
    }

    private static String manyTags() {
        StringBuilder tags = new StringBuilder("\"t\": \"v\"");
        for (int i = 0; i < 20; i++) {
            tags.append(", \"t").append(i).append("\": \"v\"");
        }
        return tags.toString();
    }

    private static AcquireBody read(String json) {
        return AcquireBody.read(json.getBytes(StandardCharsets.UTF_8), "shop", "token-name");
    }
}
