package io.paceline.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.paceline.Decision;
import io.paceline.Lease;
import io.paceline.Order;
import io.paceline.Outcome;
import io.paceline.Reason;
import io.paceline.Request;
import io.paceline.SettleResult;
import io.paceline.Target;
import io.paceline.service.config.TokenConfig.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of the permit API, over real sockets. */
class PermitApiIT {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String TARGET = "{\"target\": \"https://www.example.com/p/1\"}";

    private TestApi api;

    @BeforeEach
    void start() {
        api = new TestApi(TestApi.settings());
    }

    @AfterEach
    void stop() {
        api.close();
    }

    @Test
    void a_granted_permit_has_the_form_of_the_contract() {
        Wire.Answer answer = Wire.post(api.port, "/acquire", TARGET);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers())
                .containsEntry("content-type", "application/json")
                .containsEntry("cache-control", "no-store");
        JsonNode json = json(answer);
        assertThat(json.get("allowed").booleanValue()).isTrue();
        assertThat(TestApi.TOKENS.read(json.get("lease").textValue())).isPresent();
        assertThat(json.get("proxy").textValue()).isEqualTo("http://user:hunter2@198.51.100.7:8080");
        assertThat(json.get("address").textValue()).isEqualTo("a17");
        assertThat(json.get("target").textValue()).isEqualTo("example.com");
        assertThat(json.get("wait_seconds").toString()).isEqualTo("0");
        assertThat(json.get("use_by").textValue()).isEqualTo("2026-03-01T12:01:00Z");
        assertThat(json.get("expires_in").toString()).isEqualTo("60");
        assertThat(json.get("suggested_headers").toString())
                .as("the address stands in Germany")
                .isEqualTo("{\"Accept-Language\":\"de-DE,de;q=0.9,en;q=0.8\"}");
    }

    @Test
    void a_permit_that_needs_no_release_has_no_lease() {
        JsonNode json = json(Wire.post(api.port, "/acquire", "{\"target\": \"example.com\", \"lease\": false}"));

        assertThat(json.get("allowed").booleanValue()).isTrue();
        assertThat(json.get("lease").isNull()).isTrue();
    }

    @Test
    void several_permits_come_as_a_list() {
        JsonNode json = json(Wire.post(api.port, "/acquire", "{\"target\": \"example.com\", \"count\": 3}"));

        assertThat(json.get("allowed").booleanValue()).isTrue();
        assertThat(json.get("permits")).hasSize(3);
        assertThat(json.get("permits").get(2).get("lease").textValue()).startsWith("l_");
    }

    @Test
    void a_ticket_comes_with_its_wait_rounded_up_and_is_redeemed() {
        api.gatekeeper.onAcquire = request -> FakeGatekeeper.done(new Decision.Reserved(
                "t_1", FakeGatekeeper.NOW + 1_500_001, FakeGatekeeper.NOW + 31_000_000, "example-com"));

        JsonNode reserved = json(Wire.post(api.port, "/acquire", "{\"target\": \"example.com\", \"hold\": false}"));
        assertThat(reserved.toString())
                .isEqualTo("{\"allowed\":true,\"ticket\":\"t_1\",\"wait_seconds\":1.501,"
                        + "\"use_by\":\"2026-03-01T12:00:31Z\",\"rule\":\"example-com\"}");

        JsonNode redeemed = json(Wire.post(api.port, "/acquire", "{\"ticket\": \"t_1\"}"));
        assertThat(redeemed.get("lease").textValue()).startsWith("l_");
        assertThat(api.gatekeeper.said).containsExactly("redeem t_1");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "RATE_LIMITED, 1999999, 429, 2, 2",
                "RATE_LIMITED, 1, 429, 0.001, 1",
                "QUOTA_EXCEEDED, 1000000, 429, 1, 1",
                "COST_ABOVE_LIMIT, -1, 400, null, -",
                "QUEUE_FULL, 1000000, 429, 1, 1",
                "NO_ADDRESS, 250000, 503, 0.25, 1",
                "NO_ADDRESS, -1, 503, null, -",
                "STORE_UNAVAILABLE, 1000000, 503, 1, 1",
                "SESSION_PAUSED, 61000000, 409, 61, 61",
                "SESSION_ENDED, -1, 409, null, -",
                "TICKET_EXPIRED, -1, 409, null, -"
            })
    void refusals_have_their_code_reason_and_exact_wait(
            Reason reason, long waitMicros, int status, String waitSeconds, String retryAfter) {
        api.gatekeeper.onAcquire =
                request -> FakeGatekeeper.done(new Decision.Refused(reason, waitMicros, "example-com", "Come back."));

        Wire.Answer answer = Wire.post(api.port, "/acquire", TARGET);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.body())
                .isEqualTo("{\"allowed\":false,\"reason\":\"" + reason.word() + "\",\"wait_seconds\":" + waitSeconds
                        + ",\"rule\":\"example-com\",\"message\":\"Come back.\"}");
        assertThat(answer.headers().get("retry-after")).isEqualTo(retryAfter);
    }

    @Test
    void a_client_that_cannot_handle_429_gets_its_refusals_as_200() {
        api.gatekeeper.onAcquire =
                request -> FakeGatekeeper.done(new Decision.Refused(Reason.RATE_LIMITED, 5, null, "Wait."));

        Wire.Answer answer = Wire.post(api.port, "/acquire", "{\"target\": \"a.example\", \"on_refusal\": \"200\"}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(json(answer).get("allowed").booleanValue()).isFalse();
        assertThat(json(answer).get("reason").textValue()).isEqualTo("rate_limited");
    }

    @Test
    void the_server_can_be_set_so_for_all_and_a_request_can_ask_otherwise() {
        api.close();
        api = new TestApi(new ApiSettings("127.0.0.1", 0, true, false, new TokenBook(java.util.List.of())));
        api.gatekeeper.onAcquire =
                request -> FakeGatekeeper.done(new Decision.Refused(Reason.RATE_LIMITED, 5, null, "Wait."));

        assertThat(Wire.post(api.port, "/acquire", TARGET).status()).isEqualTo(200);
        assertThat(Wire.post(api.port, "/acquire", "{\"target\": \"a.example\", \"on_refusal\": \"status\"}")
                        .status())
                .isEqualTo(429);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1/",
                "http://localhost:8080/",
                "http://[::1]/",
                "http://10.0.0.1/x",
                "http://169.254.169.254/latest/meta-data",
                "http://2130706433/",
                "http://[::ffff:192.168.0.1]/"
            })
    void private_targets_are_forbidden_before_anything_is_asked(String target) {
        Wire.Answer answer = Wire.post(api.port, "/acquire", "{\"target\": \"" + target + "\"}");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(json(answer).get("allowed").booleanValue()).isFalse();
        assertThat(json(answer).get("reason").textValue()).isEqualTo("target_forbidden");
        assertThat(json(answer).get("wait_seconds").isNull()).isTrue();
        assertThat(api.gatekeeper.requests).isEmpty();
    }

    @Test
    void private_targets_pass_where_the_operator_allows_them() {
        api.close();
        api = new TestApi(new ApiSettings("127.0.0.1", 0, false, true, new TokenBook(java.util.List.of())));

        assertThat(Wire.post(api.port, "/acquire", "{\"target\": \"http://127.0.0.1/\"}")
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http:///a", "ftp://example.com/", "http://example.com:99999/", "http://a b/", "http://ex..com/"
            })
    void a_target_that_is_none_is_400(String target) {
        Wire.Answer answer = Wire.post(api.port, "/acquire", "{\"target\": \"" + target + "\"}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(json(answer).at("/error/field").textValue()).isEqualTo("target");
    }

    @Test
    void an_unknown_pool_is_400() {
        Wire.Answer answer = Wire.post(api.port, "/acquire", "{\"target\": \"example.com\", \"pool\": \"x\"}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(json(answer).at("/error/field").textValue()).isEqualTo("pool");
    }

    @Test
    void release_reaches_the_gatekeeper_and_tells_what_became_of_it() {
        String lease = acquire();

        assertThat(Wire.post(api.port, "/release", "{\"lease\": \"" + lease + "\", \"outcome\": \"captcha\"}")
                        .body())
                .isEqualTo("{\"released\":true}");
        assertThat(api.gatekeeper.outcomes).containsExactly(Outcome.of(Outcome.Kind.CAPTCHA));
        assertThat(Wire.post(api.port, "/release", "{\"lease\": \"" + lease + "\", \"status\": 403}")
                        .body())
                .isEqualTo("{\"released\":true,\"outcome\":\"blocked\"}");

        api.gatekeeper.onSettle = SettleResult.ALREADY_RELEASED;
        Wire.Answer second =
                Wire.post(api.port, "/release", "{\"lease\": \"" + lease + "\", \"outcome\": \"success\"}");
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.body()).isEqualTo("{\"released\":false,\"reason\":\"already_released\"}");
    }

    @Test
    void a_forged_lease_is_unknown_and_never_reaches_the_gatekeeper() {
        assertThat(Wire.post(api.port, "/release", "{\"lease\": \"l_forged\", \"outcome\": \"success\"}")
                        .body())
                .isEqualTo("{\"released\":false,\"reason\":\"unknown\"}");
        assertThat(api.gatekeeper.outcomes).isEmpty();
    }

    @Test
    void many_leases_are_released_at_once_in_order_and_a_broken_list_releases_none() {
        String item = "{\"lease\": \"" + acquire() + "\", \"outcome\": \"success\"}";

        assertThat(Wire.post(
                                api.port,
                                "/release",
                                "{\"releases\": [" + item + ", {\"lease\": \"l_x\", \"outcome\": \"success\"}]}")
                        .body())
                .isEqualTo("{\"results\":[{\"released\":true},{\"released\":false,\"reason\":\"unknown\"}]}");
        assertThat(api.gatekeeper.outcomes).hasSize(1);

        Wire.Answer broken = Wire.post(api.port, "/release", "{\"releases\": [" + item + ", {\"lease\": \"l_x\"}]}");
        assertThat(broken.status()).isEqualTo(400);
        assertThat(json(broken).at("/error/field").textValue()).isEqualTo("releases[1].outcome");
        assertThat(api.gatekeeper.outcomes).hasSize(1);
    }

    @Test
    void renew_tells_the_new_end() {
        String lease = acquire();

        assertThat(Wire.post(api.port, "/renew", "{\"lease\": \"" + lease + "\"}")
                        .body())
                .isEqualTo("{\"renewed\":true,\"use_by\":\"2026-03-01T12:01:30Z\",\"expires_in\":90}");
        assertThat(Wire.post(api.port, "/renew", "{\"lease\": \"" + acquire() + "\"}")
                        .body())
                .isEqualTo("{\"renewed\":false,\"reason\":\"gone\"}");
        assertThat(Wire.post(api.port, "/renew", "{\"lease\": \"l_x\"}").body())
                .isEqualTo("{\"renewed\":false,\"reason\":\"unknown\"}");
        assertThat(Wire.post(api.port, "/renew", "{}").status()).isEqualTo(400);
    }

    @Test
    void a_ticket_can_be_given_back() {
        assertThat(Wire.call(api.port, "DELETE", "/tickets/t_1").body()).isEqualTo("{\"canceled\":true}");
        assertThat(Wire.call(api.port, "DELETE", "/tickets/t_2").body()).isEqualTo("{\"canceled\":false}");
    }

    @Test
    void a_session_is_sent_to_another_address() {
        assertThat(Wire.call(api.port, "POST", "/sessions/known/repin?pool=default")
                        .body())
                .isEqualTo("{\"repinned\":true}");
        assertThat(Wire.call(api.port, "POST", "/sessions/other/repin").body()).isEqualTo("{\"repinned\":false}");
        assertThat(api.gatekeeper.said).containsExactly("repin  default known", "repin  null other");
    }

    @Test
    void a_permit_tells_of_a_session_that_has_moved_and_names_the_pool_that_serves() {
        JsonNode moved = json(
                Wire.post(api.port, "/acquire", "{\"target\": \"https://www.example.com/\", \"session\": \"moved\"}"));
        assertThat(moved.get("session_migrated").booleanValue()).isTrue();
        assertThat(moved.get("pool").textValue()).isEqualTo("default");
        assertThat(json(Wire.post(api.port, "/acquire", TARGET)).has("session_migrated"))
                .isFalse();
    }

    @Test
    void sessions_are_listed_by_pages_under_pseudonyms() {
        JsonNode first = json(Wire.call(api.port, "GET", "/api/sessions?pool=default&per_page=1"));
        assertThat(first.get("sessions").toString())
                .isEqualTo("[{\"session\":\"~0123456789ab\",\"state\":\"bound\",\"pool\":\"spare\",\"address\":\"a17\","
                        + "\"leases\":2,\"expires_at\":\"2026-03-01T12:00:00Z\"}]");
        assertThat(first.get("next").intValue()).isEqualTo(7);
        assertThat(json(Wire.call(api.port, "GET", "/api/sessions?from=7"))
                        .get("next")
                        .isNull())
                .isTrue();
        assertThat(Wire.call(api.port, "GET", "/api/sessions?pool=x").status()).isEqualTo(400);
        assertThat(Wire.call(api.port, "GET", "/api/sessions?from=-1").status()).isEqualTo(400);
    }

    @Test
    void a_session_ends_by_its_decoded_key() {
        assertThat(Wire.call(api.port, "POST", "/sessions/acct%2F1+7%C3%BC/end?pool=default")
                        .body())
                .isEqualTo("{\"ended\":true}");
        assertThat(api.gatekeeper.said).containsExactly("endSession /default/acct/1+7\u00fc");
        assertThat(Wire.call(api.port, "POST", "/sessions/other/end").body()).isEqualTo("{\"ended\":false}");
        assertThat(Wire.call(api.port, "POST", "/sessions/a%zz/end").status()).isEqualTo(400);
        assertThat(Wire.call(api.port, "POST", "/sessions/a/end?pool=x").status())
                .isEqualTo(400);
        assertThat(Wire.call(api.port, "POST", "/sessions//end").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "{\"address\": \"a17\", \"status\": \"bad\"} | 200 | report a17 null false",
                "{\"proxy\": \"198.51.100.7:8080\", \"status\": \"good\", \"target\": \"a.example\"} | 200 | report a17 a.example true",
                "{\"address\": \"zz\", \"status\": \"bad\"} | 404 | report zz null false",
                "{\"proxy\": \"192.0.2.1:1\", \"status\": \"bad\"} | 404 | -",
                "{\"proxy\": \"gw.example:8000\", \"status\": \"bad\"} | 400 | -",
                "{\"proxy\": \"nonsense\", \"status\": \"bad\"} | 400 | -",
                "{\"address\": \"a17\", \"proxy\": \"x:1\", \"status\": \"bad\"} | 400 | -",
                "{\"status\": \"bad\"} | 400 | -",
                "{\"address\": \"a17\"} | 400 | -",
                "{\"address\": \"a17\", \"status\": \"dead\"} | 400 | -"
            })
    void a_report_is_by_id_or_by_proxy(String json, int status, String said) {
        assertThat(Wire.post(api.port, "/proxy/report", json).status()).isEqualTo(status);
        if (said == null) {
            assertThat(api.gatekeeper.said).isEmpty();
        } else {
            assertThat(api.gatekeeper.said).containsExactly(said);
        }
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, 415",
                "text/plain, 415",
                "application/x-www-form-urlencoded, 415",
                "application/json; charset=latin1, 415",
                "application/jsonp, 415",
                "application/json, 200",
                "'application/json; charset=UTF-8', 200",
                "'Application/JSON;charset=\"utf-8\"', 200"
            })
    void the_body_must_be_json(String contentType, int status) {
        byte[] body = TARGET.getBytes(StandardCharsets.UTF_8);
        String head = "POST /acquire HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: " + body.length
                + "\r\n" + (contentType == null ? "" : "content-type: " + contentType + "\r\n") + "\r\n";

        Wire.Answer answer = Wire.send(api.port, head, body);

        assertThat(answer.status()).isEqualTo(status);
        if (status == 415) {
            assertThat(json(answer).at("/error/message").textValue()).containsIgnoringCase("json");
        }
    }

    @Test
    void a_compressed_body_is_415_and_one_in_utf_16_is_400() {
        String head = "POST /acquire HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";

        Wire.Answer compressed = Wire.send(
                api.port,
                head + "connection: close\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\n",
                new byte[] {0x1f, (byte) 0x8b});
        assertThat(compressed.status()).isEqualTo(415);
        assertThat(json(compressed).at("/error/message").textValue()).contains("gzip");

        byte[] wide = TARGET.getBytes(StandardCharsets.UTF_16);
        Wire.Answer utf16 =
                Wire.send(api.port, head + "connection: close\r\ncontent-length: " + wide.length + "\r\n\r\n", wide);
        assertThat(utf16.status()).isEqualTo(400);
        assertThat(json(utf16).at("/error/message").textValue()).contains("UTF-16");
    }

    @Test
    void an_error_in_json_is_told_without_hints_for_programmers() {
        Wire.Answer answer = Wire.post(api.port, "/acquire", "{\"target\": \"example.com\", \"count\": NaN}");

        assertThat(json(answer).at("/error/message").textValue()).endsWith("Non-standard token 'NaN'");
    }

    @Test
    void a_body_past_its_bound_is_413_whether_it_says_so_or_not() {
        String tail = "connection: close\r\ncontent-type: application/json\r\nhost: localhost\r\n";
        byte[] big = new byte[70 * 1024];

        Wire.Answer declared = Wire.send(
                api.port, "POST /acquire HTTP/1.1\r\n" + tail + "content-length: 10000000\r\n\r\n", new byte[0]);
        assertThat(declared.status()).isEqualTo(413);
        assertThat(json(declared).at("/error/code").textValue()).isEqualTo("body_too_large");

        Wire.Answer chunked = Wire.send(
                api.port,
                "POST /acquire HTTP/1.1\r\n" + tail + "transfer-encoding: chunked\r\n\r\n"
                        + Integer.toHexString(big.length) + "\r\n",
                big);
        assertThat(chunked.status()).isEqualTo(413);
        assertThat(chunked.headers()).containsEntry("connection", "close");
    }

    @Test
    void a_batch_of_releases_may_be_longer() {
        StringBuilder list = new StringBuilder();
        for (int i = 0; i < 3_000; i++) {
            list.append(i == 0 ? "" : ",").append("{\"lease\": \"l_x\", \"outcome\": \"success\"}");
        }

        Wire.Answer answer = Wire.post(api.port, "/release", "{\"releases\": [" + list + "]}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(json(answer).get("results")).hasSize(3_000);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /acquire, 405, POST",
        "PUT, /release, 405, POST",
        "GET, /tickets/t_1, 405, DELETE",
        "POST, /livez, 405, 'GET, HEAD'",
        "OPTIONS, /, 405, 'GET, HEAD'"
    })
    void another_method_is_405_with_the_right_ones(String method, String path, int status, String allow) {
        Wire.Answer answer = Wire.call(api.port, method, path);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.headers()).containsEntry("allow", allow);
        assertThat(json(answer).at("/error/code").textValue()).isEqualTo("method_not_allowed");
    }

    @Test
    void an_unknown_path_is_404_in_json_and_names_the_nearest() {
        Wire.Answer answer = Wire.call(api.port, "POST", "/aquire");

        assertThat(answer.status()).isEqualTo(404);
        assertThat(json(answer).at("/error/message").textValue()).contains("did you mean /acquire?");
        assertThat(Wire.call(api.port, "GET", "/%00%ff/../x").status()).isEqualTo(404);
    }

    @Test
    void what_is_no_http_is_answered_in_json_too() {
        assertThat(Wire.send(
                                api.port,
                                "GET / HTTP/1.1\r\nhost: a b\r\nx: " + "y".repeat(40_000) + "\r\n\r\n",
                                new byte[0])
                        .status())
                .isEqualTo(431);
        assertThat(Wire.send(api.port, "GET /" + "y".repeat(40_000) + " HTTP/1.1\r\n\r\n", new byte[0])
                        .status())
                .isEqualTo(414);
        Wire.Answer garbage = Wire.send(api.port, "\u0016\u0003\u0001 hello\r\n\r\n", new byte[0]);
        assertThat(garbage.status()).isEqualTo(400);
        assertThat(json(garbage).at("/error/code").textValue()).isEqualTo("malformed_http");
    }

    @Test
    void a_foreign_web_page_finds_no_door() {
        assertThat(Wire.post(api.port, "/acquire", TARGET, "host: evil.example").status())
                .isEqualTo(403);
        assertThat(Wire.post(api.port, "/acquire", TARGET, "origin: http://evil.example")
                        .status())
                .isEqualTo(403);
        assertThat(Wire.call(api.port, "GET", "/api/addresses", "host: evil.example")
                        .status())
                .isEqualTo(403);
        assertThat(api.gatekeeper.requests).isEmpty();
    }

    @Test
    void a_call_is_answered_on_its_event_loop_whatever_thread_decides() {
        CompletableFuture<Decision> later = new CompletableFuture<>();
        api.gatekeeper.onAcquire = request -> later;
        CompletableFuture<Wire.Answer> answer =
                CompletableFuture.supplyAsync(() -> Wire.post(api.port, "/acquire", TARGET));
        await(() -> api.server.running() == 1);

        later.complete(api.gatekeeper.grant(io.paceline.Request.to("example.com")));

        assertThat(answer.join().status()).isEqualTo(200);
        await(() -> api.server.running() == 0);
    }

    @Test
    void a_caller_that_hangs_up_while_it_waits_leaves_no_lease_behind() throws IOException {
        CompletableFuture<Decision> later = new CompletableFuture<>();
        api.gatekeeper.onAcquire = request -> later;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port)) {
            socket.getOutputStream()
                    .write(("POST /acquire HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
                                    + "content-length: " + TARGET.length() + "\r\n\r\n" + TARGET)
                            .getBytes(StandardCharsets.UTF_8));
            await(() -> api.server.running() == 1);
        }
        // The close and the decision are two events: the server must have seen the first. Its loops take turns, so that
        // after
        // some rounds each of them has read what had arrived before.
        for (int i = 0; i < 30; i++) {
            Wire.call(api.port, "GET", "/livez");
        }

        later.complete(api.gatekeeper.grant(io.paceline.Request.to("example.com")));

        await(() -> api.server.running() == 0);
        await(() -> api.gatekeeper.outcomes.contains(Outcome.of(Outcome.Kind.CANCELED)));
    }

    @Test
    void a_failure_inside_is_500_without_its_text() {
        api.gatekeeper.onAcquire = request -> CompletableFuture.failedFuture(new IllegalStateException("hunter2"));

        Wire.Answer answer = Wire.post(api.port, "/acquire", TARGET);

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.body()).doesNotContain("hunter2").contains("\"internal\"");
    }

    @Test
    void tokens_decide_who_may_do_what() {
        api.close();
        api = new TestApi(TestApi.settings(
                ApiToken.of("crawlers", "c", "shop", Role.CLIENT), ApiToken.of("grafana", "v", "", Role.VIEWER)));

        Wire.Answer none = Wire.post(api.port, "/acquire", TARGET);
        assertThat(none.status()).isEqualTo(401);
        assertThat(none.headers().get("www-authenticate")).startsWith("Bearer");
        assertThat(Wire.post(api.port, "/acquire", TARGET, "authorization: Bearer x")
                        .status())
                .isEqualTo(401);
        assertThat(Wire.post(api.port, "/acquire", TARGET, "authorization: Bearer v")
                        .status())
                .isEqualTo(403);
        assertThat(Wire.call(api.port, "GET", "/metrics", "authorization: Bearer c")
                        .status())
                .isEqualTo(403);
        assertThat(Wire.call(api.port, "GET", "/metrics", "authorization: Bearer v")
                        .status())
                .isEqualTo(200);
        assertThat(Wire.call(api.port, "GET", "/livez").status()).isEqualTo(200);
        assertThat(Wire.call(api.port, "GET", "/readyz").status()).isEqualTo(200);
        // With tokens, names other than loopback's are no danger.
        assertThat(Wire.post(api.port, "/acquire", TARGET, "authorization: Bearer c", "host: gate.example")
                        .status())
                .isEqualTo(200);
        assertThat(api.gatekeeper.requests).singleElement().satisfies(request -> {
            assertThat(request.tenant()).isEqualTo("shop");
            assertThat(request.clientId()).isEqualTo("crawlers");
        });
    }

    @Test
    void while_it_drains_nothing_new_begins_and_what_runs_may_end() {
        String lease = acquire();
        api.readiness.drain();

        Wire.Answer ready = Wire.call(api.port, "GET", "/readyz");
        assertThat(ready.status()).isEqualTo(503);
        assertThat(ready.body()).isEqualTo("{\"status\":\"draining\"}");
        Wire.Answer refused = Wire.post(api.port, "/acquire", TARGET);
        assertThat(refused.status()).isEqualTo(503);
        assertThat(json(refused).get("reason").textValue()).isEqualTo("draining");
        assertThat(refused.headers()).containsEntry("retry-after", "1");
        assertThat(Wire.post(api.port, "/release", "{\"lease\": \"" + lease + "\", \"outcome\": \"success\"}")
                        .body())
                .isEqualTo("{\"released\":true}");
        assertThat(Wire.call(api.port, "GET", "/livez").status()).isEqualTo(200);
    }

    @Test
    void a_call_that_is_held_is_told_that_the_instance_drains_and_what_it_would_have_got_is_given_back()
            throws Exception {
        CompletableFuture<Decision> slot = new CompletableFuture<>();
        api.gatekeeper.onAcquire = request -> slot;
        CompletableFuture<Wire.Answer> held =
                CompletableFuture.supplyAsync(() -> Wire.post(api.port, "/acquire", TARGET));
        await(() -> !api.gatekeeper.requests.isEmpty());
        api.readiness.drain();

        Wire.Answer told = held.get(10, TimeUnit.SECONDS);
        assertThat(told.status()).isEqualTo(503);
        assertThat(json(told).get("reason").textValue()).isEqualTo("draining");
        slot.complete(api.gatekeeper.grant(Request.to("example.com")));
        await(() -> api.gatekeeper.outcomes.contains(Outcome.of(Outcome.Kind.CANCELED)));
    }

    @Test
    void the_views_show_what_runs_and_no_credentials() {
        Wire.Answer status = Wire.call(api.port, "GET", "/api/status");
        JsonNode json = json(status);
        assertThat(json.get("status").textValue()).isEqualTo("ready");
        assertThat(json.get("store").textValue()).isEqualTo("memory");
        assertThat(json.at("/pools/0/addresses").toString()).isEqualTo("{\"total\":2,\"healthy\":1,\"quarantined\":1}");
        assertThat(json.at("/pools/0/leases").intValue()).isEqualTo(3);
        assertThat(json.at("/default_pace/0/concurrency").intValue()).isEqualTo(2);

        JsonNode addresses = json(Wire.call(api.port, "GET", "/api/addresses?state=quarantined&pool=default"));
        assertThat(addresses.get("total").intValue()).isEqualTo(1);
        assertThat(addresses.at("/addresses/0/id").textValue()).isEqualTo("a18");
        assertThat(addresses.at("/addresses/0/until").textValue()).isEqualTo("2026-03-01T12:00:00Z");
        JsonNode second = json(Wire.call(api.port, "GET", "/api/addresses?per_page=1&page=2"));
        assertThat(second.get("total").intValue()).isEqualTo(2);
        assertThat(second.at("/addresses/0/id").textValue()).isEqualTo("a18");
        assertThat(Wire.call(api.port, "GET", "/api/addresses?pool=defualt").body())
                .contains("did you mean `default`?");
        assertThat(Wire.call(api.port, "GET", "/api/addresses?page=0").status()).isEqualTo(400);
        assertThat(json(Wire.call(api.port, "GET", "/api/pools")).get("pools")).hasSize(1);
        assertThat(json(Wire.call(api.port, "GET", "/api/rules")).get("rules")).isEmpty();
        assertThat(Wire.call(api.port, "GET", "/api/addresses").body()).doesNotContain(FakeGatekeeper.PASSWORD);
    }

    @Test
    void an_operator_orders_what_becomes_of_an_address() {
        Wire.Answer banned = Wire.post(
                api.port,
                "/api/addresses/a17/ban",
                "{\"reason\": \"abuse mail\", \"for\": \"10m\", \"target\": \"shop.example\"}");
        assertThat(banned.status()).isEqualTo(200);
        assertThat(banned.body()).isEqualTo("{\"address\":\"a17\",\"order\":\"ban\",\"changed\":true}");
        Wire.Answer bare = Wire.call(api.port, "POST", "/api/addresses/a17/thaw");
        assertThat(bare.status()).as("no body, no Content-Type").isEqualTo(200);
        assertThat(bare.body()).isEqualTo("{\"address\":\"a17\",\"order\":\"thaw\",\"changed\":false}");
        assertThat(api.gatekeeper.said)
                .containsExactly(
                        new Order(Order.Verb.BAN, "a17", "shop.example", Duration.ofMinutes(10), "abuse mail")
                                .toString(),
                        Order.of(Order.Verb.THAW, "a17").toString());
    }

    @Test
    void an_order_that_cannot_be_carried_out_is_told_why() {
        Wire.Answer unknown = Wire.call(api.port, "POST", "/api/addresses/a99/freeze");
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(json(unknown).at("/error/code").textValue()).isEqualTo("unknown_address");
        assertThat(json(unknown).at("/error/message").textValue()).contains("GET /api/addresses lists them");
        Wire.Answer target = Wire.post(api.port, "/api/addresses/a17/ban", "{\"target\": \"no target\"}");
        assertThat(target.status()).isEqualTo(400);
        assertThat(json(target).at("/error/field").textValue()).isEqualTo("target");
        assertThat(Wire.call(api.port, "GET", "/api/addresses/a17/ban").status())
                .isEqualTo(405);
        assertThat(Wire.call(api.port, "POST", "/api/addresses/a17/bann").status())
                .isEqualTo(404);
        assertThat(Wire.call(api.port, "GET", "/api/addresses?state=baned").body())
                .contains("did you mean `banned`?");
    }

    @Test
    void an_address_that_serves_in_panic_is_flagged() {
        api.gatekeeper.onAcquire = request -> FakeGatekeeper.done(new Decision.Granted(List.of(new Lease(
                null,
                FakeGatekeeper.ADDRESS,
                Target.of("example.com"),
                "default",
                null,
                FakeGatekeeper.NOW,
                FakeGatekeeper.NOW + 1,
                false,
                true,
                false))));
        assertThat(json(Wire.post(api.port, "/acquire", TARGET)).get("panic").booleanValue())
                .isTrue();
        api.gatekeeper.onAcquire = request -> FakeGatekeeper.done(api.gatekeeper.grant(request));
        assertThat(json(Wire.post(api.port, "/acquire", TARGET)).has("panic")).isFalse();
    }

    @Test
    void pages_for_people_and_monitors_are_there() {
        assertThat(Wire.call(api.port, "GET", "/").headers().get("content-type"))
                .startsWith("text/html");
        assertThat(Wire.call(api.port, "GET", "/openapi.yaml").body()).startsWith("openapi: 3.1.0");
        assertThat(Wire.call(api.port, "GET", "/metrics").body()).isEqualTo("paceline_test 1\n");
        Wire.Answer head = Wire.call(api.port, "HEAD", "/");
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }

    @Test
    void requests_sent_without_waiting_are_answered_in_order() {
        String one = "POST /acquire HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: "
                + TARGET.length() + "\r\n\r\n" + TARGET;
        String last = "GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";

        Wire.Answer answers = Wire.send(api.port, one + one + last, new byte[0]);

        assertThat(answers.body().split("HTTP/1.1 200 OK")).hasSize(3);
        assertThat(answers.body()).endsWith("{\"status\":\"live\"}");
    }

    private String acquire() {
        return json(Wire.post(api.port, "/acquire", TARGET)).get("lease").textValue();
    }

    private static JsonNode json(Wire.Answer answer) {
        try {
            return MAPPER.readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(answer.body(), e);
        }
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("gave up waiting").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
