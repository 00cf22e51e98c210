package io.paceline;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Outcome.Kind;
import io.paceline.health.ControlAnswer;
import io.paceline.health.ControlResult;
import io.paceline.health.ControlResult.Verdict;
import io.paceline.health.ControlUrl;
import io.paceline.health.ProbeSettings;
import io.paceline.health.State;
import io.paceline.pace.HostPattern;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import io.paceline.store.MemoryStore;
import io.paceline.store.StateStore;
import io.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Active probes through the gatekeeper's door, in virtual time. */
class ActiveProbesTest {
    private static final String SITE = "https://www.example.com/";
    private static final String A = "http://198.51.100.1/ok";
    private static final String B = "http://203.0.113.9/ok";
    private static final long LATENCY_MICROS = 80_000;

    private final VirtualTime time = new VirtualTime();
    private final StateStore store = new MemoryStore(time);
    private final World world = new World();
    private final List<String> log = new ArrayList<>();
    private final Map<String, Integer> probesOf = new HashMap<>();

    /** Control URLs and the way to them. */
    private final class World implements Prober {
        final Set<String> deadUrls = new HashSet<>();
        final Set<String> deadHosts = new HashSet<>();
        final Map<String, Integer> statusThroughProxies = new HashMap<>();
        boolean uplink = true;
        int asked;

        @Override
        public boolean supports(Endpoint via) {
            return via.scheme() != Endpoint.Scheme.SOCKS5;
        }

        @Override
        public CompletionStage<ControlAnswer> ask(Endpoint via, String url) {
            asked++;
            CompletableFuture<ControlAnswer> answer = new CompletableFuture<>();
            ControlAnswer told = answer(via, url);
            long after = told.passed() ? LATENCY_MICROS : via.isDirect() ? 5_000_000 : 10_000_000;
            time.at(time.micros() + after, () -> answer.complete(told));
            return answer;
        }

        private ControlAnswer answer(Endpoint via, String url) {
            Integer status = statusThroughProxies.get(url);
            if (!uplink || deadUrls.contains(url) || deadHosts.contains(via.host())) {
                return ControlAnswer.silent("timed out");
            }
            return status != null && !via.isDirect()
                    ? ControlAnswer.answered(status, LATENCY_MICROS)
                    : ControlAnswer.passed(204, LATENCY_MICROS);
        }
    }

    private EmbeddedGatekeeper gate(List<Address> addresses, String... urls) {
        PoolSettings settings = PoolSettings.defaults("default")
                .withProbe(ProbeSettings.defaults().withUrls(List.of(urls)));
        Rule open = Rule.builder(HostPattern.parse("*"))
                .name("open")
                .limit(1_000_000)
                .window(Duration.ofSeconds(1))
                .build();
        GateListener listener = new GateListener() {
            @Override
            public void transition(Transition transition) {
                if (transition.cause().equals("suspect")) {
                    return; // told before most verdicts, and no news here
                }
                log.add(transition.addressId() + " "
                        + transition.from().state().word() + "->"
                        + transition.to().state().word() + " " + transition.cause());
            }

            @Override
            public void controlUrl(ControlUrl url) {
                log.add((url.alive() ? "alive " : "dead ") + url.name());
            }

            @Override
            public void probed(String pool, String addressId, ControlResult result) {
                probesOf.merge(addressId, 1, Integer::sum);
            }
        };
        return EmbeddedGatekeeper.builder(store, time, time, new SharedRandom(42 + log.size()))
                .listener(listener)
                .prober(world)
                .start(new GateConfig(
                        List.of(new PoolConfig(settings, addresses)), TargetBook.empty(), RuleBook.of(List.of(open))))
                .toCompletableFuture()
                .join();
    }

