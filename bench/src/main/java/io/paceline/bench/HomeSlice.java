package io.paceline.bench;

import io.paceline.Alarm;
import io.paceline.Decision;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.GateConfig;
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
import io.paceline.pool.Strategy;
import io.paceline.store.Admitted;
import io.paceline.store.MemoryStore;
import io.paceline.store.StateStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What several gatekeepers cost each other in misses, in virtual time: each proposes from its own view, the store knows what is
 * taken. Exclusive addresses, leases of a second on average, a given share of them in use; with shares of their own, and without.
 *
 * <p>Printed: calls of the store that found none of the proposed addresses free, and requests that were refused, of a hundred.
 */
final class HomeSlice implements Ticker, Alarm {
    private static final int ADDRESSES = 1_000;
    private static final int REQUESTS = 40_000;
    private static final double MEAN_LEASE_MICROS = 1_000_000;

    private record Ring(long at, long order, Runnable task) implements Comparable<Ring> {
        @Override
        public int compareTo(Ring other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Ring> rings = new PriorityQueue<>();
    private final SplittableRandom random = new SplittableRandom(7);
    private long now = 1_000_000_000;
    private long order;
    private long asked;
    private long missed;
    private long refused;

    public static void main(String[] arguments) {
        System.out.println("strategy              instances  in use   misses %          refused %");
        System.out.println("                                       blind    home     blind    home");
        for (Strategy strategy : List.of(Strategy.WEIGHTED, Strategy.LEAST_RECENTLY_USED, Strategy.ROUND_ROBIN)) {
            for (int instances : new int[] {2, 4}) {
                for (double inUse : new double[] {0.5, 0.8, 0.95}) {
                    HomeSlice blind = new HomeSlice();
                    blind.run(strategy, instances, inUse, false);
                    HomeSlice home = new HomeSlice();
                    home.run(strategy, instances, inUse, true);
                    System.out.printf(
                            "%-20s  %9d  %6.2f  %7.2f %7.2f   %7.2f %7.2f%n",
                            strategy, instances, inUse, blind.missed(), home.missed(), blind.refused(), home.refused());
                }
            }
        }
    }

    private double missed() {
        return 100.0 * missed / REQUESTS;
    }

    private double refused() {
        return 100.0 * refused / REQUESTS;
    }

    @Override
    public long micros() {
        return now;
    }

    @Override
    public void at(long atMicros, Runnable task) {
        rings.add(new Ring(atMicros, order++, task));
    }

    private void run(Strategy strategy, int instances, double inUse, boolean withHome) {
        MemoryStore store = new MemoryStore(this);
        PoolSettings defaults = PoolSettings.defaults("default");
        PoolSettings settings = new PoolSettings(
                "default",
                strategy,
                Map.of(),
                1,
                1,
                Duration.ofMinutes(5),
                defaults.session(),
                defaults.health(),
                defaults.quarantine());
        GateConfig config = new GateConfig(
                List.of(new PoolConfig(settings, Fleet.addresses(ADDRESSES))),
                TargetBook.empty(),
                RuleBook.of(List.of(Rule.builder(HostPattern.parse("*"))
                        .name("at-once")
                        .concurrency(1_000_000)
                        .build())));
        List<EmbeddedGatekeeper> gates = new ArrayList<>();
        for (int i = 0; i < instances; i++) {
            int own = i;
            LongPredicate home = withHome && instances > 1 ? id -> Math.floorMod(id, instances) == own : null;
            gates.add(EmbeddedGatekeeper.builder(watched(store, home), this, this, new SharedRandom(i))
                    .start(config)
                    .toCompletableFuture()
                    .join());
        }
        double between = MEAN_LEASE_MICROS / (inUse * ADDRESSES);
        at(now + 10_000, () -> next(gates, between));
        while (asked < REQUESTS) {
            Ring ring = rings.remove();
            now = Math.max(now, ring.at);
            ring.task.run();
        }
    }

    private void next(List<EmbeddedGatekeeper> gates, double between) {
        EmbeddedGatekeeper gate = gates.get(random.nextInt(gates.size()));
        gate.acquire(Request.builder("https://site" + random.nextInt(20) + ".example/")
                        .hold(Request.Hold.NEVER)
                        .build())
                .thenAccept(decision -> {
                    LeaseId lease = decision instanceof Decision.Granted granted
                            ? granted.lease().id()
                            : null;
                    if (lease == null) {
                        refused++;
                    } else {
                        at(
                                now + exponential(MEAN_LEASE_MICROS),
                                () -> gate.settle(lease, Outcome.of(Outcome.Kind.SUCCESS, 10_000)));
                    }
                });
        asked++;
        at(now + exponential(between), () -> next(gates, between));
    }

    private long exponential(double mean) {
        return (long) (-mean * StrictMath.log(1 - random.nextDouble())) + 1;
    }

    private StateStore watched(MemoryStore store, @Nullable LongPredicate home) {
        return (StateStore) Proxy.newProxyInstance(
                HomeSlice.class.getClassLoader(), new Class<?>[] {StateStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("home")) {
                        return home;
                    }
                    Object answer;
                    try {
                        answer = method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (method.getName().equals("admit")
                            && ((CompletionStage<?>) answer)
                                            .toCompletableFuture()
                                            .join()
                                    instanceof Admitted.Busy) {
                        missed++;
                    }
                    return answer;
                });
    }
}
