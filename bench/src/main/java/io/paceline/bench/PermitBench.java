package io.paceline.bench;

import io.paceline.Decision;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.Lease;
import io.paceline.LeaseId;
import io.paceline.Outcome;
import io.paceline.Request;
import io.paceline.SettleResult;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** T1: one acquire and its settle through the public API, beside the naive list. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class PermitBench {

    /** The gatekeeper that a fork measures. */
    @State(Scope.Benchmark)
    @SuppressWarnings("NullAway.Init")
    public static class Gate {
        @Param({"100", "10000", "1000000"})
        public int addresses;

        EmbeddedGatekeeper gate;
        final Request[] requests = Fleet.requests();

        @Setup
        public void open() {
            gate = Fleet.gatekeeper(Fleet.addresses(addresses));
        }
    }

    /** The list that a fork measures. */
    @State(Scope.Benchmark)
    @SuppressWarnings("NullAway.Init")
    public static class Naive {
        @Param({"100", "10000", "1000000"})
        public int addresses;

        NaiveList list;

        @Setup
        public void open() {
            list = new NaiveList(addresses);
        }
    }

    /** Which request comes next: each thread walks over the targets by itself. */
    @State(Scope.Thread)
    public static class Turn {
        private int next;

        Request of(Request[] requests) {
            next = next + 1 == requests.length ? 0 : next + 1;
            return requests[next];
        }
    }

    /** One success in fifty is a time-out, so that windows, streaks and weights really move. */
    @Benchmark
    public SettleResult paceline(Gate gate, Turn turn) {
        Decision decision = join(gate.gate.acquire(turn.of(gate.requests)).toCompletableFuture());
        if (!(decision instanceof Decision.Granted granted)) {
            throw new IllegalStateException("a request was not granted: " + decision);
        }
        Lease lease = granted.lease();
        LeaseId id = Objects.requireNonNull(lease.id());
        int chance = ThreadLocalRandom.current().nextInt(5_000);
        Outcome outcome =
                chance < 100 ? Outcome.of(Outcome.Kind.TIMEOUT) : Outcome.of(Outcome.Kind.SUCCESS, 100_000 + chance);
        return join(gate.gate.settle(id, outcome).toCompletableFuture());
    }

    private static <T> T join(java.util.concurrent.CompletableFuture<T> answer) {
        return answer.join();
    }

    @Benchmark
    public NaiveList.Proxy naive(Naive naive) {
        NaiveList.Proxy proxy = naive.list.acquire();
        naive.list.release(proxy, true);
        return proxy;
    }
}
