package io.paceline.redis.degraded;

import static io.paceline.redis.RealTime.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Decision;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.Lease;
import io.paceline.Outcome;
import io.paceline.Reason;
import io.paceline.Request;
import io.paceline.SharedRandom;
import io.paceline.redis.RealTime;
import io.paceline.redis.RedisForTests;
import io.paceline.redis.RedisSettings;
import io.paceline.redis.RedisStore;
import io.paceline.testkit.OnePool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two gatekeepers under load that divide the work over a real Redis; one more comes, one goes, Redis is killed. */
@Tag("tools")
class DividedIT {
    private static final int ADDRESSES = 60;
    private static final Duration TTL = Duration.ofSeconds(2);
    private static final int SITES = 8;

    private final RedisForTests redis = RedisForTests.start();
    private final RealTime time = new RealTime();
    private final List<RedisStore> shared = new ArrayList<>();
    private final List<DividedStore> stores = new ArrayList<>();
    private final List<EmbeddedGatekeeper> gates = new ArrayList<>();
    private final Map<String, AtomicInteger> live = new ConcurrentHashMap<>();
    private final Map<String, String> sessions = new ConcurrentHashMap<>();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final AtomicInteger granted = new AtomicInteger();
    private volatile int present;
    private volatile boolean crawling = true;
    /** A session may be bound anew before its instance has written it again; then that holds. */
    private volatile boolean sessionsAreLost;

    @AfterEach
    void end() throws InterruptedException {
        crawling = false;
        gates.forEach(EmbeddedGatekeeper::close);
        stores.forEach(DividedStore::close);
        time.close();
        shared.forEach(RedisStore::close);
        redis.close();
    }

    private void join(Division division) {
        RedisStore store = RedisStore.connect(RedisSettings.of(redis.uri()));
        shared.add(store);
        int number = shared.size();
        DividedStore divided = DividedStore.join(
                        store, division, TTL, time, time, new SharedRandom(number), StoreState.Listener.NONE)
                .toCompletableFuture()
                .join();
        stores.add(divided);
        gates.add(EmbeddedGatekeeper.builder(divided, time, time, new SharedRandom(10 + number))
                .start(OnePool.of(ADDRESSES, 1, TTL, 2_000, Duration.ofSeconds(1)))
                .toCompletableFuture()
                .join());
        present = gates.size();
    }

    @ParameterizedTest
    @EnumSource(names = {"HASH", "MODULO", "DOMAIN"})
    void noAddressIsUsedByTwoWhoeverComesAndGoes(Division division) {
        join(division);
        join(division);
        await(() -> stores.stream().allMatch(this::settled));
        for (int i = 0; i < 20; i++) {
            crawl(i);
        }
        await(() -> granted.get() > 500);

        join(division);
        await(() -> stores.stream()
                .allMatch(store -> settled(store) && store.division().instances() == 3));
        int three = granted.get();
        await(() -> granted.get() > three + 300);

        sessionsAreLost = true;
        redis.kill();
        int away = granted.get();
        long until = time.micros() + TimeUnit.SECONDS.toMicros(3);
        await(() -> time.micros() > until && granted.get() > away + 300);
        redis.begin();
        await(() -> stores.stream().allMatch(this::settled));
        int again = granted.get();
        await(() -> granted.get() > again + 300);
        sessions.clear();
        sessionsAreLost = false;

        present = 2;
        gates.get(2).close();
        stores.get(2).close();
        await(() -> stores.subList(0, 2).stream()
                .allMatch(store -> settled(store) && store.division().instances() == 2));
        int two = granted.get();
        await(() -> granted.get() > two + 300);
        assertThat(violations).isEmpty();
        assertThat(sessions).isNotEmpty();
    }

    private boolean settled(DividedStore store) {
        return !store.state().degraded() && !store.state().detail().contains("rests");
    }

    /** One worker: asks any instance, goes where it is sent, holds, releases, asks again. */
    private void crawl(int worker) {
        if (crawling) {
            ask(worker, ThreadLocalRandom.current().nextInt(present), 0);
        }
    }

    private void ask(int worker, int at, int hops) {
        Request.Builder builder =
                Request.builder("https://site-" + worker % SITES + ".example/").hold(Request.Hold.NEVER);
        String session = worker % 4 == 0 ? "session-" + worker : null;
        Request request = (session == null ? builder : builder.session(session)).build();
        EmbeddedGatekeeper gate = gates.get(at);
        gate.acquire(request).whenComplete((decision, failure) -> {
            if (failure != null) {
                violations.add("failed: " + failure);
            }
            if (decision instanceof Decision.Granted grant) {
                hold(worker, gate, grant.lease(), session);
            } else if (decision instanceof Decision.Refused refused
                    && refused.reason() == Reason.ELSEWHERE
                    && hops < 2) {
                for (int i = 0; i < present; i++) {
                    if (refused.message().contains(stores.get(i).name())) {
                        ask(worker, i, hops + 1);
                        return;
                    }
                }
                later(worker);
            } else {
                later(worker);
            }
        });
    }

    private void later(int worker) {
        time.at(time.micros() + 20_000, () -> crawl(worker));
    }

    private void hold(int worker, EmbeddedGatekeeper gate, Lease lease, @Nullable String session) {
        granted.incrementAndGet();
        String address = lease.address().id();
        if (session != null) {
            String before = sessions.putIfAbsent(session, address);
            if (before != null && !before.equals(address) && !sessionsAreLost) {
                violations.add(session + " of " + before + " goes by " + address);
            }
        }
        if (live.computeIfAbsent(address, id -> new AtomicInteger()).incrementAndGet() > 1) {
            violations.add(address + " is used by two: "
                    + stores.stream().map(DividedStore::state).toList());
        }
        time.at(time.micros() + ThreadLocalRandom.current().nextLong(5_000, 60_000), () -> {
            live.computeIfAbsent(address, id -> new AtomicInteger()).decrementAndGet();
            if (lease.id() != null) {
                gate.settle(lease.id(), Outcome.of(Outcome.Kind.SUCCESS, 10_000))
                        .whenComplete((result, failure) -> {
                            if (failure != null) {
                                violations.add("settled: " + failure);
                            }
                        });
            }
            crawl(worker);
        });
    }
}
