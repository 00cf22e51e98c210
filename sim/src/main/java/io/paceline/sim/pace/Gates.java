package io.paceline.sim.pace;

import io.paceline.Address;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.Endpoint;
import io.paceline.GateConfig;
import io.paceline.SharedRandom;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import io.paceline.sim.EventQueue;
import io.paceline.store.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The gatekeeper of a run: the production one, in virtual time, with one pool of healthy addresses and one rule. */
final class Gates {
    /** When a run begins: 2026-03-01T12:00:00Z. */
    static final long START = 1_772_366_400_000_000L;

    private Gates() {}

    static EmbeddedGatekeeper start(EventQueue events, int addresses, TargetBook targets, Rule rule, long seed) {
        List<Address> pool = new ArrayList<>();
        for (int i = 0; i < addresses; i++) {
            Endpoint endpoint = new Endpoint(Endpoint.Scheme.HTTP, "198.51.100." + (i + 1), 8080, null);
            pool.add(new Address("a" + i, endpoint, Map.of(), 1, false));
        }
        GateConfig config = new GateConfig(
                List.of(new PoolConfig(PoolSettings.defaults("default"), pool)), targets, RuleBook.of(List.of(rule)));
        return EmbeddedGatekeeper.builder(
                        new MemoryStore(events::nowMicros), events::nowMicros, events::at, new SharedRandom(seed))
                .start(config)
                .toCompletableFuture()
                .join();
    }
}
