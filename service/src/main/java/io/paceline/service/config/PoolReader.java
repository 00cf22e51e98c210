package io.paceline.service.config;

import io.paceline.health.HealthSettings;
import io.paceline.health.QuarantineSettings;
import io.paceline.health.SubjectRow;
import io.paceline.health.SuspectSettings;
import io.paceline.pool.PoolSettings;
import io.paceline.pool.SessionSettings;
import io.paceline.pool.SessionSettings.Mode;
import io.paceline.pool.Strategy;
import io.paceline.pool.TaskSettings;
import io.paceline.store.OnAddressDeath;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
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
                probe.settings(),
                pool.value("fallback")
                        .filter(value -> !value.isOff())
                        .flatMap(Value::text)
                        .orElse(null));
    }

    private static Map<String, TaskSettings> tasks(Section pool) {
        Map<String, TaskSettings> tasks = new HashMap<>();
        pool.value("tasks")
                .ifPresent(value -> value.entries("tasks: {login: {strategy: hash}}")
                        .forEach((name, task) -> task.section("pools[].tasks.*").ifPresent(section -> {
                            try (section) {
                                tasks.put(name, task(section, name));
                            }
                        })));
        return tasks;
    }

    private static TaskSettings task(Section task, String name) {
        boolean ownStrategy = task.value("strategy").isPresent();
        if (!ownStrategy && task.value("prefer").isEmpty()) {
            task.error(
                    "strategy",
                    "task \"" + name + "\" has neither strategy nor prefer: write {strategy: hash} or"
                            + " {prefer: {kind: datacenter}}");
        }
        Strategy strategy = task.word("strategy", Strategy.WEIGHTED, strategies());
        return new TaskSettings(
                ownStrategy ? strategy : null, PreferReader.read(task).orElse(Map.of()));
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
                    session.word("on_address_death", defaults.onAddressDeath(), deaths()));
        }
    }

    private static Map<String, OnAddressDeath> deaths() {
        Map<String, OnAddressDeath> words = new LinkedHashMap<>();
        for (OnAddressDeath death : OnAddressDeath.values()) {
            words.put(death.word(), death);
        }
        return words;
    }

    private static HealthSettings health(Section pool, int rise) {
        HealthSettings defaults = HealthSettings.defaults();
        SuspectSettings suspect =
                pool.section("health").map(PoolReader::suspect).orElse(SuspectSettings.defaults());
        return pool.section("slow_start")
                .map(slowStart -> {
                    try (slowStart) {
                        double from = slowStart.decimal("from", defaults.slowStartFrom(), 0.001, 1);
                        Duration over = slowStart.duration("over", defaults.slowStartOver());
                        return new HealthSettings(suspect, rise, from, over);
                    }
                })
                .orElse(new HealthSettings(suspect, rise, defaults.slowStartFrom(), defaults.slowStartOver()));
    }

    private static SuspectSettings suspect(Section health) {
        try (health) {
            SuspectSettings defaults = SuspectSettings.defaults();
            int window = health.integer("window", defaults.window(), 10, SubjectRow.WINDOW);
            int[] failOf = failOf(health, window, defaults);
            return new SuspectSettings(
                    window,
                    failOf[0],
                    failOf[1],
                    health.decimal("min_success", defaults.minSuccess(), 0, 1),
                    health.decimal("captcha_share", defaults.captchaShare(), 0.001, 1),
                    health.decimal("latency_factor", defaults.latencyFactor(), 1.1, 1_000),
                    health.duration("dwell", defaults.dwell()));
        }
    }

    /** {@code fail_of: [3, 5]}: three of the last five. */
    private static int[] failOf(Section health, int window, SuspectSettings defaults) {
        int[] otherwise = {defaults.failures(), defaults.failuresOf()};
        List<Value> pair = health.list("fail_of", "[3, 5]");
        if (pair.isEmpty()) {
            return otherwise;
        }
        if (pair.size() != 2) {
            health.error(
                    "fail_of", "fail_of has " + pair.size() + " numbers: write [failures, outcomes], as in [3, 5]");
            return otherwise;
        }
        int outcomes = pair.get(1).integer(1, window, 5).orElse(otherwise[1]);
        int failures = pair.get(0).integer(1, outcomes, Math.min(3, outcomes)).orElse(Math.min(otherwise[0], outcomes));
        return new int[] {failures, outcomes};
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
                    quarantine.integer("min_in_service", defaults.minInService(), 0, Integer.MAX_VALUE),
                    quarantine.integer("dead_after", defaults.deadAfter(), 1, Integer.MAX_VALUE),
                    quarantine.word("panic", defaults.panic(), Map.of("off", false, "on", true)));
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
