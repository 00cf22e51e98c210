package io.paceline.health;

import java.time.Duration;
import java.util.Objects;

/**
 * How long a sick address or cell stays out, and how much of the pool may be out at once.
 *
 * @param base the first wait of an address
 * @param cellBase the first wait of a cell that its target blocked: bans of sites lift after half an hour or an hour
 * @param cap the longest wait of an address, before jitter: those at the cap must not return together either
 * @param cellCap the longest wait of a cell, before jitter
 * @param jitter share by which a wait is stretched or shrunk at random, 0 to 1
 * @param maxShare the share of a pool that may be out, counted after the step, 0 to 1; 1 switches the cap off
 * @param minInService how many addresses stay in service whatever happens; 0 switches the floor off
 * @param deadAfter after so many relapses in a row the next failure is its death
 * @param panic whether addresses in quarantine may be leased while nobody is in service
 */
public record QuarantineSettings(
        Duration base,
        Duration cellBase,
        Duration cap,
        Duration cellCap,
        double jitter,
        double maxShare,
        int minInService,
        int deadAfter,
        boolean panic) {

    private static final int USUAL_DEAD_AFTER = 6;

    private static final QuarantineSettings DEFAULTS = new QuarantineSettings(
            Duration.ofMinutes(1), Duration.ofMinutes(10), Duration.ofHours(1), Duration.ofHours(24), 0.2, 0.30, 2);

    public QuarantineSettings {
        positive("base", base);
        positive("cell_base", cellBase);
        atLeast("cap", cap, "base", base);
        atLeast("cell_cap", cellCap, "cell_base", cellBase);
        share("jitter", jitter);
        share("max_share", maxShare);
        if (minInService < 0) {
            throw new IllegalArgumentException("min_in_service " + minInService + " is negative");
        }
        if (deadAfter < 1) {
            throw new IllegalArgumentException("dead_after " + deadAfter + " is not at least 1");
        }
    }

    /** With the usual {@code dead_after}, and no panic. */
    public QuarantineSettings(
            Duration base,
            Duration cellBase,
            Duration cap,
            Duration cellCap,
            double jitter,
            double maxShare,
            int minInService) {
        this(base, cellBase, cap, cellCap, jitter, maxShare, minInService, USUAL_DEAD_AFTER, false);
    }

    public static QuarantineSettings defaults() {
        return DEFAULTS;
    }

    private static void positive(String name, Duration value) {
        Objects.requireNonNull(value, name);
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(name + " " + value + " is not above 0");
        }
    }

    private static void atLeast(String name, Duration value, String floorName, Duration floor) {
        positive(name, value);
        if (value.compareTo(floor) < 0) {
            throw new IllegalArgumentException(name + " " + value + " is below " + floorName + " " + floor);
        }
    }

    private static void share(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " " + value + " is not between 0 and 1");
        }
    }
}
