package io.paceline.health;

import io.paceline.Address;
import io.paceline.Decision;
import io.paceline.Decision.Granted;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.Endpoint;
import io.paceline.GateConfig;
import io.paceline.GateListener;
import io.paceline.Lease;
import io.paceline.Outcome;
import io.paceline.Outcome.Kind;
import io.paceline.Request;
import io.paceline.SharedRandom;
import io.paceline.Transition;
import io.paceline.pace.HostPattern;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import io.paceline.pool.Strategy;
import io.paceline.store.MemoryStore;
import io.paceline.testkit.Seeds;
import io.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A crawl in a world whose answers a test decides. The requests pass through the real gatekeeper and the real store, in
 * virtual time; what was found out is written down.
 */
final class Crawl {
    /** How a request ends. */
    @FunctionalInterface
    interface World {
        Kind answer(String address, String site, RandomGenerator chance);
    }

    /** All is well. */
    static final World WELL = (address, site, chance) -> Kind.SUCCESS;

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    final VirtualTime time = new VirtualTime();

    /** Subjects that went out, in order, with the reason: {@code a3}, {@code a3@s0.test}. */
    final Map<String, String> out = new LinkedHashMap<>();

    /** What was said of groups, in order: {@code guilty target s0.test}, {@code well target s0.test}. */
    final List<String> groups = new ArrayList<>();

    /** The evidence against groups. */
    final List<Verdict> verdicts = new ArrayList<>();

    final List<Transition> transitions = new ArrayList<>();

    /** Failures since {@link #since}, of each address. */
    final Map<String, Integer> failures = new LinkedHashMap<>();

    final EmbeddedGatekeeper gate;
    private final List<Address> members;
    private final RandomGenerator chance;
    private int sites = 3;
    private Duration pause = Duration.ofMillis(400);
    private World world = WELL;
    private int turn;

    private Crawl(List<Address> members, QuarantineSettings quarantine, long seed) {
        this.members = members;
        this.chance = Seeds.random(seed);
        this.gate = EmbeddedGatekeeper.builder(new MemoryStore(time), time, time, new SharedRandom(seed))
                .listener(new Notes())
                .start(config(members, quarantine))
                .toCompletableFuture()
                .join();
    }

    /** What is heard of transitions and verdicts. */
    private final class Notes implements GateListener {
        @Override
        public void transition(Transition transition) {
            transitions.add(transition);
            if (transition.from().inService() && !transition.to().inService()) {
                String target = transition.target();
                out.put(transition.addressId() + (target == null ? "" : "@" + target), transition.reason());
            }
        }

        @Override
        public void verdict(String pool, Verdict.Guilty guilty, String name, @Nullable Verdict verdict) {
            groups.add((verdict == null ? "well " : "guilty ") + guilty.word() + " " + name);
            if (verdict != null) {
                verdicts.add(verdict);
            }
        }
    }

    private static GateConfig config(List<Address> members, QuarantineSettings quarantine) {
        PoolSettings usual = PoolSettings.defaults("default");
        PoolSettings settings = new PoolSettings(
                "default",
                Strategy.ROUND_ROBIN,
                Map.of(),
                1_000,
                1_000,
                Duration.ofMinutes(5),
                usual.session(),
                usual.health(),
                quarantine);
        Rule open = Rule.builder(HostPattern.parse("*"))
                .name("open")
                .limit(1_000_000)
                .window(Duration.ofSeconds(1))
                .build();
        return new GateConfig(
                List.of(new PoolConfig(settings, members)), TargetBook.empty(), RuleBook.of(List.of(open)));
    }

    /** Everybody may be out; waits are not random. */
    static final QuarantineSettings UNBOUNDED = bounded(1, 0);

    static QuarantineSettings bounded(double maxShare, int minInService) {
        QuarantineSettings d = QuarantineSettings.defaults();
        return new QuarantineSettings(d.base(), d.cellBase(), d.cap(), d.cellCap(), 0, maxShare, minInService);
    }

    /** Addresses a0, a1, ... that have nothing in common. */
    static Crawl of(int addresses) {
        return of(addresses, UNBOUNDED, 1);
    }

    static Crawl of(int addresses, QuarantineSettings quarantine, long seed) {
        List<Address> members = new ArrayList<>();
        for (int i = 0; i < addresses; i++) {
            members.add(address(i, "gw" + i + ".example.net", null));
        }
        return new Crawl(members, quarantine, seed);
    }

    static Crawl of(List<Address> members) {
        return new Crawl(members, UNBOUNDED, 1);
    }

    /** Address a{@code number}; the tag {@code name} is how a test asks for it. */
    static Address address(int number, String host, @Nullable String provider) {
        String id = "a" + number;
        Map<String, String> tags = provider == null ? Map.of("name", id) : Map.of("name", id, "provider", provider);
        return new Address(id, new Endpoint(Endpoint.Scheme.HTTP, host, 8080, null), tags, 1, false);
    }

    /** Sites s0.test, s1.test, ..., that are asked in turn. */
    Crawl sites(int count) {
        sites = count;
        return this;
    }

    /** One request each so often. */
    Crawl every(Duration between) {
        pause = between;
        return this;
    }

    /** How it goes from now on; failures are counted anew. */
    Crawl since(World next) {
        world = next;
        failures.clear();
        return this;
    }

    Crawl run(Duration length) {
        long end = time.micros() + length.toNanos() / 1_000;
        while (time.micros() < end) {
            step();
        }
        return this;
    }

    /** The next request: addresses in turn, and each of them asks the sites in turn. */
    void step() {
        int place = turn % members.size();
        request(members.get(place).id(), (place + turn / members.size()) % sites);
        turn++;
        time.advance(pause);
    }

    /** Goes on until somebody is out or guilty, at most so long. */
    Crawl untilFound(Duration most) {
        int known = out.size() + groups.size();
        long end = time.micros() + most.toNanos() / 1_000;
        while (time.micros() < end && out.size() + groups.size() == known) {
            step();
        }
        return this;
    }

    /** Like {@link #step}, but through this address, and without a pause. */
    void stepThrough(String address, int site) {
        request(address, site);
    }

    private void request(String through, int site) {
        Request request = Request.builder("http://s" + site + ".test/")
                .tags(Map.of("name", through))
                .maxWait(Duration.ZERO)
                .build();
        @Nullable
        Decision decision = gate.acquire(request).toCompletableFuture().getNow(null);
        if (!(decision instanceof Granted granted)) {
            return;
        }
        Kind kind = world.answer(granted.lease().address().id(), "s" + site + ".test", chance);
        if (kind == Kind.TIMEOUT) {
            time.at(time.micros() + TIMEOUT.toNanos() / 1_000, () -> settle(granted.lease(), kind));
        } else {
            settle(granted.lease(), kind);
        }
    }

    private void settle(Lease lease, Kind kind) {
        if (kind != Kind.SUCCESS) {
            failures.merge(lease.address().id(), 1, Integer::sum);
        }
        gate.settle(Objects.requireNonNull(lease.id()), Outcome.of(kind, 100_000))
                .toCompletableFuture()
                .join();
    }

    Standing standing(String address) {
        return gate.pools().get(0).addresses().stream()
                .filter(status -> status.address().id().equals(address))
                .findFirst()
                .orElseThrow()
                .standing();
    }

    boolean allServe() {
        return members.stream().allMatch(member -> standing(member.id()).inService());
    }

    /** The latest evidence against a group of that kind. */
    Optional<Verdict> verdict(Verdict.Guilty guilty) {
        return verdicts.stream().filter(verdict -> verdict.guilty() == guilty).reduce((first, second) -> second);
    }
}
