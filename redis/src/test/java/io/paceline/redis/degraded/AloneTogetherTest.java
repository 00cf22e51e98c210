package io.paceline.redis.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Decision;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.Lease;
import io.paceline.LeaseId;
import io.paceline.Outcome;
import io.paceline.Request;
import io.paceline.SettleResult;
import io.paceline.SharedRandom;
import io.paceline.redis.degraded.SharedInVirtualTime.State;
import io.paceline.redis.degraded.SharedInVirtualTime.Way;
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
 * Two to four gatekeepers over one shared store that goes away and comes back, in every way that we know. What callers hold
 * is counted here, whoever granted it: an address never has more leases than its cap, a target never more starts than twice
 * its limit, every call is answered soon, every lease ends.
 */
class AloneTogetherTest {
    private static final int ADDRESSES = 24;
    private static final int LIMIT = 60;
    private static final Duration WINDOW = Duration.ofSeconds(10);
    private static final Duration TTL = Duration.ofSeconds(4);
    private static final long SOON_MICROS = 450_000;

    private final VirtualTime time = new VirtualTime();
    private final Map<String, Integer> live = new HashMap<>();
    private final Map<String, Deque<Long>> starts = new HashMap<>();
    private final List<EmbeddedGatekeeper> gates = new ArrayList<>();
    private final List<EnduringStore> stores = new ArrayList<>();
    private final List<Way> ways = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private RandomGenerator random = Seeds.random(0);
    private int cap;
    private int asked;
    private int answered;
    private int granted;
    private int settled;
    private int ended;

    private SharedInVirtualTime begin(long seed) {
        random = Seeds.random(seed);
        cap = 1 + random.nextInt(2);
        SharedInVirtualTime shared = new SharedInVirtualTime(time, 1 + random.nextLong(30_000));
        int instances = 2 + random.nextInt(3);
        for (int i = 0; i < instances; i++) {
            Way way = shared.new Way(Seeds.random(seed * 10 + i));
            ways.add(way);
            EnduringStore.join(way.store, time, time, Seeds.random(seed * 1_000 + i), StoreState.Listener.NONE)
                    .thenCompose(store -> {
                        stores.add(store);
                        return EmbeddedGatekeeper.builder(
                                        store, time, time, new SharedRandom(seed * 100 + stores.size()))
                                .start(OnePool.of(ADDRESSES, cap, TTL, LIMIT, WINDOW));
                    })
                    .thenAccept(gates::add);
        }
        time.advance(Duration.ofSeconds(2));
        assertThat(gates).hasSize(instances);
        crawl();
        time.advance(Duration.ofSeconds(8));
        return shared;
    }

    @SeededTest(seeds = 25)
    void allGoOnAloneWhileTheStoreIsAwayAndTogetherAfterwards(long seed) {
        SharedInVirtualTime shared = begin(seed);
        for (int outage = 0; outage < 3; outage++) {
            shared.become(random.nextBoolean() ? State.REFUSING : State.HANGING);
            int before = granted;
            Duration length = Duration.ofMillis(500 + random.nextLong(25_000));
            time.advance(length);
            // A second of silence; and what others held must have ended before all of a slice is free.
            check(length.toSeconds() < 7 || granted - before > length.toSeconds(), "no permits in " + length);
            shared.become(State.UP);
            time.advance(Duration.ofSeconds(5 + random.nextLong(10)));
            togetherAgain();
        }
        everythingHolds(shared);
    }

    @SeededTest(seeds = 25)
    void aStoreThatComesBackEmptyIsToldEverythingBeforeItDecides(long seed) {
        SharedInVirtualTime shared = begin(seed);
        for (int outage = 0; outage < 2; outage++) {
            shared.become(State.REFUSING);
            time.advance(Duration.ofMillis(random.nextBoolean() ? 20 : random.nextLong(12_000)));
            storeIsLost = true;
            shared.lose();
            shared.become(State.UP);
            time.advance(Duration.ofSeconds(20 + random.nextLong(10)));
            togetherAgain();
        }
        everythingHolds(shared);
    }

