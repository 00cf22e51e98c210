package io.paceline.testkit;

import io.paceline.Address;
import io.paceline.Endpoint;
import io.paceline.GateConfig;
import io.paceline.pace.HostPattern;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The configuration of one pool {@code default} of like addresses, and one rule {@code r} for all. */
public final class OnePool {
    private OnePool() {}

    /** {@code a0}, {@code a1}, ... */
    public static List<Address> addresses(int count) {
        List<Address> addresses = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Endpoint endpoint = new Endpoint(Endpoint.Scheme.HTTP, "198.51.100." + (i + 1), 8080, null);
            addresses.add(new Address("a" + i, endpoint, Map.of(), 1, false));
        }
        return addresses;
    }

    /**
     * @param cap leases at once of an address, and of one on a target
     * @param ttl of a lease
     */
    public static GateConfig of(int addresses, int cap, Duration ttl, int limit, Duration window) {
        PoolSettings defaults = PoolSettings.defaults("default");
        PoolSettings settings = new PoolSettings(
                "default",
                defaults.strategy(),
                Map.of(),
                cap,
                cap,
                ttl,
                defaults.session(),
                defaults.health(),
                defaults.quarantine());
        Rule rule = Rule.builder(HostPattern.parse("*"))
                .name("r")
                .limit(limit)
                .window(window)
                .build();
        return new GateConfig(
                List.of(new PoolConfig(settings, addresses(addresses))),
                TargetBook.empty(),
                RuleBook.of(List.of(rule)));
    }
}