    private static List<Address> addresses(int count) {
        List<Address> addresses = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            addresses.add(address(i, Endpoint.Scheme.HTTP, false));
        }
        return addresses;
    }

    private static Address address(int i, Endpoint.Scheme scheme, boolean metered) {
        return new Address("a" + i, new Endpoint(scheme, host(i), 8080, null), Map.of(), 1, metered);
    }

    private static String host(int i) {
        return "192.0.2." + (i + 1);
    }

    private State state(EmbeddedGatekeeper gate, String id) {
        return gate.pools().get(0).addresses().stream()
                .filter(address -> address.address().id().equals(id))
                .findFirst()
                .orElseThrow()
                .standing()
                .state();
    }

    /** Reports until the address is out. */
    private void putOut(EmbeddedGatekeeper gate, String id) {
        for (int i = 0; i < 5; i++) {
            time.advance(Duration.ofSeconds(1));
            gate.report(id, null, false).toCompletableFuture().join();
        }
        assertThat(state(gate, id)).isEqualTo(State.QUARANTINED);
    }

    @Test
    void a_quarantined_address_comes_back_by_probes_alone() {
        EmbeddedGatekeeper gate = gate(addresses(5), A, B);
        putOut(gate, "a3");
        time.advance(Duration.ofSeconds(90));
        assertThat(log)
                .containsExactly(
                        "a3 degraded->quarantined failures",
                        "a3 quarantined->probing wait_over",
                        "a3 probing->probing recovered");
        time.advance(Duration.ofSeconds(60));
        assertThat(state(gate, "a3")).isEqualTo(State.HEALTHY);
    }

    @Test
    void no_request_is_risked_on_a_half_open_address() {
        EmbeddedGatekeeper gate = gate(addresses(3), A, B);
        world.deadHosts.add(host(2));
        putOut(gate, "a2");
        for (int i = 0; i < 400; i++) {
            time.advance(Duration.ofMillis(500));
            Decision decision = gate.acquire(Request.builder(SITE).build())
                    .toCompletableFuture()
                    .join();
            Lease lease = ((Decision.Granted) decision).lease();
            assertThat(lease.address().id()).isNotEqualTo("a2");
            gate.settle(Objects.requireNonNull(lease.id()), Outcome.of(Kind.SUCCESS, 1_000));
        }
        assertThat(log).filteredOn(line -> line.contains("relapse")).isNotEmpty();
        assertThat(log).filteredOn(line -> line.startsWith("dead")).isEmpty();
    }

    @Test
    void an_idle_address_that_has_died_is_found_out() {
        gate(addresses(5), A, B);
        world.deadHosts.add(host(4));
        time.advance(Duration.ofMinutes(8));
        assertThat(log).contains("a4 healthy->quarantined failures").allMatch(line -> line.startsWith("a4"));
    }

    @Test
    void a_dead_control_url_is_named_within_half_a_minute_and_harms_nobody() {
        EmbeddedGatekeeper gate = gate(addresses(20), A, B);
        time.advance(Duration.ofMinutes(2));
        world.deadUrls.add(A);
        time.advance(Duration.ofSeconds(30));
        assertThat(log).containsExactly("dead " + A);
        time.advance(Duration.ofMinutes(10));
        world.deadUrls.add(B);
        time.advance(Duration.ofSeconds(30));
        assertThat(log).containsExactly("dead " + A, "dead " + B);
        time.advance(Duration.ofMinutes(10));
        assertThat(log).hasSize(2);
        assertThat(gate.controlUrls()).noneMatch(ControlUrl::alive);
        world.deadUrls.clear();
        time.advance(Duration.ofSeconds(30));
        assertThat(log).hasSize(4).contains("alive " + A, "alive " + B);
    }

    @Test
    void an_outage_of_our_own_side_harms_nobody() {
        gate(addresses(20), A, B);
        time.advance(Duration.ofMinutes(2));
        world.uplink = false;
        time.advance(Duration.ofMinutes(10));
        world.uplink = true;
        time.advance(Duration.ofMinutes(1));
        assertThat(log).containsExactlyInAnyOrder("dead " + A, "dead " + B, "alive " + A, "alive " + B);
    }

    @Test
    void with_every_control_url_dead_half_open_addresses_fall_back_to_live_leases() {
        EmbeddedGatekeeper gate = gate(addresses(3), A, B);
        world.deadUrls.addAll(List.of(A, B));
        time.advance(Duration.ofSeconds(30));
        putOut(gate, "a1");
        time.advance(Duration.ofSeconds(80));
        int probes = 0;
        for (int i = 0; i < 100; i++) {
            time.advance(Duration.ofMillis(500));
            Decision decision = gate.acquire(Request.builder(SITE).build())
                    .toCompletableFuture()
                    .join();
            Lease lease = ((Decision.Granted) decision).lease();
            probes += lease.probe() ? 1 : 0;
            gate.settle(Objects.requireNonNull(lease.id()), Outcome.of(Kind.SUCCESS, 1_000));
        }
        assertThat(probes).isEqualTo(5);
        assertThat(log).contains("a1 probing->probing recovered");
    }

    /** Q-S27: 500 proxies, the check URL answers 429. */
    @Test
    void a_check_url_that_refuses_every_proxy_is_named_and_every_state_is_kept() {
        gate(addresses(200), A);
        world.statusThroughProxies.put(A, 429);
        time.advance(Duration.ofHours(2));
        assertThat(log).containsExactly("dead " + A);
        world.statusThroughProxies.clear();
        time.advance(Duration.ofMinutes(21));
        assertThat(log).containsExactly("dead " + A, "alive " + A);
    }

    /** Q-S28. */
    @Test
    void metered_addresses_are_never_probed_and_neither_are_those_that_cannot_be_spoken_to() {
        EmbeddedGatekeeper gate = gate(
                List.of(
                        address(0, Endpoint.Scheme.HTTP, true),
                        address(1, Endpoint.Scheme.SOCKS5, false),
                        address(2, Endpoint.Scheme.HTTP, false)),
                A,
                B);
        time.advance(Duration.ofMinutes(30));
        assertThat(probesOf).containsOnlyKeys("a2");
        assertThat(control(gate, "a0").verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void two_instances_share_the_probes_of_one_pool() {
        gate(addresses(10), A, B);
        int alone = asksWithin();
        log.add("the second one draws other numbers");
        gate(addresses(10), A, B);
        assertThat(asksWithin()).isLessThan(alone * 7 / 4);
        assertThat(probesOf.keySet()).hasSize(10);
    }

    private int asksWithin() {
        time.advance(Duration.ofMinutes(2));
        int before = probesOf.values().stream().mapToInt(count -> count).sum();
        time.advance(Duration.ofMinutes(20));
        return probesOf.values().stream().mapToInt(count -> count).sum() - before;
    }

    @Test
    void an_instance_that_dies_in_the_middle_of_a_probe_leaves_it_to_the_other() {
        EmbeddedGatekeeper first = gate(addresses(3), A, B);
        putOut(first, "a1");
        time.advance(Duration.ofSeconds(59));
        first.close();
        log.add("the first one is gone");
        gate(addresses(3), A, B);
        time.advance(Duration.ofMinutes(3));
        assertThat(log).contains("a1 probing->probing recovered");
    }

    @Test
    void a_control_probe_on_suspicion_tells_the_address_from_the_url() {
        EmbeddedGatekeeper gate = gate(addresses(3), A, B);
        time.advance(Duration.ofSeconds(10));
        assertThat(control(gate, "a0").verdict()).isEqualTo(Verdict.PASSED);
        assertThat(control(gate, "a0").latencyMicros()).isEqualTo(LATENCY_MICROS);
        world.deadHosts.add(host(1));
        ControlResult guilty = control(gate, "a1");
        assertThat(guilty.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(guilty.evidence()).contains(A + " timed out (passes directly)");
        world.uplink = false;
        assertThat(control(gate, "a1").verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(control(gate, "nobody").verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    private ControlResult control(EmbeddedGatekeeper gate, String id) {
        CompletableFuture<ControlResult> asked = gate.control("default", id).toCompletableFuture();
        for (int i = 0; i < 60 && !asked.isDone(); i++) {
            time.advance(Duration.ofSeconds(1));
        }
        assertThat(asked).isDone();
        return asked.join();
    }

    @Test
    void without_control_urls_nothing_is_asked() {
        gate(addresses(5));
        time.advance(Duration.ofMinutes(10));
        assertThat(world.asked).isZero();
    }
}
