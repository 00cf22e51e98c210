package io.paceline.health;

import java.time.Duration;

/**
 * When an address or a cell is taken out, and how it comes back.
 *
 * @param failuresInRow so many failures in a row take it out
 * @param rise so many good single leases in a row end the half-open phase
 * @param slowStartFrom the share of its weight with which it begins again, above 0 and at most 1
 * @param slowStartOver how long it takes to its full weight; zero means at once
 */
public record HealthSettings(int failuresInRow, int rise, double slowStartFrom, Duration slowStartOver) {

    private static final HealthSettings DEFAULTS = new HealthSettings(5, 5, 0.05, Duration.ofSeconds(60));

    public HealthSettings {
        if (failuresInRow < 1) {
            throw new IllegalArgumentException("failures_in_row " + failuresInRow + " is not at least 1");
        }
        if (rise < 1) {
            throw new IllegalArgumentException("rise " + rise + " is not at least 1");
        }
        if (!(slowStartFrom > 0 && slowStartFrom <= 1)) {
            throw new IllegalArgumentException("slow_start.from " + slowStartFrom + " is not above 0 and at most 1");
        }
        if (slowStartOver.isNegative()) {
            throw new IllegalArgumentException("slow_start.over " + slowStartOver + " is negative");
        }
    }

    public static HealthSettings defaults() {
        return DEFAULTS;
    }
}
