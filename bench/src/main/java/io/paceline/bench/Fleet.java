package io.paceline.bench;

import io.paceline.Address;
import io.paceline.Credentials;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.Endpoint;
import io.paceline.GateConfig;
import io.paceline.Request;
import io.paceline.SharedRandom;
import io.paceline.Ticker;
import io.paceline.pace.HostPattern;
import io.paceline.pace.OnLimit;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import io.paceline.store.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The gatekeeper and the requests that the benchmarks of T1 and T2 measure: everything switched on, nothing that binds.
 *
 * <p>Three charges a permit: a GCRA and a concurrency limit for each target, and one sliding window above all. Weighted
 * selection, caps, leases, outcome windows and cells are the defaults. Limits are set so high that no request is refused:
 * a refusal costs less than a permit and would flatter.
 */
final class Fleet {
    /** Sites that the requests go to, in turn. */
    static final int TARGETS = 10;

    private static final List<String> COUNTRIES = List.of("de", "fr", "us", "gb");
    private static final long ANCHOR_MICROS = System.currentTimeMillis() * 1_000 - System.nanoTime() / 1_000;

    private Fleet() {}

    static EmbeddedGatekeeper gatekeeper(List<Address> addresses) {
        return gatekeeper(addresses, new MemoryStore(ticker()));
    }

    static Ticker ticker() {
        return Fleet::micros;
    }

    static EmbeddedGatekeeper gatekeeper(List<Address> addresses, MemoryStore store) {
        GateConfig config = new GateConfig(
                List.of(new PoolConfig(PoolSettings.defaults("default"), addresses)), TargetBook.empty(), rules());
        return EmbeddedGatekeeper.builder(store, ticker(), (at, task) -> {}, new SharedRandom(1))
                .start(config)
                .toCompletableFuture()
                .join();
    }

    private static long micros() {
        return ANCHOR_MICROS + System.nanoTime() / 1_000;
    }

    private static RuleBook rules() {
        return RuleBook.of(List.of(
                Rule.builder(HostPattern.parse("*"))
                        .name("pace")
                        .limit(900_000)
                        .window(Duration.ofSeconds(1))
                        .burst(50_000)
                        .concurrency(100_000)
                        .onLimit(OnLimit.WAIT)
                        .build(),
                Rule.builder(HostPattern.parse("*"))
                        .name("safety")
                        .limit(1_000_000)
                        .window(Duration.ofMillis(100))
                        .always(true)
                        .build()));
    }

    /** Proxies as a provider lists them: a name, a port and credentials of its own each, tags for a quarter of them alike. */
    static List<Address> addresses(int count) {
        List<Address> addresses = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Endpoint endpoint = new Endpoint(
                    Endpoint.Scheme.HTTP,
                    "10." + (i >> 16 & 255) + "." + (i >> 8 & 255) + "." + (i & 255),
                    8080,
                    new Credentials("user" + i, "secret"));
            addresses.add(new Address("a" + i, endpoint, Map.of("country", COUNTRIES.get(i & 3)), 1 + i % 3, false));
        }
        return addresses;
    }

    static Request[] requests() {
        Request[] requests = new Request[TARGETS];
        for (int i = 0; i < TARGETS; i++) {
            requests[i] = Request.to("https://www.shop" + i + ".example/product/" + i);
        }
        return requests;
    }
}
