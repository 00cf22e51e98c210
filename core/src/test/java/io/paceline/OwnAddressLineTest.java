package io.paceline;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Decision.Granted;
import io.paceline.pace.HostPattern;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import io.paceline.pool.Strategy;
import io.paceline.store.MemoryStore;
import io.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who waits for one certain address does not stand in the way of those whom another would serve. */
class OwnAddressLineTest {
    private static final String SITE = "http://shop.test/";
    private final VirtualTime time = new VirtualTime();

    private EmbeddedGatekeeper gate(Strategy strategy, int size) {
        PoolSettings d = PoolSettings.defaults("default");
        PoolSettings exclusive = new PoolSettings(
                "default", strategy, Map.of(), 1, 1, d.leaseTtl(), d.session(), d.health(), d.quarantine());
        List<Address> addresses = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            Endpoint endpoint = new Endpoint(Endpoint.Scheme.HTTP, "198.51.100." + (i + 1), 8080, null);
            addresses.add(new Address("a" + i, endpoint, Map.of(), 1, false));
        }
        Rule open = Rule.builder(HostPattern.parse("*"))
                .name("open")
                .limit(1_000)
                .window(Duration.ofSeconds(1))
                .build();
        GateConfig config = new GateConfig(
                List.of(new PoolConfig(exclusive, addresses)), TargetBook.empty(), RuleBook.of(List.of(open)));
        return EmbeddedGatekeeper.builder(new MemoryStore(time), time, time, new SharedRandom(42))
                .start(config)
                .toCompletableFuture()
                .join();
    }

    private static Lease lease(CompletableFuture<Decision> asked) {
        assertThat(asked).isCompletedWithValueMatching(Granted.class::isInstance);
        return ((Granted) asked.join()).lease();
    }

    private static void release(EmbeddedGatekeeper gate, Lease lease) {
        gate.settle(Objects.requireNonNull(lease.id()), Outcome.of(Outcome.Kind.SUCCESS));
    }

    private static Request.Builder patient() {
        return Request.builder(SITE).maxWait(Duration.ofSeconds(30));
    }

    @Test
    void a_session_that_waits_for_its_address_holds_up_nobody_else() {
        EmbeddedGatekeeper gate = gate(Strategy.WEIGHTED, 2);
        Lease own = lease(gate.acquire(patient().session("s").build()).toCompletableFuture());
        Lease other = lease(gate.acquire(patient().build()).toCompletableFuture());
        CompletableFuture<Decision> again =
                gate.acquire(patient().session("s").build()).toCompletableFuture();
        CompletableFuture<Decision> anybody = gate.acquire(patient().build()).toCompletableFuture();
        assertThat(gate.waiting()).isEqualTo(2);
        release(gate, other);
        assertThat(again).isNotDone();
        assertThat(lease(anybody).address()).isEqualTo(other.address());
        release(gate, own);
        assertThat(lease(again).address()).isEqualTo(own.address());
    }

    @Test
    void by_hash_each_key_waits_for_its_own_address() {
        EmbeddedGatekeeper gate = gate(Strategy.HASH, 2);
        Lease first = lease(gate.acquire(patient().clientId("c0").build()).toCompletableFuture());
        String otherClient = null;
        Lease second = null;
        for (int i = 1; second == null; i++) {
            otherClient = "c" + i;
            Request now = patient().clientId(otherClient).maxWait(null).build();
            if (gate.acquire(now).toCompletableFuture().join() instanceof Granted granted) {
                second = granted.lease();
            }
        }
        CompletableFuture<Decision> behindFirst =
                gate.acquire(patient().clientId("c0").build()).toCompletableFuture();
        CompletableFuture<Decision> behindSecond = gate.acquire(
                        patient().clientId(Objects.requireNonNull(otherClient)).build())
                .toCompletableFuture();
        release(gate, second);
        assertThat(lease(behindSecond).address()).isEqualTo(second.address());
        assertThat(behindFirst).isNotDone();
        release(gate, first);
        assertThat(lease(behindFirst).address()).isEqualTo(first.address());
    }
}
