package io.paceline.bench;

import io.paceline.Decision;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.GateConfig;
import io.paceline.LeaseId;
import io.paceline.Outcome;
import io.paceline.Request;
import io.paceline.SettleResult;
import io.paceline.SharedRandom;
import io.paceline.Ticker;
import io.paceline.pace.HostPattern;
import io.paceline.pace.OnLimit;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import io.paceline.store.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The waiting queue: one turn of a line that stays as long as it is. A lease ends, the head of the line gets the next, and
 * a newcomer joins. One thread: turns come one after another.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class WaitingBench {
    private static final int TENANTS = 10;
    private static final int CLIENTS = 20;

    /** One place, and a line in front of it. */
    @State(Scope.Benchmark)
    @SuppressWarnings("NullAway.Init")
    public static class Queue {
        @Param({"1", "1000", "9000"})
        public int waiting;

        private EmbeddedGatekeeper gate;
        private final Request[] requests = new Request[TENANTS * CLIENTS];
        private int next;
        private LeaseId live;

        @Setup
        public void fill() {
            Ticker ticker = () -> System.nanoTime() / 1_000;
            Rule one = Rule.builder(HostPattern.parse("*"))
                    .name("one")
                    .concurrency(1)
                    .onLimit(OnLimit.WAIT)
                    .maxWait(Duration.ofHours(1))
                    .build();
            GateConfig config = new GateConfig(
                    List.of(new PoolConfig(PoolSettings.defaults("default"), Fleet.addresses(100))),
                    TargetBook.empty(),
                    RuleBook.of(List.of(one)));
            gate = EmbeddedGatekeeper.builder(new MemoryStore(ticker), ticker, (at, task) -> {}, new SharedRandom(1))
                    .start(config)
                    .toCompletableFuture()
                    .join();
            for (int i = 0; i < requests.length; i++) {
                requests[i] = Request.builder("https://www.shop.example/")
                        .tenant("t" + i % TENANTS)
                        .clientId("c" + i / TENANTS)
                        .build();
            }
            for (int i = 0; i <= waiting; i++) {
                join();
            }
        }

        private void join() {
            next = next + 1 == requests.length ? 0 : next + 1;
            gate.acquire(requests[next]).thenAccept(this::granted);
        }

        private void granted(Decision decision) {
            if (!(decision instanceof Decision.Granted granted)) {
                throw new IllegalStateException("not granted: " + decision);
            }
            live = Objects.requireNonNull(granted.lease().id());
        }

        SettleResult turn() {
            LeaseId ended = live;
            CompletableFuture<SettleResult> settled =
                    gate.settle(ended, Outcome.of(Outcome.Kind.SUCCESS, 1_000)).toCompletableFuture();
            if (live.equals(ended)) {
                throw new IllegalStateException("nobody took the place");
            }
            join();
            return settled.join();
        }
    }

    @Benchmark
    public SettleResult turn(Queue queue) {
        return queue.turn();
    }
}
