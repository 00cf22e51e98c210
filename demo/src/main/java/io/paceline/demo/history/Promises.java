package io.paceline.demo.history;

import java.util.Map;

/**
 * What the configuration of the gatekeepers promises, as far as a history can be held against it.
 *
 * @param pools by name
 * @param limits by target; one that is absent has none
 * @param longestLeaseMicros the life of any lease, from its grant or its last renewal
 * @param patienceMicros for how long nobody may be refused while there is room
 */
public record Promises(
        Map<String, Pool> pools, Map<String, Limit> limits, long longestLeaseMicros, long patienceMicros) {

    public Promises {
        pools = Map.copyOf(pools);
        limits = Map.copyOf(limits);
    }

    /**
     * @param maxLeases on an address at once
     * @param maxLeasesPerTarget on an address and a target at once
     * @param sessionMicros how long a session lives after its last permit
     * @param ample it has more room than all callers together can use
     */
    public record Pool(int maxLeases, int maxLeasesPerTarget, long sessionMicros, boolean ample) {}

    /** What may start, or be live, on a target. */
    public sealed interface Limit {}

    /**
     * Sliding windows and GCRA.
     *
     * @param perAddress each address has a limit of its own
     */
    public record Starts(int most, long windowMicros, boolean perAddress) implements Limit {}

    /** A concurrency limit. */
    public record AtOnce(int most) implements Limit {}
}
