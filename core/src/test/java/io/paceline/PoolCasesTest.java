package io.paceline;

import static io.paceline.PoolsOfATest.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Decision.Granted;
import io.paceline.Decision.Refused;
import io.paceline.Outcome.Kind;
import io.paceline.PoolsOfATest.Pool;
import io.paceline.pace.HostPattern;
import io.paceline.pace.OnLimit;
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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Health and pace as users of other tools missed them: the shared cases Q-S01, Q-S02, Q-S03, Q-S29 and Q-S32. */
class PoolCasesTest {
    private final List<String> out = new ArrayList<>();

    private final GateListener heard = new GateListener() {
        @Override
        public void transition(Transition transition) {
            if (transition.from().inService() && !transition.to().inService()) {
                out.add(transition.addressId() + (transition.target() == null ? "" : "@" + transition.target()));
            }
        }
    };

    @Test
    void qs01_what_befalls_one_session_of_a_gateway_leaves_the_others_alone() {
        List<Address> sessions = new ArrayList<>();
        for (String id : List.of("a", "b", "c")) {
            Credentials user = new Credentials("user01-session-" + id, "invented");
            Endpoint gateway = new Endpoint(Endpoint.Scheme.HTTP, "gw.example.net", 7777, user);
            sessions.add(new Address(id, gateway, Map.of(), 1, false));
        }
        PoolsOfATest pool = new PoolsOfATest()
                .pool(Pool.named("default").by(Strategy.ROUND_ROBIN), sessions)
                .heardBy(heard)
                .start();
        for (int i = 0; i < 60; i++) {
            Lease lease = pool.lease(PoolsOfATest.to().build());
            boolean blocked = i >= 30 && lease.address().id().equals("a");
            pool.settle(lease, blocked ? Kind.BLOCKED : Kind.SUCCESS);
            pool.time.advance(Duration.ofMillis(400));
        }
        assertThat(out).containsExactly("a@shop.test");
        assertThat(pool.gate().pools().get(0).addresses()).hasSize(3);
    }

    @Test
    void qs02_who_never_answers_is_out_after_five_time_outs_and_then_the_pool_says_that_it_is_empty() {
        PoolsOfATest pool = new PoolsOfATest()
                .pool(Pool.named("default").by(Strategy.ROUND_ROBIN), PoolsOfATest.addresses("a", 3))
                .heardBy(heard)
                .start();
        int timeOuts = 0;
        Reason reason = null;
        for (int i = 0; i < 30 && reason == null; i++) {
            Request request = Request.builder("http://s" + i % 4 + ".test/")
                    .maxWait(Duration.ZERO)
                    .build();
            Decision decision = pool.ask(request).join();
            if (decision instanceof Granted granted) {
                pool.time.advance(Duration.ofSeconds(3));
                pool.settle(granted.lease(), Kind.TIMEOUT);
                timeOuts++;
            } else {
                reason = ((Refused) decision).reason();
            }
        }
        assertThat(reason).isEqualTo(Reason.NO_ADDRESS);
        assertThat(out).containsExactlyInAnyOrder("a0", "a1", "a2");
        assertThat(timeOuts).isEqualTo(15);
    }

    @Test
    void qs03_a_site_that_refuses_everybody_takes_nobody_out() {
        PoolsOfATest pool = new PoolsOfATest()
                .pool(Pool.named("default").by(Strategy.ROUND_ROBIN), PoolsOfATest.addresses("a", 100))
                .heardBy(heard)
                .start();
        for (int i = 0; i < 600; i++) {
            settled(pool, "http://s" + i % 3 + ".test/", Kind.SUCCESS);
        }
        for (int i = 0; i < 200; i++) {
            settled(pool, SHOP, Kind.BLOCKED);
            settled(pool, "http://s" + i % 3 + ".test/", Kind.SUCCESS);
        }
        assertThat(out).isEmpty();
    }

    private static void settled(PoolsOfATest pool, String url, Kind kind) {
        Request request = Request.builder(url).maxWait(Duration.ZERO).build();
        Decision decision = pool.ask(request).getNow(null);
        if (decision instanceof Granted granted) {
            pool.settle(granted.lease(), kind);
        }
        pool.time.advance(Duration.ofMillis(150));
    }

    @Test
    void qs29_a_tenth_of_errors_costs_nobody_its_place() {
        RandomGenerator chance = Seeds.random(7);
        PoolsOfATest pool = new PoolsOfATest()
                .pool(Pool.named("default").by(Strategy.ROUND_ROBIN), PoolsOfATest.addresses("a", 100))
                .heardBy(heard)
                .start();
        for (int i = 0; i < 20_000; i++) {
            settled(pool, "http://s" + i % 3 + ".test/", chance.nextInt(10) == 0 ? Kind.TIMEOUT : Kind.SUCCESS);
        }
        assertThat(out).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void qs32_eight_workers_of_two_instances_keep_one_delay() {
        VirtualTime time = new VirtualTime();
        Rule second = Rule.builder(HostPattern.parse("*"))
                .name("second")
                .limit(1)
                .window(Duration.ofSeconds(1))
                .onLimit(OnLimit.WAIT)
                .maxWait(Duration.ofMinutes(1))
                .build();
        GateConfig config = new GateConfig(
                List.of(new PoolConfig(PoolSettings.defaults("default"), PoolsOfATest.addresses("a", 10))),
                TargetBook.empty(),
                RuleBook.of(List.of(second)));
        MemoryStore shared = new MemoryStore(time);
        List<EmbeddedGatekeeper> instances = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            instances.add(EmbeddedGatekeeper.builder(shared, time, time, new SharedRandom(i))
                    .start(config)
                    .toCompletableFuture()
                    .join());
        }
        List<Duration> starts = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            EmbeddedGatekeeper instance = instances.get(i % 2);
            instance.acquire(Request.to(SHOP)).thenAccept(decision -> {
                starts.add(time.elapsed());
                Lease lease = ((Granted) decision).lease();
                instance.settle(Objects.requireNonNull(lease.id()), Outcome.of(Kind.SUCCESS, 1_000));
            });
        }
        time.advance(Duration.ofSeconds(20));

        assertThat(starts).hasSize(8).isSorted();
        for (int i = 0; i < 8; i++) {
            assertThat(starts.get(i)).isGreaterThanOrEqualTo(Duration.ofSeconds(i));
        }
    }
}
