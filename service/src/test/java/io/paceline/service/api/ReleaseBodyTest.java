package io.paceline.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.paceline.Outcome;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ReleaseBodyTest {
    /** 2026-03-01T12:00:00Z. */
    private static final long NOW = 1_772_366_400_000_000L;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'lease': 'l', 'status': 429, 'retry_after': '120'} | 120",
                "{'lease': 'l', 'status': 429, 'retry_after': 120} | 120",
                "{'lease': 'l', 'outcome': 'rate_limited', 'retry_after': 'Sun, 01 Mar 2026 12:02:00 GMT'} | 120",
                "{'lease': 'l', 'outcome': 'rate_limited', 'status': 200, 'retry_after': 7} | 7",
                "{'lease': 'l', 'status': 429, 'headers': {'RETRY-after': '30', 'x': ''}} | 30",
                "{'lease': 'l', 'status': 429, 'headers': {'X-RateLimit-Reset': [1772366490], 'y': null}} | 90",
                "{'lease': 'l', 'status': 200, 'headers': {'RateLimit-Remaining': 0, 'RateLimit-Reset': 9}} | 9",
                "{'lease': 'l', 'outcome': 'success', 'retry_after': '120'} | -1",
                "{'lease': 'l', 'status': 429} | -1"
            })
    void what_the_site_asked_for_comes_with_the_outcome(String json, long seconds) {
        Outcome outcome = read(json.replace('\'', '"')).releases().get(0).outcome();

        assertThat(outcome.hintedWaitMicros()).isEqualTo(seconds < 0 ? -1 : seconds * 1_000_000);
    }

    @Test
    void every_field_of_the_contract_reaches_the_outcome() {
        ReleaseBody body = read("""
                {"lease": "l_1", "outcome": "success", "latency_ms": 180, "status": 200, "bytes": 51200, "retry_after": "120"}""");

        assertThat(body.batch()).isFalse();
        assertThat(body.releases())
                .containsExactly(new ReleaseBody.Release(
                        "l_1", new Outcome(Outcome.Kind.SUCCESS, 180_000, 200, 51_200, false), false));
    }

    @ParameterizedTest
    @EnumSource(Outcome.Kind.class)
    void every_outcome_of_the_contract_is_known(Outcome.Kind kind) {
        ReleaseBody body = read("{\"lease\": \"l\", \"outcome\": \"" + kind.word() + "\"}");

        assertThat(body.releases().get(0).outcome().kind()).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource({
        "200, SUCCESS",
        "204, SUCCESS",
        "301, SUCCESS",
        "304, SUCCESS",
        "101, SUCCESS",
        "400, NEUTRAL",
        "401, NEUTRAL",
        "403, BLOCKED",
        "404, NEUTRAL",
        "407, PROXY_ERROR",
        "408, TIMEOUT",
        "410, NEUTRAL",
        "429, RATE_LIMITED",
        "451, NEUTRAL",
        "500, TARGET_ERROR",
        "502, TARGET_ERROR",
        "503, TARGET_ERROR",
        "504, TARGET_ERROR",
        "999, NEUTRAL"
    })
    void without_an_outcome_the_status_decides(int status, Outcome.Kind kind) {
        ReleaseBody.Release release = read("{\"lease\": \"l\", \"status\": " + status + "}")
                .releases()
                .get(0);

        assertThat(release.outcome().kind()).isEqualTo(kind);
        assertThat(release.classified()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"120\" | RATE_LIMITED",
                "120 | RATE_LIMITED",
                "\" 5 \" | RATE_LIMITED",
                "\"Sun, 01 Mar 2026 12:02:00 GMT\" | RATE_LIMITED",
                "\"soon\" | TARGET_ERROR",
                "\"-5\" | TARGET_ERROR",
                "\"1.5\" | RATE_LIMITED",
                "null | TARGET_ERROR"
            })
    void a_503_asks_for_patience_only_with_a_time_that_can_be_read(String retryAfter, Outcome.Kind kind) {
        ReleaseBody body = read("{\"lease\": \"l\", \"status\": 503, \"retry_after\": " + retryAfter + "}");

        assertThat(body.releases().get(0).outcome().kind()).isEqualTo(kind);
    }

    @Test
    void a_407_says_that_the_upstream_refused_our_credentials() {
        assertThat(read("{\"lease\": \"l\", \"outcome\": \"proxy_error\", \"status\": 407}")
                        .releases()
                        .get(0)
                        .outcome()
                        .authRefused())
                .isTrue();
        assertThat(read("{\"lease\": \"l\", \"outcome\": \"proxy_error\", \"status\": 502}")
                        .releases()
                        .get(0)
                        .outcome()
                        .authRefused())
                .isFalse();
    }

    @Test
    void a_list_keeps_its_order_and_does_not_mix_its_items() {
        ReleaseBody body = read("""
                {"releases": [{"lease": "a", "outcome": "timeout", "bytes": 7}, {"lease": "b", "status": 200}]}""");

        assertThat(body.batch()).isTrue();
        assertThat(body.releases())
                .containsExactly(
                        new ReleaseBody.Release("a", new Outcome(Outcome.Kind.TIMEOUT, -1, 0, 7, false), false),
                        new ReleaseBody.Release("b", new Outcome(Outcome.Kind.SUCCESS, -1, 200, -1, false), true));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | lease | missing",
                "{\"outcome\": \"success\"} | lease | missing",
                "{\"lease\": \"l\"} | outcome | success, connect_error",
                "{\"lease\": \"l\", \"status\": 0} | outcome | missing",
                "{\"lease\": \"l\", \"outcome\": \"succes\"} | outcome | did you mean `success`?",
                "{\"lease\": \"l\", \"outcome\": \"fine\"} | outcome | known are",
                "{\"lease\": \"l\", \"outcome\": \"SUCCESS\"} | outcome | did you mean `success`?",
                "{\"lease\": 5, \"outcome\": \"success\"} | lease | a number",
                "{\"lease\": \"l\", \"outcome\": \"success\", \"latency_ms\": -1} | latency_ms | from 0 to 86400000",
                "{\"lease\": \"l\", \"outcome\": \"success\", \"latency_ms\": \"9\"} | latency_ms | a string",
                "{\"lease\": \"l\", \"outcome\": \"success\", \"status\": 99} | status | from 100",
                "{\"lease\": \"l\", \"outcome\": \"success\", \"status\": 1000} | status | to 999",
                "{\"lease\": \"l\", \"outcome\": \"success\", \"bytes\": -1} | bytes | from 0",
                "{\"lease\": \"l\", \"outcome\": \"success\", \"retry_after\": -1} | retry_after | from 0",
                "{\"lease\": \"l\", \"outcome\": \"success\", \"retry_after\": true} | retry_after | a string",
                "{\"lease\": \"l\", \"outcome\": \"success\", \"latency\": 1} | latency | latency_ms",
                "{\"lease\": \"l\", \"headers\": 5} | headers | a number",
                "{\"lease\": \"l\", \"final_url\": \"x\"} | final_url | not supported",
                "{\"lease\": \"l\", \"body_sample\": \"x\"} | body_sample | not supported",
                "{\"releases\": []} | releases | empty",
                "{\"releases\": {}} | releases | an array",
                "{\"releases\": [1]} | releases[0] | must be an object",
                "{\"releases\": [{\"lease\": \"l\", \"outcome\": \"success\"}, {\"lease\": \"l\"}]} | releases[1].outcome | missing",
                "{\"releases\": [{\"lease\": \"l\", \"outcome\": \"success\", \"releases\": []}]} | releases[0].releases | unknown",
                "{\"releases\": [{\"lease\": \"l\", \"outcome\": \"success\"}], \"lease\": \"l\"} | releases | beside it"
            })
    void a_broken_body_names_the_field_and_the_remedy(String json, String field, String words) {
        HttpProblem problem = catchThrowableOfType(HttpProblem.class, () -> read(json));

        assertThat(problem).as(json).isNotNull();
        assertThat(problem.status()).isEqualTo(400);
        assertThat(problem.field()).isEqualTo(field);
        assertThat(problem.message()).contains(words);
    }

    private static ReleaseBody read(String json) {
        return ReleaseBody.read(json.getBytes(StandardCharsets.UTF_8), NOW);
    }
}
