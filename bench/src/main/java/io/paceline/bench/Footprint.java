package io.paceline.bench;

import io.paceline.Address;
import io.paceline.EmbeddedGatekeeper;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;

/**
 * T2: what an address costs in memory, its own description and the gatekeeper's state apart, and how long a list loads. Run
 * it with the heap that must do: {@code java -Xmx1g ... Footprint 1000000}.
 */
public final class Footprint {
    private Footprint() {}

    public static void main(String[] args) {
        int count = args.length == 0 ? 1_000_000 : Integer.parseInt(args[0]);
        work(
                Fleet.gatekeeper(Fleet.addresses(10)),
                10); // what is loaded once, the public suffixes, is nobody's address
        long empty = used();
        List<Address> addresses = Fleet.addresses(count);
        long described = used();
        long started = System.nanoTime();
        long cpuBefore = cpu();
        EmbeddedGatekeeper gate = Fleet.gatekeeper(addresses);
        double seconds = (System.nanoTime() - started) / 1e9;
        double cpuSeconds = (cpu() - cpuBefore) / 1e9;
        long loaded = used();
        work(gate, 1); // the group of the strategy is built by the first request
        long serving = used();
        // Hardly a cell comes twice in the first requests, and they open every page of latencies; those after make
        // cells only.
        int requests = count / 4;
        work(gate, requests);
        long worked = used();
        work(gate, requests);
        long cell = (used() - worked) / requests;
        long whole = (worked - described - cell * requests) / count;
        System.out.printf(
                Locale.ROOT,
                "%,d addresses: %.2f s to load (%.2f of processor time); octets an address: description %d,"
                        + " state %d (loaded %d, serving %d); about %d a cell; total %,d MB with %,d cells%n",
                count,
                seconds,
                cpuSeconds,
                (described - empty) / count,
                whole,
                (loaded - described) / count,
                (serving - described) / count,
                cell,
                (used() - empty) >> 20,
                2 * requests);
        if (gate.pools().isEmpty() || addresses.isEmpty()) {
            throw new IllegalStateException("keeps both alive until here");
        }
    }

    private static void work(EmbeddedGatekeeper gate, int requests) {
        PermitBench bench = new PermitBench();
        PermitBench.Gate state = new PermitBench.Gate();
        state.gate = gate;
        PermitBench.Turn turn = new PermitBench.Turn();
        for (int i = 0; i < requests; i++) {
            bench.paceline(state, turn);
        }
    }

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
