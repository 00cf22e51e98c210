package io.paceline.redis.degraded;

import static io.paceline.redis.RealTime.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Alarm;
import io.paceline.Decision;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.Lease;
import io.paceline.Outcome;
import io.paceline.Request;
import io.paceline.SharedRandom;
import io.paceline.Ticker;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two gatekeepers under load whose Redis is killed, is away for a while, and comes back empty. */
@Tag("tools")
class StoreAwayIT {
    private static final int ADDRESSES = 60;
    private static final Duration TTL = Duration.ofSeconds(2);

    private final RedisForTests redis = RedisForTests.start();
    private final RealTime time = new RealTime();
    private final List<RedisStore> shared = new ArrayList<>();
    private final List<EnduringStore> stores = new ArrayList<>();
    private final List<EmbeddedGatekeeper> gates = new ArrayList<>();
    private final Map<String, AtomicInteger> live = new ConcurrentHashMap<>();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final AtomicInteger granted = new AtomicInteger();
    private volatile boolean crawling = true;

    /** A machine whose clock is wrong by so much. */
    private record Wrong(RealTime right, long byMicros) implements Ticker, Alarm {
        @Override
        public long micros() {
            return right.micros() + byMicros;
        }

        @Override
        public void at(long atMicros, Runnable task) {
            right.at(atMicros - byMicros, task);
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        crawling = false;
        gates.forEach(EmbeddedGatekeeper::close);
        time.close();
        stores.forEach(EnduringStore::close);
        shared.forEach(RedisStore::close);
        redis.close();
    }

    @Test
    void permitsContinueWhileRedisIsAwayAndNoAddressIsUsedByTwo() {
        redisIsAway(0);
    }

    @Test
    void clocksThatAreTwoHoursApartChangeNothingOfThat() {
        redisIsAway(TimeUnit.HOURS.toMicros(1));
    }

    private void redisIsAway(long clocksAreWrongByMicros) {
        for (int i = 0; i < 2; i++) {
            Wrong clock = new Wrong(time, i == 0 ? clocksAreWrongByMicros : -clocksAreWrongByMicros);
            RedisStore store = RedisStore.connect(RedisSettings.of(redis.uri()));
            shared.add(store);
            EnduringStore enduring = EnduringStore.join(
                            store, clock, clock, new SharedRandom(i), StoreState.Listener.NONE)
                    .toCompletableFuture()
                    .join();
            stores.add(enduring);
            gates.add(EmbeddedGatekeeper.builder(enduring, clock, clock, new SharedRandom(10 + i))
                    .start(OnePool.of(ADDRESSES, 1, TTL, 2_000, Duration.ofSeconds(1)))
                    .toCompletableFuture()
                    .join());
        }
        await(() -> granted.get() == 0);
        for (int i = 0; i < 20; i++) {
            crawl(gates.get(i % 2));
        }
        // Holds of 32 ms in the middle: two seconds of work, in which each learns of the other and says so. Who is not
        // known to all serves nothing alone.
        await(() -> granted.get() > 1_500);

        redis.kill();
        await(() -> stores.stream().allMatch(store -> store.state().detail().contains("its own slice")));
        int alone = granted.get();
        long until = time.micros() + TimeUnit.SECONDS.toMicros(6);
        await(() -> time.micros() > until && granted.get() > alone + 300);

        redis.begin();
        await(() -> stores.stream().noneMatch(store -> store.state().degraded()));
        int together = granted.get();
        await(() -> granted.get() > together + 300);

        assertThat(violations).isEmpty();
    }

    /** One worker: asks, holds, releases, asks again. */
    private void crawl(EmbeddedGatekeeper gate) {
        if (!crawling) {
            return;
        }
        Request request = Request.builder("https://site.example/")
                .hold(Request.Hold.NEVER)
                .build();
        gate.acquire(request).whenComplete((decision, failure) -> {
            if (failure != null) {
                violations.add("failed: " + failure);
            }
            if (decision instanceof Decision.Granted grant) {
                hold(gate, grant.lease());
            } else {
                time.at(time.micros() + 20_000, () -> crawl(gate));
            }
        });
    }

    private void hold(EmbeddedGatekeeper gate, Lease lease) {
        granted.incrementAndGet();
        AtomicInteger here = live.computeIfAbsent(lease.address().id(), id -> new AtomicInteger());
        if (here.incrementAndGet() > 1) {
            violations.add(lease.address().id() + " is used by two: "
                    + stores.get(0).state() + stores.get(1).state());
        }
        time.at(time.micros() + ThreadLocalRandom.current().nextLong(5_000, 60_000), () -> {
            here.decrementAndGet();
            if (lease.id() != null) {
                gate.settle(lease.id(), Outcome.of(Outcome.Kind.SUCCESS, 10_000))
                        .whenComplete((result, failure) -> {
                            if (failure != null && !stores.get(0).state().degraded()) {
                                violations.add("settled: " + failure);
                            }
                        });
            }
            crawl(gate);
        });
    }
}
