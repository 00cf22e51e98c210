package io.paceline.redis.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Decision;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.Lease;
import io.paceline.LeaseId;
import io.paceline.Outcome;
import io.paceline.Reason;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Instances that divide the work by each method, come, go, die, and lose their roster. What callers hold is counted here,
 * whoever granted it: an address never has more leases than its cap, a target never more starts than its limit in any window,
 * a session never a second address.
 */
class DividedTogetherTest {
    private static final int ADDRESSES = 24;
    private static final int LIMIT = 60;
    private static final Duration WINDOW = Duration.ofSeconds(10);
    private static final Duration TTL = Duration.ofSeconds(4);
    private static final Duration REST = WINDOW;
    private static final List<Division> METHODS = List.of(Division.HASH, Division.MODULO, Division.DOMAIN);

    private final VirtualTime time = new VirtualTime();
    private final List<Instance> instances = new ArrayList<>();
    private final Map<String, Integer> live = new HashMap<>();
    private final Map<String, TreeMap<Long, Integer>> starts = new HashMap<>();
    private final Map<String, String> addressOf = new HashMap<>();
    private final Set<String> sitesServed = new TreeSet<>();
    private final List<String> violations = new ArrayList<>();
    private RandomGenerator random = Seeds.random(0);
    private SharedInVirtualTime shared = new SharedInVirtualTime(time, 1);
    private Division division = Division.HASH;
    private long seed;
    private int cap = 1;
    private int asked;
    private int answered;
    private int granted;
    private int sessionsServed;
    private boolean crawling = true;
    private boolean sessionsAreLost;

    private static final class Instance {
        final Way way;
        final DividedStore store;
        final EmbeddedGatekeeper gate;

        Instance(Way way, DividedStore store, EmbeddedGatekeeper gate) {
            this.way = way;
            this.store = store;
            this.gate = gate;
        }
    }

    private void begin(long with, int count) {
        seed = with;
        random = Seeds.random(seed);
        division = METHODS.get(Math.floorMod(seed, METHODS.size()));
        cap = 1 + random.nextInt(2);
        shared = new SharedInVirtualTime(time, 1 + random.nextLong(30_000));
        for (int i = 0; i < count; i++) {
            join();
        }
        time.advance(Duration.ofSeconds(4));
        assertThat(instances).hasSize(count);
        crawl();
        time.advance(Duration.ofSeconds(8));
        assertThat(granted).as("permits of a fresh fleet").isGreaterThan(20);
    }

    private int joined;

    private void join() {
        int number = ++joined;
        Way way = shared.new Way(Seeds.random(seed * 100 + number));
        DividedStore.join(
                        way.store,
                        division,
                        REST,
                        time,
                        time,
                        Seeds.random(seed * 1_000 + number),
                        StoreState.Listener.NONE)
                .thenCompose(
                        store -> EmbeddedGatekeeper.builder(store, time, time, new SharedRandom(seed * 10_000 + number))
                                .start(OnePool.of(ADDRESSES, cap, TTL, LIMIT, WINDOW))
                                .thenAccept(gate -> instances.add(new Instance(way, store, gate))))
                .exceptionally(failure -> {
                    violations.add("joined: " + failure);
                    return null;
                });
    }

    private void leave(Instance instance) {
        instances.remove(instance);
        instance.gate.close();
        instance.store.close();
    }

    @SeededTest(seeds = 30)
    void whoComesAndGoesTakesAndLeavesASliceAndNothingIsUsedByTwo(long with) {
        begin(with, 1 + (int) (with % 3));
        for (int change = 0; change < 6; change++) {
            if (instances.size() > 1 && random.nextBoolean()) {
                leave(instances.get(random.nextInt(instances.size())));
            } else {
                join();
            }
            // Some changes come while the one before still rests.
            time.advance(Duration.ofMillis(random.nextInt(3) == 0 ? 30_000 : random.nextLong(8_000)));
        }
        everythingHolds();
    }

