package io.paceline.health;

import java.time.Duration;
import java.util.Objects;

/**
 * When an address or a cell is suspect, and how one that was out comes back.
 *
 * @param suspect what makes a suspect
 * @param rise so many good single leases in a row end the half-open phase
 * @param slowStartFrom the share of its weight with which it begins again, above 0 and at most 1
 * @param slowStartOver how long it takes to its full weight; zero means at once
 */
public record HealthSettings(SuspectSettings suspect, int rise, double slowStartFrom, Duration slowStartOver) {

    private static final HealthSettings DEFAULTS =
            new HealthSettings(SuspectSettings.defaults(), 5, 0.05, Duration.ofSeconds(60));

    public HealthSettings {
        Objects.requireNonNull(suspect, "suspect");
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