    @SeededTest(seeds = 25)
    void oneThatIsCutOffServesItsSliceAndTheOthersLeaveThatAlone(long seed) {
        SharedInVirtualTime shared = begin(seed);
        for (int outage = 0; outage < 3; outage++) {
            Way way = ways.get(random.nextInt(ways.size()));
            way.cut = true;
            time.advance(Duration.ofMillis(500 + random.nextLong(20_000)));
            way.cut = false;
            time.advance(Duration.ofSeconds(5));
            togetherAgain();
        }
        everythingHolds(shared);
    }

    private void togetherAgain() {
        for (EnduringStore store : stores) {
            check(!store.state().degraded(), "still alone: " + store.state());
        }
    }

    private void everythingHolds(SharedInVirtualTime shared) {
        int before = granted;
        time.advance(Duration.ofSeconds(10));
        assertThat(granted - before).as("permits after the outages").isGreaterThan(20);
        crawling = false;
        time.advance(Duration.ofSeconds(10));
        assertThat(violations).isEmpty();
        assertThat(answered).as("every request is answered").isEqualTo(asked);
        assertThat(settled).as("every settlement is answered").isEqualTo(ended);
        assertThat(shared.store.snapshot().leases().stream()
                        .filter(lease -> lease.occupies() && lease.expiresAtMicros() > time.micros()))
                .as("leases that nobody holds")
                .isEmpty();
    }

    private boolean crawling = true;
    private boolean storeIsLost;
    private final Map<String, List<String>> holders = new HashMap<>();

    private void crawl() {
        if (!crawling) {
            return;
        }
        EmbeddedGatekeeper gate = gates.get(random.nextInt(gates.size()));
        Request request = Request.builder("https://site-" + random.nextInt(2) + ".example/")
                .hold(Request.Hold.NEVER)
                .build();
        asked++;
        long at = time.micros();
        gate.acquire(request).whenComplete((decision, failure) -> {
            check(failure == null, "failed: " + failure);
            answered++;
            check(time.micros() - at <= SOON_MICROS, "answered after " + (time.micros() - at) / 1_000 + " ms");
            if (decision instanceof Decision.Granted grant) {
                hold(gate, grant.lease());
            }
        });
        time.at(time.micros() + random.nextLong(100_000), this::crawl);
    }

    private void hold(EmbeddedGatekeeper gate, Lease lease) {
        granted++;
        checkLimit(lease);
        if (lease.expiresAtMicros() <= time.micros()) {
            return;
        }
        int now = live.merge(lease.address().id(), 1, Integer::sum);
        String holder = "by " + gates.indexOf(gate) + " at " + time.elapsed() + " "
                + stores.get(gates.indexOf(gate)).state().detail();
        List<String> all = holders.computeIfAbsent(lease.address().id(), id -> new ArrayList<>());
        all.add(holder);
        check(now <= cap, now + " live leases on " + lease.address().id() + ": " + all);
        long end = Math.min(lease.expiresAtMicros(), time.micros() + random.nextLong(5_000_000));
        boolean settles = end < lease.expiresAtMicros() - 200_000;
        time.at(end, () -> {
            live.merge(lease.address().id(), -1, Integer::sum);
            all.remove(holder);
            LeaseId id = lease.id();
            if (settles && id != null) {
                ended++;
                // A caller may come back to any instance.
                EmbeddedGatekeeper to = random.nextInt(4) == 0 ? gates.get(random.nextInt(gates.size())) : gate;
                to.settle(id, Outcome.of(Outcome.Kind.SUCCESS, 100_000)).whenComplete((result, failure) -> {
                    settled++;
                    // What a store has lost is gone until its loss is noticed.
                    boolean told =
                            result == SettleResult.RELEASED || (storeIsLost && result == SettleResult.ALREADY_RELEASED);
                    check(failure == null && told, "settled: " + result + " " + failure);
                });
            }
        });
    }

    private void check(boolean holds, String violation) {
        if (!holds) {
            violations.add(time.elapsed() + " " + violation);
        }
    }

    private void checkLimit(Lease lease) {
        Deque<Long> before = starts.computeIfAbsent(lease.target().name(), key -> new ArrayDeque<>());
        before.add(time.micros());
        long from = time.micros() - WINDOW.toNanos() / 1_000;
        before.removeIf(start -> start <= from);
        check(
                before.size() <= 2 * LIMIT,
                before.size() + " starts on " + lease.target().name() + " within " + WINDOW);
    }
}