    @SeededTest(seeds = 24)
    void aRosterThatIsAwayOrForgetsEverythingStopsNobody(long with) {
        begin(with, 3);
        for (int outage = 0; outage < 3; outage++) {
            int before = granted;
            switch (random.nextInt(3)) {
                case 0 -> {
                    shared.become(random.nextBoolean() ? State.REFUSING : State.HANGING);
                    time.advance(Duration.ofSeconds(5 + random.nextInt(30)));
                    shared.become(State.UP);
                }
                case 1 -> {
                    shared.become(State.REFUSING);
                    time.advance(Duration.ofMillis(random.nextLong(3_000)));
                    shared.lose();
                    shared.become(State.UP);
                    // A session may be bound anew before its instance has written it again; then that holds.
                    sessionsAreLost = true;
                    time.advance(Duration.ofSeconds(2));
                    sessionsAreLost = false;
                    addressOf.clear();
                }
                default -> {
                    Way way = instances.get(random.nextInt(instances.size())).way;
                    way.cut = true;
                    time.advance(Duration.ofSeconds(5 + random.nextInt(30)));
                    way.cut = false;
                }
            }
            time.advance(Duration.ofSeconds(5));
            check(granted - before > 5, "no permits in an outage");
        }
        everythingHolds();
    }

    @SeededTest(seeds = 3)
    void theSliceOfOneThatDiedIsTakenOnceNobodyCanTakeItForAlive(long with) {
        begin(with, 3);
        Instance dead = instances.remove(random.nextInt(instances.size()));
        dead.way.cut = true;
        dead.gate.close();
        join();
        time.advance(Duration.ofMinutes(7));
        everythingHolds();
    }

    /** It stops by its own clock before the others may begin. */
    @Test
    void whoIsCutOffForTooLongUsesNothingAnyMore() {
        begin(1, 2);
        Instance cut = instances.get(0);
        cut.way.cut = true;
        time.advance(Duration.ofMinutes(6));
        assertThat(cut.store.state().detail()).contains("too long");
        cut.way.cut = false;
        time.advance(Duration.ofMinutes(1));
        everythingHolds();
    }

    @Test
    void twoMethodsOverOneStoreAreRefused() {
        begin(3, 1);
        Way way = shared.new Way(Seeds.random(1));
        Division other = division == Division.HASH ? Division.MODULO : Division.HASH;
        List<Throwable> refusals = new ArrayList<>();
        DividedStore.join(way.store, other, REST, time, time, Seeds.random(9), StoreState.Listener.NONE)
                .whenComplete((store, failure) -> refusals.add(failure));
        time.advance(Duration.ofSeconds(3));
        EnduringStore.join(way.store, time, time, Seeds.random(8), StoreState.Listener.NONE)
                .whenComplete((store, failure) -> refusals.add(failure));
        time.advance(Duration.ofSeconds(3));
        assertThat(refusals)
                .hasSize(2)
                .allSatisfy(failure -> assertThat(failure)
                        .hasMessageContaining("divide it by " + division.word())
                        .hasMessageContaining("write the same division for all"));
        time.advance(Duration.ofSeconds(15));
        everythingHolds();
    }

    private void everythingHolds() {
        time.advance(Duration.ofSeconds(30));
        for (Instance instance : instances) {
            check(!instance.store.state().degraded(), "still degraded: " + instance.store.state());
            check(!instance.store.state().detail().contains("rests"), "still moving: " + instance.store.state());
        }
        int before = granted;
        int sessionsBefore = sessionsServed;
        sitesServed.clear();
        time.advance(Duration.ofSeconds(20));
        assertThat(granted - before).as("permits afterwards, by " + division).isGreaterThan(40);
        assertThat(sessionsServed - sessionsBefore).as("permits of sessions").isGreaterThan(5);
        // Where there are few addresses an instance, one may have none for the sites that it owns.
        if (division != Division.DOMAIN || instances.size() * 4 <= ADDRESSES) {
            assertThat(sitesServed).as("all sites are served").hasSize(SITES);
        }
        crawling = false;
        time.advance(Duration.ofSeconds(10));
        assertThat(violations).isEmpty();
        assertThat(answered).as("every request is answered").isEqualTo(asked);
    }

