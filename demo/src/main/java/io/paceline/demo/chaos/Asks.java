package io.paceline.demo.chaos;

import io.paceline.demo.history.Event.Ask;
import io.paceline.demo.history.Promises;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What is configured, what is promised with it, and what callers ask for: three pools, a limit of each kind. */
final class Asks {
    static final String EXCLUSIVE = "exclusive";
    static final String SESSIONS = "sessions";
    static final String WIDE = "wide";
    /** Its callers are held until their turn. */
    static final String HELD_TARGET = "gcra.example";

    static final long LEASE_MICROS = 3_000_000;
    private static final long SESSION_MICROS = 20_000_000;
    private static final long PATIENCE_MICROS = 2_000_000;
    private static final int SESSION_KEYS = 30;
    private static final List<String> LIMITED =
            List.of("window.example", "counted.example", HELD_TARGET, "few.example", "each.example");

    private Asks() {}

    static final Promises PROMISES = new Promises(
            Map.of(
                    EXCLUSIVE, new Promises.Pool(1, 1, SESSION_MICROS, false),
                    SESSIONS, new Promises.Pool(6, 6, SESSION_MICROS, false),
                    WIDE, new Promises.Pool(4, 2, SESSION_MICROS, true)),
            Map.of(
                    "window.example",
                    new Promises.Starts(20, 1_000_000, false),
                    "counted.example",
                    new Promises.Starts(66, 4_000_000, false),
                    HELD_TARGET,
                    new Promises.Starts(20, 1_000_000, false),
                    "each.example",
                    new Promises.Starts(3, 1_000_000, true),
                    "few.example",
                    new Promises.AtOnce(4)),
            LEASE_MICROS,
            PATIENCE_MICROS);

    static String yaml() {
        return """
                pools:
                  - { name: exclusive, addresses: [ %s ], max_leases: 1, max_leases_per_target: 1, lease_ttl: 3s }
                  - { name: sessions, addresses: [ %s ], max_leases: 6, max_leases_per_target: 6, lease_ttl: 3s, session: { ttl: 20s } }
                  - { name: wide, addresses: [ %s ], max_leases: 4, max_leases_per_target: 2, lease_ttl: 3s }
                rules:
                  - { name: open, pattern: "*", limit: 100000, window: 1s }
                  - { name: many, pattern: "*", concurrency: 1000 }
                  - { name: window, pattern: window.example, limit: 20, window: 1s }
                  - { name: counted, pattern: counted.example, limit: 66, window: 4s }
                  - { name: gcra, pattern: gcra.example, limit: 20, window: 1s, burst: 6, on_limit: wait, max_wait: 300ms }
                  - { name: few, pattern: few.example, concurrency: 4 }
                  - { name: each, pattern: each.example, per: [target, address], limit: 3, window: 1s }
                """.formatted(addresses(1, 24), addresses(2, 12), addresses(3, 60));
    }

    private static String addresses(int net, int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(host -> "{ inline: \"http://10.0." + net + "." + host + ":8080\" }")
                .collect(Collectors.joining(", "));
    }

    static Ask draw(RandomGenerator random) {
        int dice = random.nextInt(100);
        if (dice < 35) {
            return new Ask(EXCLUSIVE, "open.example", null);
        }
        if (dice < 50) {
            return new Ask(SESSIONS, "shop.example", "s" + random.nextInt(SESSION_KEYS));
        }
        return new Ask(WIDE, dice < 60 ? "open.example" : LIMITED.get(random.nextInt(LIMITED.size())), null);
    }
}
