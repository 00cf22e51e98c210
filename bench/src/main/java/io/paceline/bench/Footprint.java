package io.paceline.bench;

import io.paceline.Address;
import io.paceline.EmbeddedGatekeeper;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;

/** T2: what an address costs in memory, its own description and the gatekeeper's state apart, and how long a list loads. */
public final class Footprint {
    private Footprint() {}

    public static void main(String[] args) {
        int count = args.length == 0 ? 1_000_000 : Integer.parseInt(args[0]);
        Fleet.gatekeeper(Fleet.addresses(10)); // what is loaded once is nobody's address
        long empty = used();
        List<Address> addresses = Fleet.addresses(count);
        long described = used();
        long started = System.nanoTime();
        long cpuBefore = cpu();
        EmbeddedGatekeeper gate = Fleet.gatekeeper(addresses);
        double seconds = (System.nanoTime() - started) / 1e9;
        double cpuSeconds = (cpu() - cpuBefore) / 1e9;
        long loaded = used();
        PermitBench bench = new PermitBench();
        PermitBench.Gate state = new PermitBench.Gate();
        state.gate = gate;
        PermitBench.Turn turn = new PermitBench.Turn();
        bench.paceline(state, turn); // the group of the strategy is built by the first request
        long serving = used();
        for (int i = 0; i < count; i++) {
            bench.paceline(state, turn);
        }
        long worked = used();
        System.out.printf(
                Locale.ROOT,
                "%,d addresses: %.2f s to load (%.2f of processor time); octets each: description %d, loaded %d, serving %d; total %,d MB;"
                        + " about %d octets a cell (%,d requests)%n",
                count,
                seconds,
                cpuSeconds,
                (described - empty) / count,
                (loaded - described) / count,
                (serving - described) / count,
                (serving - empty) >> 20,
                (worked - serving) / Math.max(1, count - 1),
                count);
        if (gate.pools().isEmpty() || addresses.isEmpty()) {
            throw new IllegalStateException("keeps both alive until here");
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
