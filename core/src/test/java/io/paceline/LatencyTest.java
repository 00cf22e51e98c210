package io.paceline;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Decision.Granted;
import io.paceline.Outcome.Kind;
import io.paceline.health.State;
import io.paceline.pace.HostPattern;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pool.AddressStatus;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import io.paceline.store.MemoryStore;
import io.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An address that becomes slow against its own norm, as timelines through the public door. */
class LatencyTest {
    private static final List<String> SITES = List.of("https://one.test/", "https://two.test/");
    private static final Rule OPEN = Rule.builder(HostPattern.parse("*"))
            .name("open")
            .limit(1_000_000)
            .window(Duration.ofSeconds(1))
            .build();

    private final VirtualTime time = new VirtualTime();
    private final RandomGenerator luck = new SharedRandom(7);
    private final List<Transition> transitions = new ArrayList<>();

    // ---- how the tests speak

    /** How long the site takes through the address, in seconds. */
    private interface World {
        double seconds(String address, String site);
    }

    private EmbeddedGatekeeper gate(MemoryStore store, int addresses) {
        List<Address> list = IntStream.range(0, addresses)
                .mapToObj(i -> new Address(
                        "a" + i,
                        new Endpoint(Endpoint.Scheme.HTTP, "198.51.100." + (i + 1), 8080, null),
                        Map.of(),
                        1,
                        false))
                .toList();
        GateConfig config = new GateConfig(
                List.of(new PoolConfig(PoolSettings.defaults("default"), list)),
                TargetBook.empty(),
                RuleBook.of(List.of(OPEN)));
        GateListener listener = new GateListener() {
            @Override
            public void transition(Transition transition) {
                transitions.add(transition);
            }
        };
        return EmbeddedGatekeeper.builder(store, time, time, new SharedRandom(42))
                .listener(listener)
                .start(config)
                .toCompletableFuture()
                .join();
    }

    private EmbeddedGatekeeper gate(int addresses) {
        return gate(new MemoryStore(time), addresses);
    }

    /** Four requests a second, each over before the next; latencies spread as they do in the wild. */
    private void crawl(EmbeddedGatekeeper gate, List<String> sites, int requests, World world) {
        for (int i = 0; i < requests; i++) {
            String site = sites.get(i % sites.size());
            Decision decision =
                    gate.acquire(Request.to(site)).toCompletableFuture().join();
            assertThat(decision).isInstanceOf(Granted.class);
            Lease lease = ((Granted) decision).lease();
            double seconds = world.seconds(lease.address().id(), site) * Math.exp(0.4 * luck.nextGaussian());
            time.advance(Duration.ofMillis(250));
            LeaseId id = Objects.requireNonNull(lease.id());
            gate.settle(id, Outcome.of(Kind.SUCCESS, (long) (seconds * 1e6)));
        }
    }

    private static AddressStatus status(EmbeddedGatekeeper gate, String address) {
        return gate.pools().get(0).addresses().stream()
                .filter(status -> status.address().id().equals(address))
                .findFirst()
                .orElseThrow();
    }

    private List<String> degraded() {
        return transitions.stream()
                .filter(transition -> transition.to().state() == State.DEGRADED)
                .map(Transition::addressId)
                .toList();
    }

    // ---- timelines

