package io.paceline;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Decision.Granted;
import io.paceline.Decision.Refused;
import io.paceline.Outcome.Kind;
import io.paceline.health.QuarantineSettings;
import io.paceline.pace.HostPattern;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pace.TargetSettings;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import io.paceline.pool.SessionSettings;
import io.paceline.pool.Strategy;
import io.paceline.pool.TaskSettings;
import io.paceline.store.MemoryStore;
import io.paceline.store.OnAddressDeath;
import io.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** One gatekeeper over pools that a test describes, and what a test says to it. */
final class PoolsOfATest {
    static final String SHOP = "http://shop.test/";

    final VirtualTime time = new VirtualTime();
    final List<PoolConfig> pools = new ArrayList<>();
    private List<TargetSettings> targets = List.of();
    private GateListener listener = GateListener.NONE;

    @SuppressWarnings("NullAway.Init") // by start
    private EmbeddedGatekeeper gate;

    /** How one pool is; everything else at its default, but that every address may be out. */
    record Pool(
            String name,
            int maxLeases,
            Strategy strategy,
            OnAddressDeath onAddressDeath,
            Duration sessionTtl,
            Map<String, TaskSettings> tasks,
            String fallback) {
        static Pool named(String name) {
            return new Pool(name, 10, Strategy.WEIGHTED, OnAddressDeath.END, Duration.ofMinutes(15), Map.of(), "");
        }

        Pool cap(int cap) {
            return new Pool(name, cap, strategy, onAddressDeath, sessionTtl, tasks, fallback);
        }

        Pool by(Strategy other) {
            return new Pool(name, maxLeases, other, onAddressDeath, sessionTtl, tasks, fallback);
        }

        Pool on(OnAddressDeath death) {
            return new Pool(name, maxLeases, strategy, death, sessionTtl, tasks, fallback);
        }

        Pool ttl(Duration ttl) {
            return new Pool(name, maxLeases, strategy, onAddressDeath, ttl, tasks, fallback);
        }

        Pool task(String task, Map<String, String> prefer) {
            return new Pool(
                    name,
                    maxLeases,
                    strategy,
                    onAddressDeath,
                    sessionTtl,
                    Map.of(task, new TaskSettings(null, prefer)),
                    fallback);
        }

        Pool fallback(String other) {
            return new Pool(name, maxLeases, strategy, onAddressDeath, sessionTtl, tasks, other);
        }

        private PoolSettings settings() {
            PoolSettings usual = PoolSettings.defaults(name);
            QuarantineSettings q = usual.quarantine();
            return new PoolSettings(
                    name,
                    strategy,
                    tasks,
                    maxLeases,
                    maxLeases,
                    usual.leaseTtl(),
                    new SessionSettings(sessionTtl, SessionSettings.Mode.SLIDING, onAddressDeath),
                    usual.health(),
                    new QuarantineSettings(Duration.ofMinutes(10), q.cellBase(), q.cap(), q.cellCap(), 0, 1, 0),
                    usual.probe(),
                    fallback.isEmpty() ? null : fallback);
        }
    }

    static Address address(String id, Map<String, String> tags) {
        int number = Math.floorMod(id.hashCode(), 250) + 1;
        return new Address(id, new Endpoint(Endpoint.Scheme.HTTP, "198.51.100." + number, 8080, null), tags, 1, false);
    }

    /** Addresses {@code prefix0}, {@code prefix1}, ... */
    static List<Address> addresses(String prefix, int count) {
        List<Address> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(address(prefix + i, Map.of()));
        }
        return all;
    }

    PoolsOfATest pool(Pool pool, List<Address> addresses) {
        pools.removeIf(known -> known.settings().name().equals(pool.name()));
        pools.add(new PoolConfig(pool.settings(), addresses));
        return this;
    }

    PoolsOfATest prefer(String host, Map<String, String> tags) {
        targets = List.of(new TargetSettings(HostPattern.parse(host), null, null, tags, null, null, null, null));
        return this;
    }

    PoolsOfATest heardBy(GateListener heard) {
        listener = heard;
        return this;
    }

    GateConfig config() {
        Rule open = Rule.builder(HostPattern.parse("*"))
                .name("open")
                .limit(100_000)
                .window(Duration.ofSeconds(1))
                .build();
        return new GateConfig(pools, TargetBook.of(targets), RuleBook.of(List.of(open)));
    }

    PoolsOfATest start() {
        gate = EmbeddedGatekeeper.builder(new MemoryStore(time), time, time, new SharedRandom(42))
                .listener(listener)
                .start(config())
                .toCompletableFuture()
                .join();
        return this;
    }

    /** Takes over pools that were described anew. */
    void reload() {
        gate.configure(config()).toCompletableFuture().join();
    }

    /** The pool has all its addresses but this one. */
    void remove(String pool, String id) {
        for (int i = 0; i < pools.size(); i++) {
            PoolConfig known = pools.get(i);
            if (known.settings().name().equals(pool)) {
                List<Address> left = known.addresses().stream()
                        .filter(address -> !address.id().equals(id))
                        .toList();
                pools.set(i, new PoolConfig(known.settings(), left));
            }
        }
        reload();
    }

    EmbeddedGatekeeper gate() {
        return gate;
    }

    static Request.Builder to() {
        return Request.builder(SHOP);
    }

    static Request in(String session) {
        return to().session(session).build();
    }

    CompletableFuture<Decision> ask(Request request) {
        return gate.acquire(request).toCompletableFuture();
    }

    Lease lease(Request request) {
        return granted(ask(request));
    }

    static Lease granted(CompletableFuture<Decision> asked) {
        assertThat(asked).isCompleted();
        assertThat(asked.join()).isInstanceOf(Granted.class);
        return ((Granted) asked.join()).lease();
    }

    Refused refused(Request request) {
        CompletableFuture<Decision> asked = ask(request);
        assertThat(asked).isCompleted();
        assertThat(asked.join()).isInstanceOf(Refused.class);
        return (Refused) asked.join();
    }

    SettleResult settle(Lease lease, Kind kind) {
        return gate.settle(Objects.requireNonNull(lease.id()), Outcome.of(kind, 100_000))
                .toCompletableFuture()
                .join();
    }

    /** A request of the session, done well. */
    Lease visit(String session) {
        Lease lease = lease(in(session));
        settle(lease, Kind.SUCCESS);
        return lease;
    }

    /** Puts the address out for ten minutes. */
    void fail(String id) {
        for (int i = 0; i < 10 && !out(id); i++) {
            gate.report(id, null, false);
            time.advance(Duration.ofSeconds(1));
        }
        assertThat(out(id)).isTrue();
    }

    boolean out(String id) {
        return gate.pools().stream()
                .flatMap(pool -> pool.addresses().stream())
                .anyMatch(status ->
                        status.address().id().equals(id) && !status.standing().inService());
    }
}
