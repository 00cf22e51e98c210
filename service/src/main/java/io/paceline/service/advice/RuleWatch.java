package io.paceline.service.advice;

import java.util.LinkedHashMap;
import java.util.Map;

/** How often one rule held somebody up, and for how long. */
final class RuleWatch {
    /** Up to here a wait is the way through the house, not a rule's doing. */
    private static final long NO_WAIT_MICROS = 20_000;

    private static final int MAX_HOSTS = 1_000;

    private final Map<String, Long> refusedByHost = new LinkedHashMap<>();
    private final Waits waits = new Waits();
    private long granted;
    private long waited;
    private long refused;
    private long dryRunRefusals;

    /** A request that it decided was let through. */
    void granted(long waitedMicros) {
        granted++;
        if (waitedMicros > NO_WAIT_MICROS) {
            waited++;
            waits.add(waitedMicros);
        }
    }

    void refused(String host) {
        refused++;
        if (refusedByHost.containsKey(host) || refusedByHost.size() < MAX_HOSTS) {
            refusedByHost.merge(host, 1L, Long::sum);
        }
    }

    void wouldHaveRefused() {
        dryRunRefusals++;
    }

    long granted() {
        return granted;
    }

    long waited() {
        return waited;
    }

    long refused() {
        return refused;
    }

    long dryRunRefusals() {
        return dryRunRefusals;
    }

    Waits waits() {
        return waits;
    }

    /** The host that it refused most. */
    String mostRefused() {
        return refusedByHost.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("");
    }
}