    @ParameterizedTest
    @ValueSource(ints = {3, 10, 40})
    void an_address_that_is_slow_against_its_norm_is_degraded_with_the_figures_and_comes_back(int addresses) {
        EmbeddedGatekeeper gate = gate(addresses);
        crawl(gate, SITES, 100 * addresses, (address, site) -> 0.3);
        assertThat(transitions).isEmpty();

        crawl(gate, SITES, 60 * addresses, (address, site) -> address.equals("a1") ? 2.1 : 0.3);
        assertThat(degraded()).contains("a1").doesNotContain("a0", "a2");
        Transition transition = transitions.get(0);
        assertThat(transition.cause()).isEqualTo("suspect");
        assertThat(transition.reason())
                .matches("p95 \\d\\.\\d s, [3-9]\\.\\d times its norm of (\\d{3} ms|\\d\\.\\d s)");
        assertThat(status(gate, "a1").standing().state()).isEqualTo(State.DEGRADED);
        assertThat(status(gate, "a1").latencyJump()).isGreaterThan(3);

        crawl(gate, SITES, 300 * addresses, (address, site) -> 0.3);
        assertThat(status(gate, "a1").standing().state()).isEqualTo(State.HEALTHY);
        assertThat(transitions.get(transitions.size() - 1).reason()).isEqualTo("nothing suspect for a full dwell");
    }

    @Test
    void what_goes_on_being_slow_stays_degraded_and_its_norm_does_not_follow() {
        EmbeddedGatekeeper gate = gate(10);
        crawl(gate, SITES, 1_000, (address, site) -> 0.3);
        crawl(gate, SITES, 8_000, (address, site) -> address.equals("a1") ? 2.1 : 0.3);
        assertThat(degraded()).containsExactly("a1");
        assertThat(status(gate, "a1").standing().state()).isEqualTo(State.DEGRADED);
    }

    @Test
    void an_address_that_was_always_slow_is_what_it_is() {
        EmbeddedGatekeeper gate = gate(10);
        crawl(gate, SITES, 5_000, (address, site) -> address.equals("a1") ? 2.1 : 0.3);
        assertThat(transitions).isEmpty();
        assertThat(status(gate, "a1").latencyJump()).isBetween(0.4, 2.5);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 10, 40})
    void a_site_that_becomes_slow_for_all_degrades_nobody(int addresses) {
        EmbeddedGatekeeper gate = gate(addresses);
        crawl(gate, SITES, 100 * addresses, (address, site) -> 0.3);
        crawl(gate, SITES, 100 * addresses, (address, site) -> site.equals(SITES.get(0)) ? 2.1 : 0.3);
        crawl(gate, SITES, 100 * addresses, (address, site) -> 2.1);
        assertThat(transitions).isEmpty();
    }

    @Test
    void other_work_on_a_slower_site_is_no_jump() {
        EmbeddedGatekeeper gate = gate(10);
        crawl(gate, SITES.subList(0, 1), 1_000, (address, site) -> 0.1);
        crawl(gate, SITES.subList(1, 2), 1_000, (address, site) -> 1.5);
        assertThat(transitions).isEmpty();
    }

    @Test
    void nothing_is_said_before_a_norm_is_known() {
        EmbeddedGatekeeper gate = gate(10);
        crawl(gate, SITES, 150, (address, site) -> 0.3);
        crawl(gate, SITES, 100, (address, site) -> address.equals("a1") ? 2.1 : 0.3);
        assertThat(transitions).isEmpty();
        assertThat(status(gate, "a1").latencyJump()).isZero();
        assertThat(status(gate, "a0").p50Micros()).isBetween(200_000L, 450_000L);
        assertThat(status(gate, "a0").p95Micros()).isBetween(350_000L, 1_200_000L);
    }

    @Test
    void milliseconds_are_never_slow() {
        EmbeddedGatekeeper gate = gate(10);
        crawl(gate, SITES, 1_000, (address, site) -> 0.000_5);
        crawl(gate, SITES, 1_000, (address, site) -> address.equals("a1") ? 0.004 : 0.000_5);
        assertThat(transitions).isEmpty();
    }

    @Test
    void a_norm_outlives_a_restart() {
        MemoryStore store = new MemoryStore(time);
        crawl(gate(store, 10), SITES, 1_000, (address, site) -> 0.3);
        EmbeddedGatekeeper again = gate(MemoryStore.restore(time, store.snapshot()), 10);
        crawl(again, SITES, 500, (address, site) -> address.equals("a1") ? 2.1 : 0.3);
        assertThat(degraded()).containsExactly("a1");
    }
}
