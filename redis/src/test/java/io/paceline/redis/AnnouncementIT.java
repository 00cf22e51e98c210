package io.paceline.redis;

import static io.paceline.redis.RealTime.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.KillArgs;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.SharedRandom;
import io.paceline.Ticker;
import io.paceline.health.Budget;
import io.paceline.health.Hold;
import io.paceline.health.Standing;
import io.paceline.store.Enrollee;
import io.paceline.store.Shift;
import io.paceline.testkit.OnePool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What one instance changes is announced to the others: on one server, behind Sentinel, on a cluster, after a cut. */
@Tag("tools")
class AnnouncementIT {
    private static final int CHAIN = 7;

    private final List<RedisStore> stores = new ArrayList<>();
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    private final Queue<Integer> heard = new ConcurrentLinkedQueue<>();

    @AfterEach
    void end() {
        timer.shutdownNow();
        stores.forEach(RedisStore::close);
    }

    private RedisStore store(String uri, String prefix) {
        RedisStore store =
                RedisStore.connect(new RedisSettings(uri, prefix, Duration.ofSeconds(10), RedisSettings.DEFAULT_QUEUE));
        stores.add(store);
        return store;
    }

    @Test
    void aBanIsRespectedByAnInstanceThatNeverLooksByItself() {
        List<EmbeddedGatekeeper> gates = new ArrayList<>();
        long origin = System.nanoTime();
        Ticker ticker = () -> 1_000_000_000_000L + (System.nanoTime() - origin) / 1_000;
        for (int i = 0; i < 2; i++) {
            gates.add(EmbeddedGatekeeper.builder(
                            store(TestRedis.shared().uri(), "bans"),
                            ticker,
                            (at, task) -> ring(at - ticker.micros(), task),
                            new SharedRandom(i))
                    .start(OnePool.of(10, 1, Duration.ofSeconds(30), 100, Duration.ofSeconds(1)))
                    .toCompletableFuture()
                    .join());
        }
        for (int i = 0; i < 9; i++) {
            // Again where the other did not listen yet.
            String address = "a" + i;
            await(() -> {
                gates.get(0)
                        .ban(address, null, Duration.ofMinutes(5), "test")
                        .toCompletableFuture()
                        .join();
                return isBanned(gates.get(1), address);
            });
        }
        assertThat(isBanned(gates.get(1), "a9")).isFalse();
        gates.forEach(EmbeddedGatekeeper::close);
    }

    /** Only what is soon: an instance's own looks, a second apart, never come. */
    private void ring(long inMicros, Runnable task) {
        if (inMicros < 100_000) {
            ScheduledFuture<?> unused = timer.schedule(task, Math.max(0, inMicros), TimeUnit.MICROSECONDS);
        }
    }

    private static boolean isBanned(EmbeddedGatekeeper gate, String address) {
        return gate.pools().get(0).addresses().stream()
                .anyMatch(status -> status.address().id().equals(address)
                        && status.standing().hold().ban() != null);
    }

    @Test
    void behindSentinel() {
        isHeard("redis-sentinel://127.0.0.1:" + RedisSentinelStoreIT.SENTINEL.port() + "/0#mymaster");
    }

    /** Whichever node one listens at. */
    @Test
    void onACluster() {
        for (TestRedis node : RedisClusterStoreIT.NODES) {
            isHeard("redis-cluster://127.0.0.1:" + node.port());
        }
    }

    @Test
    void afterTheConnectionWasCut() {
        try (TestRedis redis = TestRedis.start()) {
            isHeard(redis.uri());
            assertThat(redis.commands().clientKill(KillArgs.Builder.typePubsub()))
                    .isPositive();
            heard.clear();
            RedisStore changing = stores.get(1);
            await(() -> change(changing));
        }
    }

    private void isHeard(String uri) {
        heard.clear();
        RedisStore listening = store(uri, "announced");
        RedisStore changing = store(uri, "announced");
        listening.listen(heard::add);
        await(() -> change(changing));
        assertThat(heard).containsOnly(CHAIN);
    }

    /** Changes something until that is heard. */
    private boolean change(RedisStore store) {
        Standing fresh = store.enrol(CHAIN, Enrollee.plain(List.of(1L, 2L)))
                .toCompletableFuture()
                .join()
                .rows()
                .get(0)
                .standing();
        Standing other = fresh.under(fresh.hold().frozen() ? Hold.NONE : new Hold(true, false, null));
        store.shift(new Shift(CHAIN, 0, 0, fresh, other, Budget.NONE))
                .toCompletableFuture()
                .join();
        LockSupport.parkNanos(5_000_000);
        return !heard.isEmpty();
    }
}
