package io.paceline.service.proxy;

import static io.paceline.service.proxy.Rig.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Address;
import io.paceline.Credentials;
import io.paceline.Decision;
import io.paceline.Endpoint;
import io.paceline.Outcome.Kind;
import io.paceline.Reason;
import io.paceline.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forward proxy from the outside, octet by octet. */
@SuppressWarnings("StringConcatToTextBlock") // a text block would hide where CR LF stand
class ForwardProxyIT {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String GET = "GET http://shop.example.com/ HTTP/1.1\r\nHost: shop.example.com\r\n\r\n";
    private static final String CLOSE = "Connection: close";

    // ---- connections

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws IOException {
        AtomicInteger count = new AtomicInteger();
        RawServer.Script numbered = (wire, server) -> {
            while (true) {
                String path = wire.head().split(" ", 3)[1];
                count.incrementAndGet();
                String tail = path.substring(path.length() - 1);
                wire.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n" + tail);
            }
        };
        try (RawServer upstream = new RawServer(numbered);
                Rig rig = Rig.open(upstream.asUpstream("a1"));
                Wire client = rig.client()) {
            client.send(
                    GET.replace("com/ ", "com/1 ") + GET.replace("com/ ", "com/2 ") + GET.replace("com/ ", "com/3 "));
            assertThat(client.message()).endsWith("1");
            assertThat(client.message()).endsWith("2");
            assertThat(client.message()).endsWith("3");
            assertThat(upstream.connections).as("one connection was kept").hasSize(1);
            assertThat(rig.gatekeeper.outcomes()).containsExactly(Kind.SUCCESS, Kind.SUCCESS, Kind.SUCCESS);
        }
    }

    @Test
    void theAnswerTellsOfASessionThatHasMoved() throws IOException {
        try (RawServer server = RawServer.answering(OK);
                Rig rig = Rig.open(server.asUpstream("a1"))) {
            // u-session-moved:t
            String moved = "Proxy-Authorization: Basic dS1zZXNzaW9uLW1vdmVkOnQ=";
            String answer = rig.exchange("GET http://shop.example.com/ HTTP/1.1", "Host: x", moved, CLOSE);
            assertThat(Wire.field(answer, "x-paceline-session-migrated")).isEqualTo("true");
            assertThat(rig.exchange("GET http://shop.example.com/ HTTP/1.1", "Host: x", CLOSE))
                    .doesNotContain("X-Paceline-Session-Migrated");
        }
    }

    @Test
    void aConnectionIsNeverReusedForAnotherAddress() throws IOException {
        try (RawServer first = RawServer.answering(OK);
                RawServer second = RawServer.answering(OK);
                Rig rig = Rig.open(first.asUpstream("a1"));
                Wire client = rig.client()) {
            client.send(GET).message();
            rig.gatekeeper.serve(second.asUpstream("a2"));
            client.send(GET);
            assertThat(Wire.field(client.message(), "x-paceline-address")).isEqualTo("a2");
            rig.gatekeeper.serve(first.asUpstream("a3", new Credentials("session-b", "pw")));
            client.send(GET).message();
            assertThat(first.connections)
                    .as("other credentials, other connection")
                    .hasSize(2);
            assertThat(second.heads).hasSize(1);
        }
    }

