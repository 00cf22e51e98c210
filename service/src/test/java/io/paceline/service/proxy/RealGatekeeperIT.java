package io.paceline.service.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Address;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.GateConfig;
import io.paceline.SharedRandom;
import io.paceline.pace.HostPattern;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import io.paceline.store.MemoryStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The proxy over the gatekeeper that ships, on the embedded store. */
class RealGatekeeperIT {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String GET = "GET http://shop.example.com/ HTTP/1.1";
    private static final String CLOSE = "Connection: close";

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void stopTheTimer() {
        timer.shutdownNow();
    }

    private EmbeddedGatekeeper gate(int limit, Address... addresses) {
        Rule rule = Rule.builder(HostPattern.parse("*"))
                .name("test")
                .limit(limit)
                .window(Duration.ofMinutes(1))
                .build();
        return EmbeddedGatekeeper.builder(
                        new MemoryStore(RealGatekeeperIT::micros),
                        RealGatekeeperIT::micros,
                        this::at,
                        new SharedRandom(7))
                .start(new GateConfig(
                        List.of(new PoolConfig(PoolSettings.defaults("default"), List.of(addresses))),
                        TargetBook.empty(),
                        RuleBook.of(List.of(rule))))
                .toCompletableFuture()
                .join();
    }

    private static long micros() {
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime()) + 1_700_000_000_000_000L;
    }

    private void at(long atMicros, Runnable task) {
        if (!timer.isShutdown()) {
            var unused = timer.schedule(task, Math.max(0, atMicros - micros()), TimeUnit.MICROSECONDS);
        }
    }

    @Test
    void deadAddressesAreRoutedAround() throws IOException {
        try (RawServer first = RawServer.answering(OK);
                RawServer second = RawServer.answering(OK);
                Rig rig = Rig.over(gate(
                        10_000,
                        RawServer.upstream("dead", RawServer.closedPort(), null),
                        first.asUpstream("a1"),
                        second.asUpstream("a2")))) {
            Set<String> served = new HashSet<>();
            for (int i = 0; i < 40; i++) {
                String answer = rig.exchange(GET, "Host: x", CLOSE);
                assertThat(answer).startsWith("HTTP/1.1 200 ");
                served.add(Wire.field(answer, "x-paceline-address"));
            }
            assertThat(served).containsExactlyInAnyOrder("a1", "a2");
        }
    }

    @Test
    void anAddressAloneAndDeadIsA502AndNotARefusal() throws IOException {
        try (Rig rig = Rig.over(gate(10_000, RawServer.upstream("dead", RawServer.closedPort(), null)))) {
            String answer = rig.exchange(GET, "Host: x", CLOSE);
            assertThat(answer).startsWith("HTTP/1.1 502 ");
            assertThat(Wire.field(answer, "x-paceline-error")).isEqualTo("upstream_unreachable");
        }
    }

    @Test
    void aSessionKeepsItsAddress() throws IOException {
        try (RawServer first = RawServer.answering(OK);
                RawServer second = RawServer.answering(OK);
                RawServer third = RawServer.answering(OK);
                Rig rig = Rig.over(
                        gate(10_000, first.asUpstream("a1"), second.asUpstream("a2"), third.asUpstream("a3")))) {
            Set<String> served = new HashSet<>();
            for (int i = 0; i < 12; i++) {
                String answer = rig.exchange(GET, "Host: x", CLOSE, user("u-session-acct-17"));
                served.add(Wire.field(answer, "x-paceline-address"));
            }
            assertThat(served).hasSize(1).doesNotContain("");
        }
    }

    @Test
    void theRuleHoldsAndSaysWhenToComeBack() throws IOException {
        try (RawServer upstream = RawServer.answering(OK);
                Rig rig = Rig.over(gate(3, upstream.asUpstream("a1")))) {
            for (int i = 0; i < 3; i++) {
                assertThat(rig.exchange(GET, "Host: x", CLOSE)).startsWith("HTTP/1.1 200 ");
            }
            String refused = rig.exchange(GET, "Host: x", CLOSE);
            assertThat(refused).startsWith("HTTP/1.1 429 ");
            assertThat(Integer.parseInt(Wire.field(refused, "retry-after"))).isBetween(1, 60);
            assertThat(upstream.heads).hasSize(3);
        }
    }

    @Test
    void aPoolThatDoesNotExistAndACountryThatNobodyHasAreToldApart() throws IOException {
        try (RawServer upstream = RawServer.answering(OK);
                Rig rig = Rig.over(gate(10_000, upstream.asUpstream("a1")))) {
            assertThat(rig.exchange(GET, "Host: x", CLOSE, user("u-pool-nope"))).startsWith("HTTP/1.1 400 ");
            String answer = rig.exchange(GET, "Host: x", CLOSE, user("u-country-de"));
            assertThat(answer).startsWith("HTTP/1.1 503 ");
            assertThat(Wire.field(answer, "x-paceline-error")).isEqualTo("no_address");
            assertThat(upstream.connections).isEmpty();
        }
    }

    private static String user(String name) {
        return "Proxy-Authorization: Basic "
                + Base64.getEncoder().encodeToString((name + ":any").getBytes(StandardCharsets.UTF_8));
    }
}
