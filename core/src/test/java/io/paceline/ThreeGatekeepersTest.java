package io.paceline;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.store.DelayedStore;
import io.paceline.store.MemoryStore;
import io.paceline.testkit.OnePool;
import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import io.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Three gatekeepers over one store behind a bad network: calls and answers late, lost and repeated. What they promise
 * together must hold at every instant, by the leases as the store granted them: caps, limits, one address a session.
 */
class ThreeGatekeepersTest {
    private static final int CAP = 2;
    private static final int ADDRESSES = 6;
    private static final int LIMIT = 20;
    private static final Duration WINDOW = Duration.ofSeconds(10);
    private static final Duration TTL = Duration.ofSeconds(5);
    private static final Duration LENGTH = Duration.ofMinutes(3);

    private final VirtualTime time = new VirtualTime();
    private final Map<String, Integer> live = new HashMap<>();
    private final Map<String, String> addressOf = new HashMap<>();
    private final Map<String, Deque<Long>> starts = new HashMap<>();
    private final List<EmbeddedGatekeeper> gates = new ArrayList<>();
    private RandomGenerator random = Seeds.random(0);
    /** Collected, because what a callback throws is caught by the stage that called it. */
    private final List<String> violations = new ArrayList<>();

    private int granted;
    private int answered;
    private int asked;

    @SeededTest(seeds = 20)
    void capsLimitsAndSessionsHoldWhateverTheNetworkDoes(long seed) {
        random = Seeds.random(seed);
        MemoryStore store = new MemoryStore(time);
        for (int i = 0; i < 3; i++) {
            DelayedStore.Faults faults = new DelayedStore.Faults(40_000, 0.02, 0.02, 0.05);
            DelayedStore delayed = new DelayedStore(store, time, time, Seeds.random(seed * 10 + i), faults);
            EmbeddedGatekeeper.builder(delayed, time, time, new SharedRandom(seed * 100 + i))
                    .start(OnePool.of(ADDRESSES, CAP, TTL, LIMIT, WINDOW))
                    .thenAccept(gates::add);
        }
        time.advance(Duration.ofSeconds(1));
        assertThat(gates).hasSize(3);

        crawl(time.micros() + LENGTH.toNanos() / 1_000);
        time.advance(LENGTH.plusMinutes(1));

        assertThat(violations).isEmpty();
        assertThat(answered).as("every request is answered").isEqualTo(asked);
        assertThat(granted).as("the fleet got somewhere").isGreaterThan(100);
    }

    /** Open-loop arrivals, a quarter of them in sessions; answers settle after a while, some never. */
    private void crawl(long untilMicros) {
        if (time.micros() >= untilMicros) {
            return;
        }
        EmbeddedGatekeeper gate = gates.get(random.nextInt(3));
        Request.Builder request = Request.builder("https://site-" + random.nextInt(3) + ".example/")
                .maxWait(Duration.ofSeconds(2));
        String session = random.nextInt(4) == 0 ? "s" + random.nextInt(8) : null;
        asked++;
        gate.acquire(request.session(session).build()).whenComplete((decision, failure) -> {
            if (failure != null) {
                violations.add("failed: " + failure);
            }
            answered++;
            if (decision instanceof Decision.Granted grant) {
                hold(gate, grant.lease());
            }
        });
        time.at(time.micros() + random.nextLong(200_000), () -> crawl(untilMicros));
    }

    private void hold(EmbeddedGatekeeper gate, Lease lease) {
        granted++;
        checkLimit(lease);
        if (lease.session() != null) {
            // No address ever goes out here (no failures), so a session must never see a second one.
            String before =
                    addressOf.putIfAbsent(lease.session(), lease.address().id());
            check(
                    before == null || before.equals(lease.address().id()),
                    "session " + lease.session() + " went from " + before + " to "
                            + lease.address().id());
        }
        if (lease.expiresAtMicros() <= time.micros()) {
            return; // the answer was on its way for longer than the lease lived
        }
        int now = live.merge(lease.address().id(), 1, Integer::sum);
        check(now <= CAP, now + " live leases on " + lease.address().id());
        long end = Math.min(lease.expiresAtMicros(), time.micros() + random.nextLong(6_000_000));
        boolean settles = end < lease.expiresAtMicros() && lease.id() != null;
        time.at(end, () -> {
            live.merge(lease.address().id(), -1, Integer::sum);
            LeaseId id = lease.id();
            if (settles && id != null) {
                gate.settle(id, Outcome.of(Outcome.Kind.SUCCESS, 100_000)).exceptionally(failure -> null);
            }
        });
    }

    private void check(boolean holds, String violation) {
        if (!holds) {
            violations.add(time.elapsed() + " " + violation);
        }
    }

    /** By the time at which the store granted it; answers may arrive in another order. */
    private void checkLimit(Lease lease) {
        Deque<Long> before = starts.computeIfAbsent(lease.target().name(), key -> new ArrayDeque<>());
        before.add(lease.grantedAtMicros());
        long window = WINDOW.toNanos() / 1_000;
        long inWindow = before.stream()
                .filter(start -> start > lease.grantedAtMicros() - window && start <= lease.grantedAtMicros())
                .count();
        check(inWindow <= LIMIT, inWindow + " starts on " + lease.target().name() + " within " + WINDOW);
        while (before.size() > 10 * LIMIT) {
            before.removeFirst();
        }
    }
}
