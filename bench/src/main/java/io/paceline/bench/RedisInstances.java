package io.paceline.bench;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.paceline.Alarm;
import io.paceline.Decision;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.GateConfig;
import io.paceline.Lease;
import io.paceline.LeaseId;
import io.paceline.Outcome;
import io.paceline.Request;
import io.paceline.SharedRandom;
import io.paceline.Ticker;
import io.paceline.pace.HostPattern;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import io.paceline.redis.RedisSettings;
import io.paceline.redis.RedisStore;
import io.paceline.redis.degraded.EnduringStore;
import io.paceline.redis.degraded.StoreState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/**
 * Whole gatekeepers over one Redis (T4's rival, T5, S4): permits a second of one and of two instances, the latency of an
 * acquire at half of that, beside a naive broker; how soon a ban by one instance is respected by the other; and the memory of
 * an instance with 10,000 live leases.
 */
final class RedisInstances {
    private static final int ADDRESSES = 10_000;
    private static final int IN_FLIGHT = 64;
    private static final int SECONDS = Integer.getInteger("seconds", 4);
    private static final int ROUNDS = Integer.getInteger("rounds", 3);
    private static final int BANS = 200;
    private static final int LEASES = 10_000;

    private final String uri;
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    private final Ticker ticker = Fleet.ticker();
    private final Alarm alarm = this::ring;
    private final List<AutoCloseable> open = new ArrayList<>();

    private RedisInstances(String uri) {
        this.uri = uri;
    }

    public static void main(String[] arguments) throws Exception {
        RedisInstances bench = new RedisInstances(arguments[0]);
        try {
            bench.rates();
            bench.bans();
            bench.memory();
        } finally {
            for (AutoCloseable one : bench.open) {
                one.close();
            }
            bench.timer.shutdownNow();
        }
    }

    private void ring(long at, Runnable task) {
        ScheduledFuture<?> unused = timer.schedule(task, Math.max(0, at - ticker.micros()), TimeUnit.MICROSECONDS);
    }

    private EmbeddedGatekeeper gate(String prefix, int seed, int addresses) {
        RedisStore shared = RedisStore.connect(new RedisSettings(uri, prefix, Duration.ofSeconds(5), 100_000));
        EnduringStore store = EnduringStore.join(
                        shared, ticker, alarm, new SharedRandom(seed), StoreState.Listener.NONE)
                .toCompletableFuture()
                .join();
        Rule rule = Rule.builder(HostPattern.parse("*"))
                .name("pace")
                .limit(900_000)
                .window(Duration.ofSeconds(1))
                .burst(50_000)
                .concurrency(1_000_000)
                .build();
        GateConfig config = new GateConfig(
                List.of(new PoolConfig(PoolSettings.defaults("default"), Fleet.addresses(addresses))),
                TargetBook.empty(),
                RuleBook.of(List.of(rule)));
        EmbeddedGatekeeper gate = EmbeddedGatekeeper.builder(store, ticker, alarm, new SharedRandom(10 + seed))
                .start(config)
                .toCompletableFuture()
                .join();
        open.add(gate::close);
        open.add(store);
        open.add(shared);
        return gate;
    }

    // ---- rates and latencies