    @Test
    void aKeptConnectionThatHasDiedIsReplacedWithoutBlame() throws IOException {
        RawServer.Script oneAnswerEach = (wire, server) -> {
            server.heads.add(wire.head());
            wire.send(OK);
            wire.head();
        };
        try (RawServer upstream = new RawServer(oneAnswerEach);
                Rig rig = Rig.open(upstream.asUpstream("a1"));
                Wire client = rig.client()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.send(GET).message()).startsWith("HTTP/1.1 200 ");
            }
            assertThat(rig.gatekeeper.outcomes()).containsExactly(Kind.SUCCESS, Kind.SUCCESS, Kind.SUCCESS);
        }
    }

    @Test
    void anHttp10ClientKeepsItsConnectionWhereItAsksTo() throws IOException {
        try (RawServer upstream = RawServer.answering(OK);
                Rig rig = Rig.open(upstream.asUpstream("a1"));
                Wire client = rig.client()) {
            client.sendLines("GET http://shop.example.com/ HTTP/1.0", "Connection: keep-alive");
            assertThat(Wire.field(client.message(), "connection")).isEqualTo("keep-alive");
            client.sendLines("GET http://shop.example.com/ HTTP/1.0");
            assertThat(client.rest()).startsWith("HTTP/1.1 200 ").endsWith("ok");
        }
    }

    @Test
    void aBodyWithoutALengthEndsWithTheConnection() throws IOException {
        RawServer.Script untilClose = (wire, server) -> {
            wire.head();
            wire.send("HTTP/1.0 200 OK\r\n\r\nall of it");
        };
        try (RawServer upstream = new RawServer(untilClose);
                Rig rig = Rig.open(upstream.asUpstream("a1"))) {
            String answer = rig.exchange("GET http://shop.example.com/ HTTP/1.1", "Host: x");
            assertThat(answer).endsWith("\r\n\r\nall of it");
            assertThat(Wire.field(answer, "connection")).isEqualTo("close");
            assertThat(rig.gatekeeper.outcomes()).containsExactly(Kind.SUCCESS);
        }
    }

    @Test
    void chunksAndTrailersPassBothWays() throws IOException {
        RawServer.Script script = (wire, server) -> {
            server.heads.add(wire.head());
            server.heads.add(wire.octets("5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n".length()));
            wire.send("HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "3;ext=1\r\nabc\r\n0\r\nX-Sum: 2\r\nContent-Length: 9\r\n\r\n");
            wire.rest();
        };
        try (RawServer upstream = new RawServer(script);
                Rig rig = Rig.open(upstream.asUpstream("a1"));
                Wire client = rig.client()) {
            client.send("POST http://shop.example.com/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "5\r\nhello\r\n0\r\nX-Sum: 1\r\nHost: evil.example\r\n\r\n");
            assertThat(Wire.field(client.head(), "transfer-encoding")).isEqualTo("chunked");
            assertThat(client.octets("3\r\nabc\r\n0\r\nX-Sum: 2\r\n\r\n".length()))
                    .isEqualTo("3\r\nabc\r\n0\r\nX-Sum: 2\r\n\r\n");
            assertThat(upstream.heads.get(1)).isEqualTo("5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n");
        }
    }

    @Test
    void aPlainRequestWhoseClientShutsItsSideIsStillAnswered() throws IOException {
        RawServer.Script late = (wire, server) -> {
            wire.head();
            Rig.await("a moment", new After(200));
            wire.send(OK);
            wire.rest();
        };
        try (RawServer upstream = new RawServer(late);
                Rig rig = Rig.open(upstream.asUpstream("a1"));
                Wire client = rig.client()) {
            client.send(GET);
            client.shut();
            assertThat(client.rest()).startsWith("HTTP/1.1 200 ").endsWith("ok");
        }
    }

    @Test
    void aClientThatLeavesBeforeTheAnswerFreesTheLease() throws IOException {
        try (RawServer upstream = new RawServer((wire, server) -> {
                    server.heads.add(wire.head());
                    wire.rest();
                });
                Rig rig = Rig.open(upstream.asUpstream("a1"))) {
            try (Wire client = rig.client()) {
                client.send(GET);
                await("sent", () -> upstream.heads.size() == 1);
            }
            await("free", () -> rig.gatekeeper.outcomes().equals(List.of(Kind.NEUTRAL)));
            await(
                    "closed",
                    () -> upstream.closedByPeer.get() + upstream.heads.size() >= 1 && rig.connections.get() == 0);
        }
    }

    @Test
    void aLeaseThatComesAfterItsClientHasLeftIsGivenBack() throws IOException {
        try (RawServer upstream = RawServer.answering(OK);
                Rig rig = Rig.open(upstream.asUpstream("a1"))) {
            CompletableFuture<Decision> answer = rig.gatekeeper.hold();
            Wire client = rig.client();
            client.send(GET);
            await("connected", () -> rig.connections.get() == 1);
            client.reset();
            await("noticed", () -> rig.results.contains("http canceled") || rig.connections.get() == 0);
            answer.complete(rig.gatekeeper.grant(Request.to("http://shop.example.com/")));
            await("given back", () -> rig.gatekeeper.outcomes().equals(List.of(Kind.CANCELED)));
            assertThat(upstream.connections).isEmpty();
        }
    }

    @Test
    void oneConnectionTooManyIsToldSo() throws IOException {
        try (RawServer upstream = RawServer.answering(OK);
                Rig rig = Rig.open(s -> s.withMaxConnections(1), upstream.asUpstream("a1"));
                Wire first = rig.client()) {
            assertThat(first.send(GET).message()).startsWith("HTTP/1.1 200 ");
            try (Wire second = rig.client()) {
                assertThat(second.rest()).startsWith("HTTP/1.1 503 ");
            }
        }
    }

    // ---- what is refused

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET http://shop.example.com/ HTTP/1.1\nHost: x\n\n",
                "GET http://shop.example.com/ HTTP/1.1\r\nHost : x\r\n\r\n",
                "GET http://shop.example.com/ HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n",
                "GET http://shop.example.com/ HTTP/1.1\r\nX: a\u0000b\r\n\r\n",
                "GET http://shop.example.com/ HTTP/1.1\r\nX: a\rb\r\n\r\n",
                "GET  http://shop.example.com/ HTTP/1.1\r\n\r\n",
                "GET http://shop.example.com/\r\n\r\n",
                "GET http://shop.example.com/ HTTP/1\r\n\r\n",
                "GET http://user:p/w@shop.example.com:x/ HTTP/1.1\r\n\r\n",
                "GET http://example.com\\@evil.example/ HTTP/1.1\r\n\r\n",
                "GET http:///a HTTP/1.1\r\n\r\n",
                "GET http://example.com../ HTTP/1.1\r\n\r\n",
                "GET example.com/a HTTP/1.1\r\n\r\n",
                "GET https://shop.example.com/ HTTP/1.1\r\n\r\n",
                "GET ftp://shop.example.com/ HTTP/1.1\r\n\r\n",
                "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
                "CONNECT shop.example.com:0 HTTP/1.1\r\n\r\n",
                "CONNECT shop.example.com:443/x HTTP/1.1\r\n\r\n",
                "CONNECT u@shop.example.com:443 HTTP/1.1\r\n\r\n",
                "CONNECT http://shop.example.com:443 HTTP/1.1\r\n\r\n",
                "CONNECT shop.example.com:443 HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc",
                "POST http://shop.example.com/ HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                "POST http://shop.example.com/ HTTP/1.1\r\nContent-Length: +5\r\n\r\nhello",
                "POST http://shop.example.com/ HTTP/1.1\r\nContent-Length: 5, 6\r\n\r\nhello",
                "POST http://shop.example.com/ HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
                "POST http://shop.example.com/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n"
            })
    void whatIsNoRequestIs400AndReachesNobody(String request) throws IOException {
        try (RawServer upstream = RawServer.answering(OK);
                Rig rig = Rig.open(upstream.asUpstream("a1"));
                Wire client = rig.client()) {
            client.send(request);
            String answer = client.rest();
            assertThat(answer).startsWith("HTTP/1.1 400 ");
            assertThat(Wire.field(answer, "x-paceline-error")).isEqualTo("bad_request");
            assertThat(upstream.connections).isEmpty();
            assertThat(rig.gatekeeper.given()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "xyz\r\n",
                "5\nhello\r\n0\r\n\r\n",
                "5\r\nhelloX\r\n0\r\n\r\n",
                "-1\r\n",
                "ffffffffffffffff\r\n",
                "5 \r\nhello\r\n"
            })
    void aBrokenChunkEndsTheConnection(String body) throws IOException {
        try (RawServer upstream = new RawServer((wire, server) -> wire.rest());
                Rig rig = Rig.open(upstream.asUpstream("a1"));
                Wire client = rig.client()) {
            client.send(
                    "POST http://shop.example.com/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + body);
            assertThat(client.rest()).startsWith("HTTP/1.1 400 ");
            await("let go", () -> rig.gatekeeper.outcomes().equals(List.of(Kind.NEUTRAL)));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "RATE_LIMITED, 1500000, 429, 2, rate_limited",
        "QUEUE_FULL, 1, 429, 1, queue_full",
        "QUOTA_EXCEEDED, 1500000, 429, 2, quota_exceeded",
        "COST_ABOVE_LIMIT, -1, 400, '', cost_above_limit",
        "NO_ADDRESS, -1, 503, 5, no_address",
        "STORE_UNAVAILABLE, 1000000, 503, 1, store_unavailable",
        "SESSION_PAUSED, 60000000, 503, 60, session_paused",
        "SESSION_ENDED, -1, 409, '', session_ended"
    })
    void aRefusalOfTheGatekeeperKeepsItsReason(Reason reason, long wait, int status, String retryAfter, String code)
            throws IOException {
        try (Rig rig = Rig.open();
                Wire client = rig.client()) {
            rig.gatekeeper.refuse(reason, wait);
            String answer = client.send(GET).message();
            assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
            assertThat(Wire.field(answer, "retry-after")).isEqualTo(retryAfter);
            assertThat(Wire.field(answer, "x-paceline-error")).isEqualTo(code);
            assertThat(client.send(GET).message()).as("the connection goes on").startsWith("HTTP/1.1 " + status);
        }
    }

    @Test
    void whatTheUserNameAsksForReachesTheGatekeeper() throws IOException {
        try (RawServer upstream = RawServer.answering(OK);
                Rig rig = Rig.open(upstream.asUpstream("a1"))) {
            rig.exchange(
                    "GET http://shop.example.com:8080/p?q=|{} HTTP/1.1",
                    "Host: x",
                    CLOSE,
                    "Proxy-Authorization: Basic "
                            + java.util.Base64.getEncoder()
                                    .encodeToString("crawler3-session-acct-17-cc-DE-pool-fast:any"
                                            .getBytes(java.nio.charset.StandardCharsets.UTF_8)));
            Request request = rig.gatekeeper.given().get(0).request;
            assertThat(request.session()).isEqualTo("acct-17");
            assertThat(request.tags()).isEqualTo(Map.of("country", "de"));
            assertThat(request.pool()).isEqualTo("fast");
            assertThat(request.clientId()).isEqualTo("crawler3");
            assertThat(request.target()).isEqualTo("http://shop.example.com:8080/p?q=|{}");
            assertThat(upstream.heads.get(0)).startsWith("GET http://shop.example.com:8080/p?q=|{} HTTP/1.1\r\n");
        }
    }

    @Test
    void octetsOfATargetAreForwardedUnchanged() throws IOException {
        try (RawServer origin = RawServer.answering(OK);
                Rig rig = Rig.open(s -> s.withAllowPrivateTargets(true), Rig.DIRECT)) {
            String path = "/a%2Fb/%7Ec/\u00c3\u00a9?q=%e3%81%82&w=[1]";
            rig.exchange("GET http://127.0.0.1:" + origin.port() + path + " HTTP/1.1", "Host: x", CLOSE);
            assertThat(origin.heads.get(0)).startsWith("GET " + path + " HTTP/1.1\r\n");
        }
    }

    // ---- addresses that fail

    @Test
    void aDeadAddressIsReplacedAndTheClientSeesNothingOfIt() throws IOException {
        try (RawServer good = RawServer.answering(OK);
                RawServer tunnel = RawServer.echoTunnel();
                Rig rig = Rig.open(
                        RawServer.upstream("dead1", RawServer.closedPort(), null),
                        RawServer.upstream("dead2", RawServer.closedPort(), null),
                        good.asUpstream("a3"))) {
            String answer = rig.exchange("GET http://shop.example.com/ HTTP/1.1", "Host: x", CLOSE);
            assertThat(answer).startsWith("HTTP/1.1 200 ");
            assertThat(Wire.field(answer, "x-paceline-address")).isEqualTo("a3");
            assertThat(rig.gatekeeper.outcomes()).containsExactly(Kind.CONNECT_ERROR, Kind.CONNECT_ERROR, Kind.SUCCESS);
            rig.gatekeeper.serve(RawServer.upstream("dead1", RawServer.closedPort(), null), tunnel.asUpstream("a4"));
            try (Wire client = rig.client()) {
                client.sendLines("CONNECT shop.example.com:443 HTTP/1.1", "Host: x");
                assertThat(Wire.field(client.head(), "x-paceline-address")).isEqualTo("a4");
            }
        }
    }

    @Test
    void anUpstreamThatDiesUnderLoadCostsItsClientsNothing() throws Exception {
        try (RawServer dying = RawServer.answering(OK);
                RawServer good = RawServer.answering(OK);
                Rig rig = Rig.open(dying.asUpstream("a1"), good.asUpstream("a2"))) {
            rig.gatekeeper.rotate();
            AtomicInteger answered = new AtomicInteger();
            List<CompletableFuture<Integer>> crawlers = new java.util.ArrayList<>();
            for (int i = 0; i < 4; i++) {
                crawlers.add(CompletableFuture.supplyAsync(() -> crawl(rig, answered)));
            }
            await("under way", () -> answered.get() > 100);
            dying.close();
            for (CompletableFuture<Integer> crawler : crawlers) {
                assertThat(crawler.join()).isEqualTo(200);
            }
            assertThat(rig.gatekeeper.outcomes()).contains(Kind.CONNECT_ERROR, Kind.SUCCESS);
        }
    }

    /** How many of 200 requests were answered with 200. */
    private static int crawl(Rig rig, AtomicInteger answered) {
        int good = 0;
        try (Wire client = rig.client()) {
            for (int i = 0; i < 200; i++) {
                good += client.send(GET).message().startsWith("HTTP/1.1 200 ") ? 1 : 0;
                answered.incrementAndGet();
            }
        } catch (IOException e) {
            return good;
        }
        return good;
    }

    @Test
    void retriesHaveABound() throws IOException {
        try (Rig rig = Rig.open()) {
            Address[] dead = new Address[5];
            for (int i = 0; i < dead.length; i++) {
                dead[i] = RawServer.upstream("dead" + i, RawServer.closedPort(), null);
            }
            rig.gatekeeper.serve(dead);
            String answer = rig.exchange("GET http://shop.example.com/ HTTP/1.1", "Host: x", CLOSE);
            assertThat(answer).startsWith("HTTP/1.1 502 ");
            assertThat(Wire.field(answer, "x-paceline-error")).isEqualTo("upstream_unreachable");
            assertThat(Wire.field(answer, "x-paceline-address")).isEqualTo("dead2");
            assertThat(rig.gatekeeper.given()).hasSize(3);
        }
    }

    @Test
    void anAddressOfAnotherProtocolIsNeverUsedAsIfItWereHttp() throws IOException {
        try (RawServer server = new RawServer((wire, s) -> wire.rest());
                Rig rig = Rig.open(new Address(
                        "socks",
                        new Endpoint(Endpoint.Scheme.SOCKS5, "127.0.0.1", server.port(), null),
                        Map.of(),
                        1,
                        false))) {
            assertThat(ForwardProxy.supports(Rig.DIRECT.endpoint())).isTrue();
            String answer = rig.exchange("GET http://shop.example.com/ HTTP/1.1", "Host: x", CLOSE);
            if (!ForwardProxy.supports(
                    rig.gatekeeper.given().get(0).lease.address().endpoint())) {
                assertThat(Wire.field(answer, "x-paceline-error")).isEqualTo("upstream_unsupported");
                assertThat(server.connections).isEmpty();
            }
            assertThat(answer).startsWith("HTTP/1.1 50");
        }
    }

    @Test
    void anAnswerThatIsCutOffIsCutOffForTheClientToo() throws IOException {
        RawServer.Script cuts = (wire, server) -> {
            wire.head();
            wire.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this");
        };
        try (RawServer upstream = new RawServer(cuts);
                Rig rig = Rig.open(upstream.asUpstream("a1"));
                Wire client = rig.client()) {
            client.send(GET);
            assertThat(client.head()).startsWith("HTTP/1.1 200 ");
            String rest;
            try {
                rest = client.rest();
            } catch (IOException reset) {
                rest = "";
            }
            assertThat(rest.length()).isLessThan(100);
            await("judged", () -> rig.gatekeeper.outcomes().equals(List.of(Kind.CONNECT_ERROR)));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "200, '', /, SUCCESS",
        "301, '', /, SUCCESS",
        "404, '', /, NEUTRAL",
        "403, '', /, BLOCKED",
        "403, '', /robots.txt, NEUTRAL",
        "429, '', /, RATE_LIMITED",
        "503, 'Retry-After: 5', /, RATE_LIMITED",
        "503, '', /, TARGET_ERROR",
        "500, '', /, TARGET_ERROR",
        "451, '', /, NEUTRAL"
    })
    void anAnswerIsJudgedByItsStatus(int status, String field, String path, Kind kind) throws IOException {
        String extra = field.isEmpty() ? "" : field + "\r\n";
        try (RawServer upstream =
                        RawServer.answering("HTTP/1.1 " + status + " X\r\n" + extra + "Content-Length: 0\r\n\r\n");
                Rig rig = Rig.open(upstream.asUpstream("a1"))) {
            rig.exchange("GET http://shop.example.com" + path + " HTTP/1.1", "Host: x", CLOSE);
            assertThat(rig.gatekeeper.outcomes()).containsExactly(kind);
            assertThat(rig.gatekeeper.given().get(0).outcome).satisfies(outcome -> {
                assertThat(outcome.status()).isEqualTo(status);
                assertThat(outcome.latencyMicros()).isNotNegative();
            });
        }
    }

    // ---- tunnels

    @Test
    void aSlowReaderHoldsItsTunnelBackAndLosesNothing() throws IOException {
        int total = 64 * 1024 * 1024;
        AtomicLong sent = new AtomicLong();
        RawServer.Script script = (wire, server) -> {
            wire.head();
            wire.send("HTTP/1.1 200 OK\r\n\r\n");
            byte[] block = new byte[64 * 1024];
            for (int i = 0; i < total / block.length; i++) {
                java.util.Arrays.fill(block, (byte) i);
                wire.send(block);
                sent.addAndGet(block.length);
            }
            wire.shut();
            wire.rest();
        };
        try (RawServer upstream = new RawServer(script);
                Rig rig = Rig.open(upstream.asUpstream("a1"));
                Wire client = Wire.slowTo(rig.address)) {
            client.sendLines("CONNECT shop.example.com:443 HTTP/1.1", "Host: x");
            client.head();
            long[] seen = {-1, System.nanoTime()};
            await("the target stands still", () -> {
                if (sent.get() != seen[0]) {
                    seen[0] = sent.get();
                    seen[1] = System.nanoTime();
                }
                return System.nanoTime() - seen[1] > 300_000_000L;
            });
            assertThat(sent.get()).isLessThan(total / 2);
            byte[] some = new byte[32 * 1024];
            long read = 0;
            for (int count = client.readSome(some); count >= 0; count = client.readSome(some)) {
                for (int i = 0; i < count; i++) {
                    assertThat(some[i] == (byte) ((read + i) / (64 * 1024))).isTrue();
                }
                read += count;
            }
            assertThat(read).isEqualTo(total);
        }
    }

    @Test
    void aTunnelEndsAtItsLongestLifeAndItsLeaseIsRenewedUntilThen() throws IOException {
        try (RawServer upstream = RawServer.echoTunnel();
                Rig rig = Rig.open(s -> s.withTunnelMax(Duration.ofMillis(600)), upstream.asUpstream("a1"));
                Wire client = rig.client()) {
            rig.gatekeeper.leasesLast(100_000);
            client.sendLines("CONNECT shop.example.com:443 HTTP/1.1", "Host: x");
            client.head();
            client.send("hi");
            assertThat(client.octets(2)).isEqualTo("hi");
            assertThat(client.rest()).isEmpty();
            await("settled", () -> rig.gatekeeper.outcomes().equals(List.of(Kind.SUCCESS)));
            assertThat(rig.gatekeeper.given().get(0).renewed).isGreaterThanOrEqualTo(2);
            assertThat(rig.tunnels.get()).isZero();
        }
    }

    @Test
    void aTunnelThroughWhichNothingCameBackSaysWhoEndedIt() throws IOException {
        try (RawServer swallows = new RawServer((wire, server) -> {
                    wire.head();
                    wire.send("HTTP/1.1 200 OK\r\n\r\n");
                    wire.octets(2);
                });
                RawServer upstream = RawServer.echoTunnel();
                Rig rig = Rig.open(swallows.asUpstream("a1"))) {
            try (Wire client = rig.client()) {
                client.sendLines("CONNECT shop.example.com:443 HTTP/1.1", "Host: x");
                client.head();
                client.send("hi");
                client.rest();
            }
            await("ended by the other side", () -> rig.gatekeeper.outcomes().equals(List.of(Kind.CONNECT_ERROR)));
            rig.gatekeeper.serve(upstream.asUpstream("a2"));
            try (Wire client = rig.client()) {
                client.sendLines("CONNECT shop.example.com:443 HTTP/1.1", "Host: x");
                client.head();
            }
            await(
                    "ended by the client",
                    () -> rig.gatekeeper.outcomes().equals(List.of(Kind.CONNECT_ERROR, Kind.NEUTRAL)));
        }
    }

    @Test
    void aResetOfOneSideEndsTheOther() throws IOException {
        try (RawServer upstream = RawServer.echoTunnel();
                Rig rig = Rig.open(upstream.asUpstream("a1"))) {
            Wire client = rig.client();
            client.sendLines("CONNECT shop.example.com:443 HTTP/1.1", "Host: x");
            client.head();
            client.send("hi");
            client.octets(2);
            client.reset();
            await("settled", () -> rig.gatekeeper.outcomes().equals(List.of(Kind.SUCCESS)));
            await("closed", () -> rig.connections.get() == 0 && rig.tunnels.get() == 0);
        }
    }

    // ---- the end

    @Test
    void aDrainLetsRunningRequestsEndAndTakesNoNewOnes() throws IOException {
        CompletableFuture<Void> go = new CompletableFuture<>();
        RawServer.Script late = (wire, server) -> {
            server.heads.add(wire.head());
            go.join();
            wire.send(OK);
            wire.rest();
        };
        try (RawServer upstream = new RawServer(late);
                Rig rig = Rig.open(upstream.asUpstream("a1"));
                Wire idle = rig.client();
                Wire running = rig.client()) {
            running.send(GET);
            await("running", () -> upstream.heads.size() == 1);
            var stopped = rig.proxy.stop(Duration.ofSeconds(15)).toCompletableFuture();
            assertThat(idle.rest()).as("an idle client is let go at once").isEmpty();
            assertThat(stopped).isNotDone();
            go.complete(null);
            String answer = running.rest();
            assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("ok");
            assertThat(Wire.field(answer, "connection")).isEqualTo("close");
            stopped.join();
            assertThat(rig.gatekeeper.outcomes()).containsExactly(Kind.SUCCESS);
        }
    }

    @Test
    void whatIsLeftAtTheEndOfTheDrainIsClosedAndSettled() throws IOException {
        try (RawServer upstream = RawServer.echoTunnel();
                Rig rig = Rig.open(upstream.asUpstream("a1"));
                Wire client = rig.client()) {
            client.sendLines("CONNECT shop.example.com:443 HTTP/1.1", "Host: x");
            client.head();
            client.send("hi");
            client.octets(2);
            rig.proxy.stop(Duration.ofMillis(100)).toCompletableFuture().join();
            assertThat(rig.gatekeeper.outcomes()).containsExactly(Kind.SUCCESS);
        }
    }

    /** True once so many milliseconds have passed. */
    private static final class After implements java.util.function.BooleanSupplier {
        private final long end;

        After(long millis) {
            end = System.nanoTime() + millis * 1_000_000;
        }

        @Override
        public boolean getAsBoolean() {
            return System.nanoTime() > end;
        }
    }
}
