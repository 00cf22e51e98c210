package io.paceline.bench;

import io.paceline.Address;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.service.journal.Journal;
import io.paceline.service.journal.JournalSettings;
import io.paceline.store.MemoryStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * T1 with the journal: pairs of acquire and settle with and without it, in turn in one JVM; then what it takes on disk, and how long a
 * start reads. {@code JournalCost ADDRESSES SLICES FLUSH_MS}.
 */
public final class JournalCost {
    private static final int PAIRS_A_SLICE = 100_000;

    private JournalCost() {}

    public static void main(String[] args) throws IOException {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
        int slices = args.length > 1 ? Integer.parseInt(args[1]) : 30;
        long flushMillis = args.length > 2 ? Long.parseLong(args[2]) : 1_000;
        Path data = Files.createTempDirectory("paceline-journal");
        try {
            run(count, slices, flushMillis, data);
        } finally {
            delete(data);
        }
    }

    private static void run(int count, int slices, long flushMillis, Path data) throws IOException {
        JournalSettings settings =
                new JournalSettings(true, java.time.Duration.ofMillis(flushMillis), JournalSettings.Fsync.ALWAYS);
        List<Address> addresses = Fleet.addresses(count);
        EmbeddedGatekeeper without = Fleet.gatekeeper(addresses);
        Journal journal = Journal.open(data, settings);
        MemoryStore store = journal.store(Fleet.ticker());
        EmbeddedGatekeeper with = Fleet.gatekeeper(addresses, store);
        journal.start(store);
        List<Double> wall = new ArrayList<>();
        List<Double> own = new ArrayList<>();
        for (int i = 0; i < slices; i++) {
            Cost plain = slice(without);
            Cost kept = slice(with);
            if (i >= slices / 3) {
                wall.add(kept.wallNanos / (double) plain.wallNanos);
                own.add(kept.ownNanos / (double) plain.ownNanos);
            }
            if (i == slices - 1) {
                System.out.printf(
                        Locale.ROOT,
                        "the last slice: %d ns of the caller's processor time a pair without, %d with%n",
                        plain.ownNanos / PAIRS_A_SLICE,
                        kept.ownNanos / PAIRS_A_SLICE);
            }
        }
        journal.close();
        System.out.printf(
                Locale.ROOT,
                "%,d addresses, flush %d ms: with the journal %.3fx the caller's processor time, %.3fx the wall time (median of"
                        + " %d slices)%n",
                count,
                flushMillis,
                median(own),
                median(wall),
                own.size());
        start(data, settings);
    }

    /** Opens it twice: the second time there is nothing but a whole increment. */
    private static void start(Path data, JournalSettings settings) throws IOException {
        for (int i = 0; i < 3; i++) {
            long octets = octets(data);
            long begin = System.nanoTime();
            Journal journal = Journal.open(data, settings);
            MemoryStore store = journal.store(Fleet.ticker());
            double millis = (System.nanoTime() - begin) / 1e6;
            journal.start(store);
            journal.close();
            int rows = store.snapshot().chains().stream()
                    .mapToInt(chain -> chain.slots().size() + chain.cells().size())
                    .sum();
            System.out.printf(
                    Locale.ROOT, "start: %,d octets on disk, %,d rows, read in %.0f ms%n", octets, rows, millis);
        }
        try (Stream<Path> files = Files.list(data.resolve("journal"))) {
            Path newest = files.filter(file -> file.toString().endsWith(".journal"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            System.out.printf(Locale.ROOT, "a whole increment: %,d octets%n", Files.size(newest));
        }
    }

    private record Cost(long wallNanos, long ownNanos) {}

    private static Cost slice(EmbeddedGatekeeper gate) {
        PermitBench bench = new PermitBench();
        PermitBench.Gate state = new PermitBench.Gate();
        state.gate = gate;
        PermitBench.Turn turn = new PermitBench.Turn();
        long ownBefore = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long before = System.nanoTime();
        for (int i = 0; i < PAIRS_A_SLICE; i++) {
            if (bench.paceline(state, turn) == null) {
                throw new IllegalStateException("no answer");
            }
        }
        return new Cost(
                System.nanoTime() - before, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - ownBefore);
    }

    private static double median(List<Double> ratios) {
        return ratios.stream().sorted().toList().get(ratios.size() / 2);
    }

    private static long octets(Path data) throws IOException {
        long sum = 0;
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                sum += Files.size(file);
            }
        }
        return sum;
    }

    private static void delete(Path data) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
