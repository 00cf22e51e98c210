package io.paceline;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.PoolsOfATest.Pool;
import io.paceline.pool.PoolConfig;
import io.paceline.store.DelayedStore;
import io.paceline.store.MemoryStore;
import io.paceline.store.OnAddressDeath;
import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import io.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Three gatekeepers over one store and a bad network, while addresses leave and return, sessions are re-pinned and a
 * fallback serves: a session has one address at any time, and whoever holds its first lease elsewhere was told.
 */
class MovingSessionsTest {
    private static final Duration LENGTH = Duration.ofMinutes(5);
    private static final int SESSIONS = 12;

    private final PoolsOfATest pools = new PoolsOfATest()
            .pool(Pool.named("default").on(OnAddressDeath.MIGRATE).cap(3).fallback("spare"), List.of())
            .pool(Pool.named("spare").cap(3), PoolsOfATest.addresses("b", 3));
    private final VirtualTime time = pools.time;
    private final List<EmbeddedGatekeeper> gates = new ArrayList<>();
    private final Map<String, List<Held>> held = new TreeMap<>();
    private RandomGenerator random = Seeds.random(0);
    private int moves;

    /** What a client held: from the grant to the moment at which it let go, at the latest when the lease expired. */
    private record Held(String address, long fromMicros, long toMicros, boolean migrated) {}

    @SeededTest(seeds = 20)
    void aSessionHasOneAddressAtAnyTime(long seed) {
        random = Seeds.random(seed);
        listWithout(-1);
        MemoryStore store = new MemoryStore(time);
        for (int i = 0; i < 3; i++) {
            DelayedStore.Faults faults = new DelayedStore.Faults(40_000, 0.02, 0.02, 0.05);
            DelayedStore delayed = new DelayedStore(store, time, time, Seeds.random(seed * 10 + i), faults);
            EmbeddedGatekeeper.builder(delayed, time, time, new SharedRandom(seed * 100 + i))
                    .start(pools.config())
                    .thenAccept(gates::add);
        }
        time.advance(Duration.ofSeconds(1));
        long end = time.micros() + LENGTH.toNanos() / 1_000;
        crawl(end);
        churn(end);
        time.advance(LENGTH.plusMinutes(2));

        held.forEach(MovingSessionsTest.this::check);
        assertThat(moves).as("there was something to see").isGreaterThan(5);
    }

    /** All five addresses of the first pool but one. */
    private void listWithout(int place) {
        List<Address> list = new ArrayList<>(PoolsOfATest.addresses("a", 5));
        if (place >= 0) {
            list.remove(place);
        }
        pools.pools.replaceAll(
                pool -> pool.settings().name().equals("default") ? new PoolConfig(pool.settings(), list) : pool);
    }

    /** Every 20 s another address is away; now and then somebody asks for another address. */
    private void churn(long end) {
        if (time.micros() >= end) {
            return;
        }
        listWithout(random.nextInt(6) - 1);
        gates.forEach(gate -> gate.configure(pools.config()));
        gates.get(random.nextInt(3))
                .repinSession("", "default", "s" + random.nextInt(SESSIONS))
                .exceptionally(lost -> false);
        time.at(time.micros() + 20_000_000, () -> churn(end));
    }

    private void crawl(long end) {
        if (time.micros() >= end) {
            return;
        }
        EmbeddedGatekeeper gate = gates.get(random.nextInt(3));
        String session = "s" + random.nextInt(SESSIONS);
        Request request = PoolsOfATest.to()
                .session(session)
                .maxWait(Duration.ofSeconds(random.nextInt(3)))
                .build();
        gate.acquire(request).whenComplete((decision, failure) -> {
            if (decision instanceof Decision.Granted granted) {
                hold(gate, session, granted.lease());
            }
        });
        time.at(time.micros() + random.nextLong(300_000), () -> crawl(end));
    }

    private void hold(EmbeddedGatekeeper gate, String session, Lease lease) {
        long letGo = Math.min(lease.expiresAtMicros(), time.micros() + random.nextLong(4_000_000));
        held.computeIfAbsent(session, key -> new ArrayList<>())
                .add(new Held(lease.address().id(), lease.grantedAtMicros(), letGo, lease.migrated()));
        LeaseId id = lease.id();
        boolean forgets = random.nextInt(50) == 0;
        if (id != null && !forgets) {
            time.at(
                    letGo,
                    () -> gate.settle(id, Outcome.of(Outcome.Kind.SUCCESS, 100_000))
                            .exceptionally(failure -> null));
        }
    }

    private void check(String session, List<Held> leases) {
        leases.sort(Comparator.comparingLong(Held::fromMicros));
        Held before = null;
        for (Held lease : leases) {
            if (before != null && !before.address().equals(lease.address())) {
                moves++;
                assertThat(lease.migrated())
                        .as("%s went from %s to %s and was told", session, before, lease)
                        .isTrue();
            }
            before = lease;
            for (Held other : leases) {
                boolean together = other.fromMicros() < lease.toMicros() && lease.fromMicros() < other.toMicros();
                assertThat(together && !other.address().equals(lease.address()))
                        .as("%s held %s and %s at once", session, other, lease)
                        .isFalse();
            }
        }
    }
}
