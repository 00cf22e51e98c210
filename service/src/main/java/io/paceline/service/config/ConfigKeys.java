package io.paceline.service.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Every key of the configuration, by the place where it stands: the one table that the readers, their errors and the test
 * of the JSON Schema go by.
 *
 * @param known keys that are read
 * @param later keys that mean something to other versions; refused unless they are empty or {@code off}, which is how
 *     this version behaves
 */
record ConfigKeys(List<String> known, List<String> later) {

    static final String ROOT = "";

    private static final Map<String, ConfigKeys> PLACES = new LinkedHashMap<>();

    static {
        place(
                ROOT,
                "api proxy store redis pools targets rules tenants robots reload journal",
                "alerts queue worker scaler");
        place("api", "listen on_refusal tokens", "");
        place("api.tokens[]", "name token tenant role", "");
        place("proxy", "listen allow_private_targets retries max_wait connect_ports tunnel_max", "socks");
        place(
                "pools[]",
                "name addresses strategy tasks max_leases max_leases_per_target lease_ttl session health quarantine"
                        + " probe slow_start fallback supply",
                "");
        place("pools[].addresses[]", "file inline url refresh tags weight metered", "");
        place("pools[].supply", "below url items every budget", "");
        place("reload", "poll settle", "");
        place("pools[].tasks.*", "strategy prefer", "");
        place("pools[].session", "ttl mode on_address_death", "");
        place("pools[].health", "window fail_of min_success captcha_share latency_factor dwell", "");
        place("pools[].quarantine", "base cell_base cap cell_cap jitter max_share min_in_service dead_after panic", "");
        place("pools[].probe", "urls idle rise rate", "");
        place("pools[].slow_start", "from over", "");
        place("targets[]", "match name pool prefer robots hints pace user_agent headers", "");
        place("robots", "agent", "");
        place("journal", "flush fsync", "");
        place("redis", "prefix timeout division", "");
        place("targets[].pace", "adaptive floor ceiling", "");
        String rule =
                "name pattern limit window burst algorithm zone concurrency priority on_limit max_wait per always dry_run"
                        + " headers";
        place("rules[]", rule, "");
        place("tenants[]", "name pools rules quota prices", "");
        place("tenants[].quota", "permits leases bytes money zone", "");
        place("tenants[].prices", "per_permit per_gib pools kinds", "");
        place("tenants[].prices.pools.*", "per_permit per_gib", "");
        place("tenants[].prices.kinds.*", "per_permit per_gib", "");
    }

    static Map<String, ConfigKeys> places() {
        return Map.copyOf(PLACES);
    }

    static ConfigKeys at(String place) {
        ConfigKeys keys = PLACES.get(place);
        if (keys == null) {
            throw new IllegalArgumentException("no keys are listed for " + place);
        }
        return keys;
    }

    private static void place(String name, String known, String later) {
        PLACES.put(name, new ConfigKeys(words(known), words(later)));
    }

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(" ", -1));
    }
}