    private void rates() {
        List<EmbeddedGatekeeper> gates = List.of(gate("rates", 1, ADDRESSES), gate("rates", 2, ADDRESSES));
        List<Double> one = new ArrayList<>();
        List<Double> two = new ArrayList<>();
        List<Double> naive = new ArrayList<>();
        RedisClient client = RedisClient.create(uri);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            NaiveBroker broker = new NaiveBroker(connection);
            broker.fill(ADDRESSES);
            for (int round = 0; round <= ROUNDS; round++) {
                double a = pairs(gates.subList(0, 1));
                double b = pairs(gates);
                double c = naivePairs(broker);
                if (round > 0) { // the first one warms up
                    one.add(a);
                    two.add(b);
                    naive.add(c);
                }
            }
        } finally {
            client.shutdown();
        }
        double max = median(one);
        System.out.printf("acquire and release, one instance:  %.0f pairs/s%n", max);
        System.out.printf(
                "two instances together:             %.0f pairs/s (%.2f of one)%n", median(two), median(two) / max);
        System.out.printf(
                "naive broker, as many callers:      %.0f pairs/s (1/%.0f of one)%n",
                median(naive), max / median(naive));
        System.out.printf("acquire at half of the rate, p50 p99: %s%n", atRate(gates.get(0), max / 2));
    }

    private static double median(List<Double> values) {
        return values.stream().mapToDouble(v -> v).sorted().toArray()[values.size() / 2];
    }

    /** With as many callers as there are requests in flight of ours, each of whom waits for its answers. */
    private static double naivePairs(NaiveBroker broker) {
        LongAdder pairs = new LongAdder();
        long from = System.nanoTime();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < IN_FLIGHT; i++) {
            Thread caller = new Thread(() -> {
                while (System.nanoTime() - from < SECONDS * 1_000_000_000L) {
                    broker.release(broker.acquire());
                    pairs.increment();
                }
            });
            callers.add(caller);
            caller.start();
        }
        callers.forEach(RedisInstances::join);
        return pairs.sum() / ((System.nanoTime() - from) / 1e9);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** As many as are done with so many in flight, over all instances in turn. */
    private double pairs(List<EmbeddedGatekeeper> gates) {
        Semaphore room = new Semaphore(IN_FLIGHT);
        Request[] requests = Fleet.requests();
        long from = System.nanoTime();
        int pairs = 0;
        while (System.nanoTime() - from < SECONDS * 1_000_000_000L) {
            room.acquireUninterruptibly();
            EmbeddedGatekeeper gate = gates.get(pairs % gates.size());
            gate.acquire(requests[pairs++ % requests.length])
                    .thenCompose(decision -> released(gate, decision))
                    .whenComplete((done, failure) -> room.release());
        }
        room.acquireUninterruptibly(IN_FLIGHT);
        return pairs / ((System.nanoTime() - from) / 1e9);
    }

    private static CompletionStage<?> released(EmbeddedGatekeeper gate, Decision decision) {
        LeaseId id =
                decision instanceof Decision.Granted granted ? granted.lease().id() : null;
        if (id == null) {
            throw new IllegalStateException("nothing was to be refused: " + decision);
        }
        return gate.settle(id, Outcome.of(Outcome.Kind.SUCCESS, 200_000));
    }

    private String atRate(EmbeddedGatekeeper gate, double perSecond) {
        Queue<Long> took = new ConcurrentLinkedQueue<>();
        Request[] requests = Fleet.requests();
        long begin = System.nanoTime();
        int asked = (int) (perSecond * SECONDS * 2);
        for (int i = 0; i < asked; i++) {
            long due = begin + (long) (i * 1e9 / perSecond);
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            gate.acquire(requests[i % requests.length]).thenCompose(decision -> {
                took.add(System.nanoTime() - due);
                return released(gate, decision);
            });
        }
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (took.size() < asked && System.nanoTime() < deadline) {
            LockSupport.parkNanos(1_000_000);
        }
        return percentiles(took, 1e6) + " ms";
    }

    private static String percentiles(Queue<Long> nanos, double unit) {
        long[] sorted = nanos.stream().flatMapToLong(LongStream::of).sorted().toArray();
        return String.format("%.2f %.2f", sorted[sorted.length / 2] / unit, sorted[sorted.length * 99 / 100] / unit);
    }

    // ---- how soon a ban is known

    private void bans() {
        EmbeddedGatekeeper banning = gate("bans", 3, 20);
        EmbeddedGatekeeper other = gate("bans", 4, 20);
        Queue<Long> took = new ConcurrentLinkedQueue<>();
        for (int i = -20; i < BANS; i++) {
            String address = "a" + Math.floorMod(i, 20);
            long from = System.nanoTime();
            banning.ban(address, null, null, "bench").toCompletableFuture().join();
            await(other, address, true);
            if (i >= 0) {
                took.add(System.nanoTime() - from);
            }
            banning.unban(address, null).toCompletableFuture().join();
            await(other, address, false);
        }
        System.out.printf("a ban is respected by the other instance after, p50 p99: %s ms%n", percentiles(took, 1e6));
    }

    private static void await(EmbeddedGatekeeper gate, String address, boolean banned) {
        while (gate.pools().get(0).addresses().stream()
                .noneMatch(status -> status.address().id().equals(address)
                        && status.standing().hold().banned() == banned)) {
            Thread.onSpinWait();
        }
    }

    // ---- memory

    private void memory() throws InterruptedException {
        EmbeddedGatekeeper gate = gate("memory", 5, ADDRESSES);
        Request[] requests = Fleet.requests();
        List<Lease> warm = lease(gate, requests, LEASES);
        warm.forEach(lease -> gate.settle(Objects.requireNonNull(lease.id()), Outcome.of(Outcome.Kind.SUCCESS, 200_000))
                .toCompletableFuture()
                .join());
        warm.clear();
        long before = used();
        List<Lease> held = lease(gate, requests, LEASES);
        long bytes = used() - before;
        System.out.printf(
                "10,000 live leases in one instance, the caller's own objects included: %.1f MB%n", bytes / 1e6);
        if (held.size() != LEASES) {
            throw new IllegalStateException("only " + held.size() + " leases");
        }
    }

    private static List<Lease> lease(EmbeddedGatekeeper gate, Request[] requests, int count) {
        List<Lease> leases = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Decision decision = gate.acquire(requests[i % requests.length])
                    .toCompletableFuture()
                    .join();
            leases.add(((Decision.Granted) decision).lease());
        }
        return leases;
    }

    private static long used() throws InterruptedException {
        for (int i = 0; i < 4; i++) {
            System.gc();
            Thread.sleep(100);
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