    private static final int SITES = 4;
    private int keys;

    private void crawl() {
        if (!crawling) {
            return;
        }
        int site = random.nextInt(SITES);
        String session = random.nextInt(3) == 0 ? "s" + site + "-" + (keys / 40 + random.nextInt(3)) : null;
        keys += session == null ? 0 : 1;
        ask(instances.get(random.nextInt(instances.size())), site, session, 0);
        time.at(time.micros() + random.nextLong(60_000), this::crawl);
    }

    private void ask(Instance instance, int site, @Nullable String session, int hops) {
        Request.Builder builder =
                Request.builder("https://site-" + site + ".example/").hold(Request.Hold.NEVER);
        Request request = (session == null ? builder : builder.session(session)).build();
        asked++;
        long at = time.micros();
        instance.gate.acquire(request).whenComplete((decision, failure) -> {
            answered++;
            check(failure == null, "failed: " + failure);
            check(time.micros() - at <= 450_000, "answered after " + (time.micros() - at) / 1_000 + " ms");
            if (decision instanceof Decision.Granted grant) {
                check(session != null || time.micros() == at, "a permit without a session asked somebody");
                hold(instance, grant.lease(), site, session);
            } else if (decision instanceof Decision.Refused refused) {
                refused(refused, site, session, hops);
            }
        });
    }

    /** Who is told where to go goes there, as a client does. */
    private void refused(Decision.Refused refused, int site, @Nullable String session, int hops) {
        if (refused.reason() == Reason.SESSION_ENDED && session != null) {
            addressOf.put(session, "ended");
        }
        if (refused.reason() == Reason.ELSEWHERE && hops < 2) {
            instances.stream()
                    .filter(each -> refused.message().contains(each.store.name()))
                    .findFirst()
                    .ifPresent(there -> ask(there, site, session, hops + 1));
        }
    }

    private void hold(Instance by, Lease lease, int site, @Nullable String session) {
        granted++;
        sitesServed.add("site-" + site);
        String address = lease.address().id();
        if (session != null) {
            sessionsServed++;
            String before = addressOf.putIfAbsent(session, address);
            check(
                    before == null || before.equals(address) || sessionsAreLost,
                    session + " of " + before + " goes by " + address);
        }
        started(lease);
        int now = live.merge(address, 1, Integer::sum);
        check(now <= cap, now + " live leases on " + address + ", the last by " + by.store.name());
        long end = Math.min(lease.expiresAtMicros(), time.micros() + random.nextLong(5_000_000));
        boolean settles = end < lease.expiresAtMicros() - 200_000;
        time.at(end, () -> {
            live.merge(address, -1, Integer::sum);
            LeaseId id = lease.id();
            if (settles && id != null) {
                by.gate
                        .settle(id, Outcome.of(Outcome.Kind.SUCCESS, 100_000))
                        .whenComplete((result, failure) -> check(
                                failure == null && result == SettleResult.RELEASED,
                                "settled: " + result + " " + failure));
            }
        });
    }

    /** By the time that was granted: the permit of a session that begins is told a little later. */
    private void started(Lease lease) {
        TreeMap<Long, Integer> all = starts.computeIfAbsent(lease.target().name(), key -> new TreeMap<>());
        all.merge(lease.grantedAtMicros(), 1, Integer::sum);
        long length = WINDOW.toNanos() / 1_000;
        for (long end : all.tailMap(lease.grantedAtMicros(), true).keySet()) {
            int within = all.subMap(end - length, false, end, true).values().stream()
                    .mapToInt(Integer::intValue)
                    .sum();
            check(within <= LIMIT, within + " starts on " + lease.target().name() + " within " + WINDOW);
        }
    }

    private void check(boolean holds, String violation) {
        if (!holds) {
            violations.add(time.elapsed() + " " + division + " " + violation);
        }
    }
}
