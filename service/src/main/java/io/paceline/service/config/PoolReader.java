package io.paceline.service.config;

import io.paceline.health.HealthSettings;
import io.paceline.health.QuarantineSettings;
import io.paceline.pool.PoolSettings;
import io.paceline.pool.SessionSettings;
import io.paceline.pool.SessionSettings.Mode;
import io.paceline.pool.SessionSettings.OnAddressDeath;
import io.paceline.pool.Strategy;
import io.paceline.pool.TaskSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads the settings of one entry of {@code pools}. */
final class PoolReader {

    private static final int MAX_LEASES = 1_000_000;

    private PoolReader() {}

    /** @param name checked by the caller */
    static PoolSettings settings(Section pool, String name) {
        PoolSettings defaults = PoolSettings.defaults(name);
        ProbeReader.Read probe = pool.section("probe").map(ProbeReader::read).orElse(ProbeReader.Read.defaults());
        int maxLeases = pool.integer("max_leases", defaults.maxLeases(), 1, MAX_LEASES);
        return new PoolSettings(
                name,
                pool.word("strategy", defaults.strategy(), strategies()),
                tasks(pool),
                maxLeases,
                pool.integer("max_leases_per_target", maxLeases, 1, maxLeases),
                pool.positive("lease_ttl", defaults.leaseTtl()),
                pool.section("session").map(PoolReader::session).orElse(defaults.session()),
                health(pool, probe.rise()),
                pool.section("quarantine").map(PoolReader::quarantine).orElse(defaults.quarantine()),
                probe.settings());
    }

    private static Map<String, TaskSettings> tasks(Section pool) {
        Map<String, TaskSettings> tasks = new HashMap<>();
        pool.value("tasks")
                .ifPresent(value -> value.entries("tasks: {login: {strategy: hash}}")
                        .forEach((name, task) -> task.section("pools[].tasks.*").ifPresent(section -> {
                            try (section) {
                                if (section.value("strategy").isEmpty()) {
                                    section.error(
                                            "strategy",
                                            "task \"" + name + "\" has no strategy: write {strategy: hash}");
                                }
                                tasks.put(
                                        name,
                                        new TaskSettings(section.word("strategy", Strategy.WEIGHTED, strategies())));
                            }
                        })));
        return tasks;
    }

    private static SessionSettings session(Section session) {
        try (session) {
            SessionSettings defaults = SessionSettings.defaults();
            Map<String, Mode> modes = new LinkedHashMap<>();
            modes.put("sliding", Mode.SLIDING);
            modes.put("fixed", Mode.FIXED);
            return new SessionSettings(
                    session.positive("ttl", defaults.ttl()),
                    session.word("mode", defaults.mode(), modes),
                    session.word(
                            "on_address_death",
                            defaults.onAddressDeath(),
                            Map.of("end", OnAddressDeath.END),
                            "pause",
                            "migrate"));
        }
    }

    private static HealthSettings health(Section pool, int rise) {
        HealthSettings defaults = HealthSettings.defaults();
        int failuresInRow = pool.section("health")
                .map(health -> {
                    try (health) {
                        return health.integer("failures_in_row", defaults.failuresInRow(), 1, Integer.MAX_VALUE);
                    }
                })
                .orElse(defaults.failuresInRow());
        return pool.section("slow_start")
                .map(slowStart -> {
                    try (slowStart) {
                        double from = slowStart.decimal("from", defaults.slowStartFrom(), 0.001, 1);
                        Duration over = slowStart.duration("over", defaults.slowStartOver());
                        return new HealthSettings(failuresInRow, rise, from, over);
                    }
                })
                .orElse(new HealthSettings(failuresInRow, rise, defaults.slowStartFrom(), defaults.slowStartOver()));
    }

    private static QuarantineSettings quarantine(Section quarantine) {
        try (quarantine) {
            QuarantineSettings defaults = QuarantineSettings.defaults();
            Duration base = quarantine.positive("base", defaults.base());
            Duration cellBase = quarantine.positive("cell_base", defaults.cellBase());
            Duration cap = atLeast(quarantine, "cap", defaults.cap(), "base", base);
            Duration cellCap = atLeast(quarantine, "cell_cap", defaults.cellCap(), "cell_base", cellBase);
            return new QuarantineSettings(
                    base,
                    cellBase,
                    cap,
                    cellCap,
                    quarantine.decimal("jitter", defaults.jitter(), 0, 1),
                    quarantine.decimal("max_share", defaults.maxShare(), 0, 1),
                    quarantine.integer("min_in_service", defaults.minInService(), 0, Integer.MAX_VALUE));
        }
    }

    /** The longest wait, which must not be below the first. */
    private static Duration atLeast(Section section, String key, Duration otherwise, String floorKey, Duration floor) {
        Duration value = section.positive(key, otherwise);
        if (value.compareTo(floor) >= 0) {
            return value;
        }
        boolean given = section.value(key).isPresent();
        section.error(
                given ? key : floorKey,
                key + " " + DurationText.format(value) + (given ? "" : " (the default)") + " is below " + floorKey + " "
                        + DurationText.format(floor) + ": raise " + key + " or lower " + floorKey);
        return floor;
    }

    private static Map<String, Strategy> strategies() {
        Map<String, Strategy> words = new LinkedHashMap<>();
        for (Strategy strategy : Strategy.values()) {
            words.put(strategy.word(), strategy);
        }
        return words;
    }
}
