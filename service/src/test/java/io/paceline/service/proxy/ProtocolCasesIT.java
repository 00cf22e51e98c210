package io.paceline.service.proxy;

import static io.paceline.service.proxy.Rig.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.paceline.Credentials;
import io.paceline.Outcome.Kind;
import io.paceline.Reason;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/** Every row of the shared protocol cases, played with raw sockets on both sides. */
@SuppressWarnings("StringConcatToTextBlock") // a text block would hide where CR LF stand
class ProtocolCasesIT {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String CLOSE = "Connection: close";
    private static final Credentials UP = new Credentials("up01", "pw2");

    private final Map<String, Executable> scenarios = new LinkedHashMap<>();

    @TestFactory
    Stream<DynamicTest> everyRowHolds() throws IOException {
        fill();
        List<DynamicTest> tests = new ArrayList<>();
        try (InputStream in = ProtocolCasesIT.class.getResourceAsStream("/cases/6-proxy-protocol.jsonl");
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode row = new ObjectMapper().readTree(line);
                String id = row.get("id").asText();
                Executable scenario = scenarios.get(id);
                tests.add(DynamicTest.dynamicTest(id + " " + row.get("case").asText(), () -> {
                    assertThat(scenario).as("a scenario for %s", id).isNotNull();
                    Objects.requireNonNull(scenario).execute();
                }));
            }
        }
        return tests.stream();
    }

    private void fill() {
        scenarios.put("X-S01", this::connectToIpv6Literal);
        scenarios.put("X-S02", this::connectToUnbracketedIpv6);
        scenarios.put("X-S03", this::connectWithoutHostOrPort);
        scenarios.put("X-S04", this::http10WithoutHost);
        scenarios.put("X-S05", this::hostDiffersFromTarget);
        scenarios.put("X-S06", this::refusedForCredentialsKeepsTheConnection);
        scenarios.put("X-S07", this::wrongCredentialsAre407);
        scenarios.put("X-S08", this::clientCredentialsEndHere);
        scenarios.put("X-S09", this::basicDecoding);
        scenarios.put("X-S10", this::upstreamSays407);
        scenarios.put("X-S11", this::leakInsideATunnelIsNotOurs);
        scenarios.put("X-S12", this::hopByHopFields);
        scenarios.put("X-S13", this::connectionNamesEndToEndFields);
        scenarios.put("X-S14", this::webSocketIsRefusedClearly);
        scenarios.put("X-S15", this::expectContinue);
        scenarios.put("X-S16", this::interimAnswers);
        scenarios.put("X-S17", this::answersWithoutBody);
        scenarios.put("X-S18", this::lengthAndChunked);
        scenarios.put("X-S19", this::twoLengths);
        scenarios.put("X-S20", this::strangeTransferEncodings);
        scenarios.put("X-S21", this::veryLongHeads);
        scenarios.put("X-S22", this::largeDownloadIsStreamed);
        scenarios.put("X-S23", this::clientGoesAway);
        scenarios.put("X-S24", this::halfClose);
        scenarios.put("X-S25", this::earlyDataBehindConnect);
        scenarios.put("X-S26", this::noTunnelBeforeTheTarget);
        scenarios.put("X-S27", this::ssrfBySpelling);
        scenarios.put("X-S28", this::rebinding);
        scenarios.put("X-S29", this::connectToPort25);
        scenarios.put("X-S30", this::loops);
        scenarios.put("X-S31", this::slowHeads);
        scenarios.put("X-S32", this::replayOfPost);
        scenarios.put("X-S33", this::poolEmpty);
        scenarios.put("X-S34", this::credentialsStayInside);
    }

    private void connectToIpv6Literal() throws IOException {
        try (RawServer upstream = RawServer.echoTunnel();
                Rig rig = Rig.open(s -> s.withAllowPrivateTargets(true), upstream.asUpstream("a1"));
                Wire client = rig.client()) {
            client.sendLines("CONNECT [2001:db8::1]:443 HTTP/1.1", "Host: [2001:db8::1]:443");
            assertThat(client.head()).startsWith("HTTP/1.1 200 ");
            assertThat(upstream.heads.get(0)).startsWith("CONNECT [2001:db8::1]:443 HTTP/1.1\r\n");
            assertThat(rig.lookups).isEmpty();
        }
    }

    private void connectToUnbracketedIpv6() throws IOException {
        try (Rig rig = Rig.open()) {
            assertThat(rig.exchange("CONNECT 2001:db8::1:443 HTTP/1.1")).startsWith("HTTP/1.1 400 ");
        }
    }

    /** A missing Host is no reason to refuse a CONNECT: its target says all. */
    private void connectWithoutHostOrPort() throws IOException {
        try (RawServer upstream = RawServer.echoTunnel();
                Rig rig = Rig.open(upstream.asUpstream("a1"))) {
            assertThat(rig.exchange("CONNECT shop.example.com HTTP/1.1")).startsWith("HTTP/1.1 400 ");
            for (String version : List.of("HTTP/1.0", "HTTP/1.1")) {
                try (Wire client = rig.client()) {
                    client.sendLines("CONNECT shop.example.com:443 " + version);
                    assertThat(client.head()).startsWith("HTTP/1.1 200 ");
                }
            }
        }
    }

    private void http10WithoutHost() throws IOException {
        String chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
        try (RawServer upstream = RawServer.answering(chunked);
                Rig rig = Rig.open(upstream.asUpstream("a1"))) {
            String answer = rig.exchange("GET http://shop.example.com/ HTTP/1.0");
            assertThat(answer).endsWith("\r\n\r\nhello").doesNotContainIgnoringCase("transfer-encoding");
            assertThat(Wire.field(upstream.heads.get(0), "host")).isEqualTo("shop.example.com");
        }
    }

    private void hostDiffersFromTarget() throws IOException {
        try (RawServer upstream = RawServer.answering(OK);
                Rig rig = Rig.open(upstream.asUpstream("a1"))) {
            rig.exchange("GET http://shop.example.com/ HTTP/1.1", "Host: other.example.com", CLOSE);
            assertThat(upstream.heads.get(0)).startsWith("GET http://shop.example.com/ HTTP/1.1\r\n");
            assertThat(Wire.field(upstream.heads.get(0), "host")).isEqualTo("shop.example.com");
            assertThat(rig.gatekeeper.given().get(0).request.target()).isEqualTo("http://shop.example.com/");
        }
    }

    private void refusedForCredentialsKeepsTheConnection() throws IOException {
        try (RawServer upstream = RawServer.echoTunnel();
                Rig rig = Rig.guarded("pw1", upstream.asUpstream("a1"));
                Wire client = rig.client()) {
            client.sendLines("CONNECT shop.example.com:443 HTTP/1.1", "Host: shop.example.com:443");
            String refusal = client.message();
            assertThat(refusal).startsWith("HTTP/1.1 407 ");
            assertThat(Wire.field(refusal, "proxy-authenticate")).startsWith("Basic realm=");
            assertThat(Wire.field(refusal, "connection")).isEmpty();
            client.sendLines(
                    "CONNECT shop.example.com:443 HTTP/1.1",
                    "Host: shop.example.com:443",
                    "Proxy-Authorization: Basic dXNlcjAxOnB3MQ==");
            assertThat(client.head()).startsWith("HTTP/1.1 200 ");
        }
    }

    private void wrongCredentialsAre407() throws IOException {
        try (Rig rig = Rig.guarded("pw1")) {
            String answer = rig.exchange(
                    "GET http://shop.example.com/ HTTP/1.1", "Host: x", CLOSE, "Proxy-Authorization: " + basic("u:no"));
            assertThat(answer).startsWith("HTTP/1.1 407 ");
            assertThat(Wire.field(answer, "proxy-authenticate")).isNotEmpty();
            assertThat(Wire.field(answer, "x-paceline-error")).isEqualTo("proxy_authentication_required");
            assertThat(rig.gatekeeper.given()).isEmpty();
        }
    }

    private void clientCredentialsEndHere() throws IOException {
        try (RawServer upstream = RawServer.answering(OK);
                RawServer tunnel = RawServer.echoTunnel();
                Rig rig = Rig.guarded("pw1", upstream.asUpstream("a1", UP))) {
            String ours = "Proxy-Authorization: Basic dXNlcjAxOnB3MQ==";
            rig.exchange(
                    "GET http://shop.example.com/ HTTP/1.1", "Host: x", ours, "Authorization: Basic c2l0ZQ==", CLOSE);
            String asked = upstream.heads.get(0);
            assertThat(Wire.field(asked, "proxy-authorization")).isEqualTo(basic("up01:pw2"));
            assertThat(Wire.field(asked, "authorization")).isEqualTo("Basic c2l0ZQ==");
            rig.gatekeeper.serve(tunnel.asUpstream("a2", UP));
            try (Wire client = rig.client()) {
                client.sendLines("CONNECT shop.example.com:443 HTTP/1.1", "Host: shop.example.com:443", ours);
                assertThat(client.head()).startsWith("HTTP/1.1 200 ");
            }
            assertThat(Wire.field(tunnel.heads.get(0), "proxy-authorization")).isEqualTo(basic("up01:pw2"));
        }
        try (RawServer origin = RawServer.answering(OK);
                Rig rig = Rig.open(s -> s.withAllowPrivateTargets(true), Rig.DIRECT)) {
            rig.exchange(
                    "GET http://127.0.0.1:" + origin.port() + "/ HTTP/1.1",
                    "Host: x",
                    "Proxy-Authorization: " + basic("user01:pw1"),
                    CLOSE);
            assertThat(origin.heads.get(0)).doesNotContainIgnoringCase("proxy-");
        }
    }

    private void basicDecoding() throws IOException {
        for (String token : List.of("pw:1", "50%off", "pw1")) {
            try (RawServer upstream = RawServer.answering(OK);
                    Rig rig = Rig.guarded(token, upstream.asUpstream("a1"))) {
                String field = "Proxy-Authorization: bAsIc " + encoded("café:" + token);
                assertThat(rig.exchange("GET http://shop.example.com/ HTTP/1.1", "Host: x", field, CLOSE))
                        .startsWith("HTTP/1.1 200 ");
                assertThat(rig.gatekeeper.given().get(0).request.clientId()).isEqualTo("café");
                assertThat(rig.gatekeeper.given().get(0).request.tenant()).isEqualTo("shop");
            }
        }
    }

    private void upstreamSays407() throws IOException {
        String refusal = "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"up\"\r\nContent-Length: 0\r\n\r\n";
        try (RawServer first = RawServer.answering(refusal);
                RawServer second = RawServer.answering(refusal);
                RawServer third = RawServer.answering(refusal);
                Rig rig =
                        Rig.open(first.asUpstream("a1", UP), second.asUpstream("a2", UP), third.asUpstream("a3", UP))) {
            for (String request : List.of("CONNECT shop.example.com:443", "GET http://shop.example.com/")) {
                String answer = rig.exchange(request + " HTTP/1.1", "Host: shop.example.com", CLOSE);
                assertThat(answer).startsWith("HTTP/1.1 502 ");
                assertThat(Wire.field(answer, "x-paceline-error")).isEqualTo("upstream_auth");
                assertThat(answer).doesNotContainIgnoringCase("proxy-authenticate");
            }
            assertThat(first.heads).hasSize(2);
            assertThat(second.heads).hasSize(2);
            assertThat(third.heads).as("at most one more attempt").isEmpty();
            assertThat(rig.gatekeeper.given())
                    .allSatisfy(given -> assertThat(given.outcome).isEqualTo(io.paceline.Outcome.credentialsRefused()));
        }
    }

    private void leakInsideATunnelIsNotOurs() throws IOException {
        try (RawServer upstream = RawServer.echoTunnel();
                Rig rig = Rig.open(upstream.asUpstream("a1", UP));
                Wire client = rig.client()) {
            client.sendLines("CONNECT shop.example.com:443 HTTP/1.1", "Host: shop.example.com:443");
            client.head();
            String inside = "GET / HTTP/1.1\r\nProxy-Authorization: Basic eA==\r\n\r\n";
            client.send(inside);
            assertThat(client.octets(inside.length()))
                    .as("octets pass unseen, nothing is added")
                    .isEqualTo(inside);
        }
    }

    private void hopByHopFields() throws IOException {
        String answer = "HTTP/1.1 200 OK\r\nConnection: X-Secret, close\r\nX-Secret: 1\r\nKeep-Alive: 5\r\n"
                + "Proxy-Connection: close\r\nX-Paceline-Lease: forged\r\nX-Kept: yes\r\nContent-Length: 0\r\n\r\n";
        try (RawServer upstream = RawServer.answering(answer);
                Rig rig = Rig.open(upstream.asUpstream("a1"))) {
            String got = rig.exchange(
                    "GET http://shop.example.com/ HTTP/1.1",
                    "Host: shop.example.com",
                    "Connection: close, X-Private",
                    "Keep-Alive: 5",
                    "TE: trailers",
                    "Proxy-Connection: keep-alive",
                    "X-Private: 1",
                    "X-Paceline-Option: 1",
                    "X-Kept: yes");
            String asked = upstream.heads.get(0);
            assertThat(asked)
                    .doesNotContain("X-Private", "Keep-Alive", "TE:", "Proxy-Connection", "X-Paceline")
                    .contains("X-Kept: yes\r\n");
            assertThat(got)
                    .doesNotContain("X-Secret", "Keep-Alive", "Proxy-Connection", "forged")
                    .contains("X-Kept: yes\r\n");
            assertThat(Wire.field(got, "x-paceline-lease")).isEqualTo("l_1");
            assertThat(Wire.field(got, "x-paceline-address")).isEqualTo("a1");
        }
    }

    private void connectionNamesEndToEndFields() throws IOException {
        try (RawServer upstream = RawServer.answering(OK);
                Rig rig = Rig.open(upstream.asUpstream("a1", UP));
                Wire client = rig.client()) {
            client.send("POST http://shop.example.com/ HTTP/1.1\r\nHost: shop.example.com\r\n"
                    + "Connection: Host, Authorization, Content-Length, Proxy-Authorization\r\n"
                    + "Authorization: Basic c2l0ZQ==\r\nContent-Length: 2\r\n\r\nhi");
            assertThat(client.message()).startsWith("HTTP/1.1 200 ");
            String asked = upstream.heads.get(0);
            assertThat(Wire.field(asked, "host")).isEqualTo("shop.example.com");
            assertThat(Wire.field(asked, "content-length")).isEqualTo("2");
            assertThat(Wire.field(asked, "authorization")).isEqualTo("Basic c2l0ZQ==");
            assertThat(Wire.field(asked, "proxy-authorization")).isEqualTo(basic("up01:pw2"));
        }
    }

    private void webSocketIsRefusedClearly() throws IOException {
        try (RawServer upstream = RawServer.answering(OK);
                Rig rig = Rig.open(upstream.asUpstream("a1"))) {
            String answer = rig.exchange(
                    "GET http://ws.example.com/ HTTP/1.1",
                    "Host: x",
                    "Connection: Upgrade, close",
                    "Upgrade: websocket");
            assertThat(answer).startsWith("HTTP/1.1 501 ");
            assertThat(Wire.field(answer, "x-paceline-error")).isEqualTo("not_implemented");
            String plain = rig.exchange(
                    "GET http://ws.example.com/ HTTP/1.1",
                    "Host: x",
                    "Connection: close, Upgrade, HTTP2-Settings",
                    "Upgrade: h2c",
                    "HTTP2-Settings: AAMAAABkAAQAAP__");
            assertThat(plain).as("an offer that may be ignored").startsWith("HTTP/1.1 200 ");
            assertThat(upstream.heads.get(0)).doesNotContainIgnoringCase("upgrade", "http2");
        }
    }

    private void expectContinue() throws IOException {
        RawServer.Script waits = (wire, server) -> {
            String head = wire.head();
            server.heads.add(head);
            if (Wire.field(head, "x-early").equals("100")) {
                wire.send("HTTP/1.1 100 Continue\r\n\r\n");
            } else if (Wire.field(head, "x-early").equals("413")) {
                wire.send("HTTP/1.1 413 Too much\r\nContent-Length: 4\r\n\r\nlong");
                wire.rest();
                return;
            }
            wire.octets(Wire.length(head));
            wire.send(OK);
        };
        try (RawServer upstream = new RawServer(waits);
                Rig rig = Rig.open(upstream.asUpstream("a1"))) {
            for (String early : List.of("100", "none")) {
                try (Wire client = rig.client()) {
                    client.sendLines(post(early));
                    assertThat(client.head()).startsWith("HTTP/1.1 100 ");
                    client.send("hello");
                    assertThat(client.message()).startsWith("HTTP/1.1 200 ").endsWith("ok");
                }
            }
            try (Wire client = rig.client()) {
                client.sendLines(post("413"));
                assertThat(client.rest()).startsWith("HTTP/1.1 413 ").endsWith("long");
            }
        }
    }

    private static String[] post(String early) {
        return new String[] {
            "POST http://shop.example.com/ HTTP/1.1",
            "Host: shop.example.com",
            "X-Early: " + early,
            "Expect: 100-continue",
            "Content-Length: 5"
        };
    }

    private void interimAnswers() throws IOException {
        String early = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n";
        try (RawServer upstream = RawServer.answering(early + early + OK);
                Rig rig = Rig.open(upstream.asUpstream("a1"))) {
            try (Wire client = rig.client()) {
                client.sendLines("GET http://shop.example.com/ HTTP/1.1", "Host: shop.example.com");
                assertThat(client.head()).startsWith("HTTP/1.1 103 ");
                assertThat(client.head()).startsWith("HTTP/1.1 103 ");
                assertThat(client.message()).startsWith("HTTP/1.1 200 ").endsWith("ok");
            }
            assertThat(rig.exchange("GET http://shop.example.com/ HTTP/1.0")).startsWith("HTTP/1.1 200 ");
        }
    }

    private void answersWithoutBody() throws IOException {
        RawServer.Script script = (wire, server) -> {
            while (true) {
                String head = wire.head();
                server.heads.add(head);
                wire.send(
                        head.startsWith("HEAD")
                                ? "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
                                : head.contains("/304")
                                        ? "HTTP/1.1 304 Not Modified\r\nContent-Length: 1000\r\n\r\n"
                                        : head.contains("/204")
                                                ? "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n"
                                                : OK);
            }
        };
        try (RawServer upstream = new RawServer(script);
                Rig rig = Rig.open(upstream.asUpstream("a1"));
                Wire client = rig.client()) {
            client.sendLines("HEAD http://shop.example.com/ HTTP/1.1", "Host: x");
            assertThat(Wire.field(client.head(), "content-length")).isEqualTo("1000");
            client.sendLines("GET http://shop.example.com/304 HTTP/1.1", "Host: x");
            assertThat(client.head()).startsWith("HTTP/1.1 304 ");
            client.sendLines("GET http://shop.example.com/204 HTTP/1.1", "Host: x");
            assertThat(client.head()).startsWith("HTTP/1.1 204 ").doesNotContainIgnoringCase("transfer-encoding");
            client.sendLines("GET http://shop.example.com/ HTTP/1.1", "Host: x");
            assertThat(client.message()).startsWith("HTTP/1.1 200 ").endsWith("ok");
        }
    }

    private void lengthAndChunked() throws IOException {
        assertRefused(
                "POST http://shop.example.com/ HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nG",
                "400");
    }

    private void twoLengths() throws IOException {
        assertRefused(
                "POST http://shop.example.com/ HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n"
                        + "Content-Length: 6\r\n\r\nhello!",
                "400");
        try (RawServer upstream = RawServer.answering(OK);
                Rig rig = Rig.open(upstream.asUpstream("a1"));
                Wire client = rig.client()) {
            client.send("POST http://shop.example.com/ HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n"
                    + "Content-Length: 5\r\n\r\nhello");
            assertThat(client.message()).startsWith("HTTP/1.1 200 ");
            assertThat(Wire.field(upstream.heads.get(0), "content-length")).isEqualTo("5");
        }
    }

    private void strangeTransferEncodings() throws IOException {
        for (String coding : List.of("xchunked", "chunked, identity", "chunked;q=1", "\r\n chunked")) {
            assertRefused(
                    "POST http://shop.example.com/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: " + coding
                            + "\r\n\r\n0\r\n\r\n",
                    "400");
        }
    }

    private static void assertRefused(String request, String status) throws IOException {
        try (RawServer upstream = RawServer.answering(OK);
                Rig rig = Rig.open(upstream.asUpstream("a1"));
                Wire client = rig.client()) {
            client.send(request);
            String all = client.rest();
            assertThat(all).startsWith("HTTP/1.1 " + status + " ");
            assertThat(Wire.field(all, "connection")).isEqualTo("close");
            assertThat(all.split("HTTP/1.1 ", -1)).as("one answer only").hasSize(2);
            assertThat(upstream.heads).isEmpty();
        }
    }

    private void veryLongHeads() throws IOException {
        String long64k = "x".repeat(64 * 1024);
        assertRefused("GET http://shop.example.com/ HTTP/1.1\r\nHost: x\r\nX-Long: " + long64k + "\r\n\r\n", "431");
        assertRefused("GET http://shop.example.com/" + long64k + " HTTP/1.1\r\nHost: x\r\n\r\n", "414");
    }

    /** More than all buffers on the way could hold, to a client that does not read: the origin is made to wait. */
    private void largeDownloadIsStreamed() throws IOException {
        int total = 256 * 1024 * 1024;
        java.util.concurrent.atomic.AtomicLong sent = new java.util.concurrent.atomic.AtomicLong();
        RawServer.Script script = (wire, server) -> {
            wire.head();
            wire.send("HTTP/1.1 200 OK\r\nContent-Length: " + total + "\r\n\r\n");
            byte[] block = new byte[64 * 1024];
            for (int i = 0; i < total / block.length; i++) {
                wire.send(block);
                sent.addAndGet(block.length);
            }
        };
        try (RawServer upstream = new RawServer(script);
                Rig rig = Rig.open(upstream.asUpstream("a1"));
                Wire client = Wire.slowTo(rig.address)) {
            client.sendLines("GET http://shop.example.com/ HTTP/1.1", "Host: x");
            client.head();
            client.octets(1024 * 1024);
            long held = settled(sent);
            assertThat(held).as("octets that the origin could send ahead").isLessThan(64L * 1024 * 1024);
            byte[] some = new byte[256 * 1024];
            long read = 1024 * 1024;
            while (read < total) {
                int count = client.readSome(some);
                assertThat(count).isPositive();
                read += count;
            }
            assertThat(read).isEqualTo(total);
        }
    }

    /** The value when it has stopped to grow. */
    private static long settled(java.util.concurrent.atomic.AtomicLong value) {
        long[] seen = {-1, System.nanoTime()};
        await("the origin stands still", () -> {
            long now = value.get();
            if (now != seen[0]) {
                seen[0] = now;
                seen[1] = System.nanoTime();
            }
            return System.nanoTime() - seen[1] > 300_000_000L;
        });
        return seen[0];
    }

    private void clientGoesAway() throws IOException {
        RawServer.Script endless = (wire, server) -> {
            server.heads.add(wire.head());
            wire.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n");
            byte[] block = new byte[16 * 1024];
            while (true) {
                wire.send(block);
            }
        };
        try (RawServer upstream = new RawServer(endless);
                Rig rig = Rig.open(upstream.asUpstream("a1"))) {
            try (Wire client = rig.client()) {
                client.sendLines("GET http://shop.example.com/ HTTP/1.1", "Host: x");
                client.head();
                client.octets(100_000);
            }
            await("the upstream connection is free", () -> upstream.closedByPeer.get() == 1);
            await("the lease is free", () -> rig.gatekeeper.outcomes().equals(List.of(Kind.NEUTRAL)));
        }
    }

    private void halfClose() throws IOException {
        int size = 1024 * 1024;
        RawServer.Script answersAtTheEnd = (wire, server) -> {
            wire.head();
            wire.send("HTTP/1.1 200 OK\r\n\r\n");
            String request = wire.rest();
            wire.send(request.repeat(size / request.length()));
            wire.shut();
            wire.rest();
        };
        try (RawServer upstream = new RawServer(answersAtTheEnd);
                Rig rig = Rig.open(upstream.asUpstream("a1"));
                Wire client = rig.client()) {
            client.sendLines("CONNECT shop.example.com:443 HTTP/1.1", "Host: shop.example.com:443");
            client.head();
            client.send("question");
            client.shut();
            assertThat(client.rest()).hasSize(size).startsWith("questionquestion");
            await("settled", () -> rig.gatekeeper.outcomes().equals(List.of(Kind.SUCCESS)));
        }
    }

    private void earlyDataBehindConnect() throws IOException {
        try (RawServer upstream = RawServer.echoTunnel();
                Rig rig = Rig.open(upstream.asUpstream("a1"));
                Wire client = rig.client()) {
            String record = "\u0016\u0003\u0001first record \u00ff\u0000";
            client.send("CONNECT shop.example.com:443 HTTP/1.1\r\nHost: shop.example.com:443\r\n\r\n" + record);
            assertThat(client.head()).startsWith("HTTP/1.1 200 ");
            assertThat(client.octets(record.length())).isEqualTo(record);
        }
    }

    private void noTunnelBeforeTheTarget() throws IOException {
        try (RawServer badGateway = RawServer.answering("HTTP/1.1 502 No\r\nContent-Length: 6\r\n\r\nsecret");
                RawServer silent = new RawServer((wire, server) -> wire.rest());
                Rig rig = Rig.open(
                        s -> s.withRetries(0)
                                .withTimeouts(new ProxySettings.Timeouts(
                                        Duration.ofSeconds(30),
                                        Duration.ofSeconds(5),
                                        Duration.ofMillis(300),
                                        Duration.ofSeconds(60),
                                        Duration.ofSeconds(60),
                                        Duration.ofSeconds(60),
                                        Duration.ofSeconds(60))),
                        Rig.DIRECT)) {
            assertThat(rig.exchange("CONNECT nowhere.example.com:443 HTTP/1.1", "Host: x"))
                    .startsWith("HTTP/1.1 502 ");
            rig.gatekeeper.serve(badGateway.asUpstream("a1"));
            assertThat(rig.exchange("CONNECT nowhere.example.com:443 HTTP/1.1", "Host: x"))
                    .startsWith("HTTP/1.1 502 ")
                    .doesNotContain("secret");
            rig.gatekeeper.serve(silent.asUpstream("a2"));
            assertThat(rig.exchange("CONNECT shop.example.com:443 HTTP/1.1", "Host: x"))
                    .startsWith("HTTP/1.1 504 ");
            assertThat(rig.gatekeeper.outcomes()).containsExactly(Kind.TARGET_ERROR, Kind.PROXY_ERROR, Kind.TIMEOUT);
        }
    }

    private void ssrfBySpelling() throws IOException {
        try (RawServer upstream = RawServer.echoTunnel();
                Rig rig = Rig.open(upstream.asUpstream("a1"))) {
            for (String host : List.of(
                    "127.0.0.1",
                    "localhost",
                    "localhost.",
                    "0.0.0.0",
                    "[::1]",
                    "[::]",
                    "[::ffff:169.254.169.254]",
                    "2130706433",
                    "127.1",
                    "169.254.169.254",
                    "10.0.0.1")) {
                assertThat(rig.exchange("CONNECT " + host + ":443 HTTP/1.1", "Host: x"))
                        .as("CONNECT %s", host)
                        .startsWith("HTTP/1.1 403 ");
                assertThat(rig.exchange("GET http://" + host + "/ HTTP/1.1", "Host: x", CLOSE))
                        .as("GET %s", host)
                        .startsWith("HTTP/1.1 403 ");
            }
            assertThat(rig.gatekeeper.given()).as("before any lease").isEmpty();
            assertThat(upstream.heads).isEmpty();
            rig.gatekeeper.serve(Rig.DIRECT);
            rig.names.put(
                    "mixed.example.com",
                    List.of(InetAddress.getByName("198.51.100.20"), InetAddress.getByName("10.0.0.7")));
            assertThat(rig.exchange("CONNECT mixed.example.com:443 HTTP/1.1", "Host: x"))
                    .as("one refusing record refuses all")
                    .startsWith("HTTP/1.1 403 ");
            assertThat(rig.gatekeeper.outcomes()).containsExactly(Kind.CANCELED);
        }
    }

    private void rebinding() throws IOException {
        try (RawServer origin = RawServer.answering(OK);
                Rig rig = Rig.open(s -> s.withAllowPrivateTargets(true), Rig.DIRECT)) {
            rig.names.put("rebind.example.com", List.of(Wire.loopback()));
            String url = "GET http://rebind.example.com:" + origin.port() + "/ HTTP/1.1";
            assertThat(rig.exchange(url, "Host: x", CLOSE)).startsWith("HTTP/1.1 200 ");
            assertThat(rig.lookups).as("one resolution per connection").containsExactly("rebind.example.com");
        }
        try (Rig rig = Rig.open(Rig.DIRECT)) {
            rig.names.put("rebind.example.com", List.of(Wire.loopback()));
            assertThat(rig.exchange("GET http://rebind.example.com/ HTTP/1.1", "Host: x", CLOSE))
                    .startsWith("HTTP/1.1 403 ");
            assertThat(rig.lookups).hasSize(1);
        }
    }

    private void connectToPort25() throws IOException {
        try (RawServer upstream = RawServer.echoTunnel();
                Rig rig = Rig.open(upstream.asUpstream("a1"));
                Rig any = Rig.open(s -> s.withConnectPorts(Set.of()), upstream.asUpstream("a1"))) {
            assertThat(rig.exchange("CONNECT mail.example.com:25 HTTP/1.1", "Host: x"))
                    .startsWith("HTTP/1.1 403 ");
            for (int port : new int[] {443, 563}) {
                try (Wire client = rig.client()) {
                    client.sendLines("CONNECT mail.example.com:" + port + " HTTP/1.1", "Host: x");
                    assertThat(client.head()).startsWith("HTTP/1.1 200 ");
                }
            }
            try (Wire client = any.client()) {
                client.sendLines("CONNECT mail.example.com:25 HTTP/1.1", "Host: x");
                assertThat(client.head()).startsWith("HTTP/1.1 200 ");
            }
        }
    }

    private void loops() throws IOException {
        try (Rig rig = Rig.open(s -> s.withAllowPrivateTargets(true).withConnectPorts(Set.of()), Rig.DIRECT)) {
            int port = rig.address.getPort();
            assertThat(rig.exchange("GET http://127.0.0.1:" + port + "/ HTTP/1.1", "Host: x", CLOSE))
                    .startsWith("HTTP/1.1 508 ");
            assertThat(rig.exchange("CONNECT localhost:" + port + " HTTP/1.1", "Host: x", CLOSE))
                    .startsWith("HTTP/1.1 508 ");
            rig.names.put("me.example.com", List.of(Wire.loopback()));
            assertThat(rig.exchange("GET http://me.example.com:" + port + "/ HTTP/1.1", "Host: x", CLOSE))
                    .startsWith("HTTP/1.1 508 ");
            rig.gatekeeper.serve(RawServer.upstream("self", port, null));
            assertThat(rig.exchange("GET http://shop.example.com/ HTTP/1.1", "Host: x", CLOSE))
                    .as("our own Via comes back")
                    .startsWith("HTTP/1.1 508 ");
            assertThat(rig.exchange("GET /x HTTP/1.1", "Host: x", CLOSE)).startsWith("HTTP/1.1 400 ");
            assertThat(rig.exchange("GET /livez HTTP/1.1", "Host: x", CLOSE)).startsWith("HTTP/1.1 200 ");
        }
    }

    private void slowHeads() throws IOException {
        try (RawServer upstream = RawServer.answering(OK);
                Rig rig = Rig.open(
                        s -> s.withTimeouts(new ProxySettings.Timeouts(
                                Duration.ofMillis(1500),
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(60),
                                Duration.ofSeconds(60),
                                Duration.ofSeconds(60),
                                Duration.ofSeconds(60))),
                        upstream.asUpstream("a1"))) {
            List<Wire> slow = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                Wire wire = rig.client();
                wire.send("GET http");
                slow.add(wire);
            }
            assertThat(rig.exchange("GET http://shop.example.com/ HTTP/1.1", "Host: x", CLOSE))
                    .startsWith("HTTP/1.1 200 ");
            for (Wire wire : slow) {
                assertThat(wire.rest()).startsWith("HTTP/1.1 408 ");
                wire.close();
            }
        }
    }

    private void replayOfPost() throws IOException {
        RawServer.Script closesAfterBody = (wire, server) -> {
            String head = wire.head();
            server.heads.add(head);
            wire.octets(Wire.length(head));
        };
        String body = "POST http://shop.example.com/ HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello";
        try (RawServer good = RawServer.answering(OK);
                RawServer closing = new RawServer(closesAfterBody);
                Rig rig = Rig.open(RawServer.upstream("gone", RawServer.closedPort(), null), good.asUpstream("a2"))) {
            try (Wire client = rig.client()) {
                client.send(body);
                assertThat(client.message()).startsWith("HTTP/1.1 200 ");
            }
            rig.gatekeeper.serve(closing.asUpstream("a3"), good.asUpstream("a2"));
            try (Wire client = rig.client()) {
                client.send(body);
                assertThat(client.rest()).startsWith("HTTP/1.1 502 ");
            }
            assertThat(closing.heads).hasSize(1);
            assertThat(good.heads).as("not sent again").hasSize(1);
            assertThat(rig.gatekeeper.outcomes()).containsExactly(Kind.CONNECT_ERROR, Kind.SUCCESS, Kind.CONNECT_ERROR);
        }
    }

    private void poolEmpty() throws IOException {
        try (RawServer origin = RawServer.answering(OK);
                Rig rig = Rig.open(s -> s.withAllowPrivateTargets(true))) {
            rig.gatekeeper.refuse(Reason.NO_ADDRESS, 61_000_000);
            String answer = rig.exchange("GET http://127.0.0.1:" + origin.port() + "/ HTTP/1.1", "Host: x", CLOSE);
            assertThat(answer).startsWith("HTTP/1.1 503 ");
            assertThat(Wire.field(answer, "retry-after")).isEqualTo("61");
            assertThat(Wire.field(answer, "x-paceline-error")).isEqualTo("no_address");
            assertThat(origin.connections).isEmpty();
        }
    }

    private void credentialsStayInside() throws IOException {
        Credentials secret = new Credentials("up01", "s3cr3t");
        String encoded = encoded("up01:s3cr3t");
        try (RawServer refusing = RawServer.answering("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n");
                RawServer closing = new RawServer((wire, server) -> wire.head());
                RawServer babbling = RawServer.answering("SSH-2.0\r\n\r\n");
                Rig rig = Rig.open()) {
            StringBuilder seen = new StringBuilder();
            for (int port : new int[] {RawServer.closedPort(), refusing.port(), closing.port(), babbling.port()}) {
                rig.gatekeeper.serve(RawServer.upstream("a1", port, secret));
                seen.append(rig.exchange("GET http://shop.example.com/ HTTP/1.1", "Host: x", CLOSE));
                seen.append(rig.exchange("CONNECT shop.example.com:443 HTTP/1.1", "Host: x", CLOSE));
            }
            seen.append(rig.exchange("GET http://up01:s3/cr3t@198.51.100.7:3128/ HTTP/1.1", "Host: x", CLOSE));
            seen.append(rig.results);
            seen.append(ClientCredentials.parse(basic("up01:s3cr3t")).orElseThrow());
            assertThat(seen.toString()).contains("HTTP/1.1 502 ").doesNotContain("s3cr3t", encoded, "s3/cr3t");
        }
    }

    private static String basic(String pair) {
        return "Basic " + encoded(pair);
    }

    private static String encoded(String pair) {
        return Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }
}
