package io.paceline;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Decision.Granted;
import io.paceline.Decision.Refused;
import io.paceline.Outcome.Kind;
import io.paceline.pace.HintScope;
import io.paceline.pace.HostPattern;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.OnLimit;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pace.TargetSettings;
import io.paceline.pace.hint.Hints;
import io.paceline.pool.AddressStatus;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import io.paceline.store.DelayedStore;
import io.paceline.store.MemoryStore;
import io.paceline.store.StateStore;
import io.paceline.testkit.SeededTest;
import io.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Targets that ask for a pause, through the gatekeeper's public door, in virtual time (rows Q-S13 to Q-S16 of the cases). */
class PauseTest {
    private static final String SITE = "https://www.example.com/p";
    private static final Rule OPEN = rule("open", 1_000_000, Duration.ofSeconds(1), OnLimit.REJECT);

    private final VirtualTime time = new VirtualTime();
    private final List<Pause> pauses = new ArrayList<>();
    private long gates;

    private static Rule rule(String name, int limit, Duration window, OnLimit onLimit) {
        return Rule.builder(HostPattern.parse("*"))
                .name(name)
                .limit(limit)
                .window(window)
                .onLimit(onLimit)
                .build();
    }

    private EmbeddedGatekeeper gate(StateStore store, HintScope hints, Rule rule) {
        List<Address> addresses = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Endpoint endpoint = new Endpoint(Endpoint.Scheme.HTTP, "198.51.100." + (i + 1), 8080, null);
            addresses.add(new Address("a" + i, endpoint, Map.of(), 1, false));
        }
        TargetSettings site = new TargetSettings(HostPattern.parse("*"), null, null, null, null, hints, null, null);
        GateConfig config = new GateConfig(
                List.of(new PoolConfig(PoolSettings.defaults("default"), addresses)),
                TargetBook.of(List.of(site)),
                RuleBook.of(List.of(rule)));
        GateListener listener = new GateListener() {
            @Override
            public void paused(Pause pause) {
                pauses.add(pause);
            }
        };
        CompletableFuture<EmbeddedGatekeeper> started = EmbeddedGatekeeper.builder(
                        store, time, time, new SharedRandom(++gates))
                .listener(listener)
                .start(config)
                .toCompletableFuture();
        time.advance(Duration.ofSeconds(2));
        return started.join();
    }

    private EmbeddedGatekeeper gate() {
        return gate(new MemoryStore(time), HintScope.TARGET, OPEN);
    }

    private Decision ask(EmbeddedGatekeeper gate, Request request) {
        CompletableFuture<Decision> answer = gate.acquire(request).toCompletableFuture();
        assertThat(answer).isDone();
        return answer.join();
    }

    private Lease lease(EmbeddedGatekeeper gate) {
        return ((Granted) ask(gate, Request.to(SITE))).lease();
    }

    private double waitSeconds(EmbeddedGatekeeper gate) {
        return ask(gate, Request.to(SITE)) instanceof Refused refused ? refused.waitMicros() / 1e6 : 0;
    }

    private void refuse(EmbeddedGatekeeper gate, Lease lease, String retryAfter) {
        Outcome outcome = new Outcome(Kind.RATE_LIMITED, 100_000, 429, 0, false)
                .asking(
                        retryAfter.isEmpty()
                                ? null
                                : Hints.read(
                                        429,
                                        name -> name.equals("retry-after") ? List.of(retryAfter) : List.of(),
                                        time.micros()));
        gate.settle(Objects.requireNonNull(lease.id()), outcome);
    }

    private void succeed(EmbeddedGatekeeper gate, Lease lease) {
        gate.settle(Objects.requireNonNull(lease.id()), Outcome.of(Kind.SUCCESS, 100_000));
    }

    @Test
    void eight_parallel_refusals_are_one_step() {
        EmbeddedGatekeeper gate = gate();
        List<Lease> inFlight = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            inFlight.add(lease(gate));
        }
        time.advance(Duration.ofMillis(300));
        inFlight.forEach(lease -> refuse(gate, lease, ""));

        assertThat(pauses).hasSize(1);
        assertThat(waitSeconds(gate)).isBetween(5.0, 10.0);
    }

    @Test
    void of_parallel_hints_the_longest_is_obeyed() {
        EmbeddedGatekeeper gate = gate();
        Lease first = lease(gate);
        Lease second = lease(gate);
        Lease third = lease(gate);
        refuse(gate, first, "30");
        refuse(gate, second, "60");
        refuse(gate, third, "");

        assertThat(waitSeconds(gate)).isEqualTo(60);
        assertThat(pauses.get(1).row().step()).isEqualTo(1);
    }

    @Test
    void a_refusal_pauses_the_target_for_all_addresses_and_costs_none_its_health() {
        EmbeddedGatekeeper gate = gate();
        for (int round = 0; round < 20; round++) {
            refuse(gate, lease(gate), "60");
            Refused refused = (Refused) ask(gate, Request.to(SITE));
            assertThat(refused.reason()).isEqualTo(Reason.RATE_LIMITED);
            assertThat(refused.rule()).isEqualTo("server-hint");
            assertThat(refused.waitMicros()).isEqualTo(60_000_000);
            assertThat(ask(gate, Request.to("https://other.test/"))).isInstanceOf(Granted.class);
            time.advance(Duration.ofSeconds(60));
        }
        for (AddressStatus address : gate.pools().get(0).addresses()) {
            assertThat(address.standing().inService()).isTrue();
            assertThat(address.standing().state().word()).isEqualTo("healthy");
        }
    }

    @Test
    void a_session_keeps_its_address_over_a_pause() {
        EmbeddedGatekeeper gate = gate();
        Request request = Request.builder(SITE).session("s").build();
        Lease first = ((Granted) ask(gate, request)).lease();
        refuse(gate, first, "60");
        assertThat(ask(gate, request)).isInstanceOf(Refused.class);
        time.advance(Duration.ofSeconds(60));
        assertThat(((Granted) ask(gate, request)).lease().address().id())
                .isEqualTo(first.address().id());
    }

    @Test
    void back_off_doubles_and_begins_anew_after_five_successes() {
        EmbeddedGatekeeper gate = gate();
        for (int step = 1; step <= 12; step++) {
            refuse(gate, lease(gate), "");
            double full = Math.min(3_600, 10 * Math.pow(2, step - 1));
            assertThat(waitSeconds(gate)).isBetween(full / 2, full);
            time.advance(Duration.ofHours(1));
        }
        for (int i = 0; i < 4; i++) {
            succeed(gate, lease(gate));
        }
        refuse(gate, lease(gate), "");
        assertThat(waitSeconds(gate)).isGreaterThan(1_000);
        time.advance(Duration.ofHours(1));
        for (int i = 0; i < 5; i++) {
            succeed(gate, lease(gate));
        }
        refuse(gate, lease(gate), "");
        assertThat(waitSeconds(gate)).isLessThanOrEqualTo(10);
    }

    @Test
    void a_hint_is_cut_to_a_day() {
        EmbeddedGatekeeper gate = gate();
        refuse(gate, lease(gate), "9999999999");
        assertThat(waitSeconds(gate)).isEqualTo(86_400);
        assertThat(pauses.get(0).line()).contains("cut").contains("9999999999");
    }

    @Test
    void who_may_wait_waits_for_the_end_of_the_pause() {
        EmbeddedGatekeeper gate =
                gate(new MemoryStore(time), HintScope.TARGET, rule("w", 1_000, Duration.ofSeconds(1), OnLimit.WAIT));
        refuse(gate, lease(gate), "7");
        CompletableFuture<Decision> waiting = gate.acquire(Request.to(SITE)).toCompletableFuture();
        time.advance(Duration.ofMillis(6_999));
        assertThat(waiting).isNotDone();
        time.advance(Duration.ofMillis(1));
        assertThat(waiting).isCompletedWithValueMatching(Granted.class::isInstance);
    }

    @Test
    void a_quota_that_is_used_up_pauses_without_a_step() {
        EmbeddedGatekeeper gate = gate();
        Lease lease = lease(gate);
        gate.settle(
                Objects.requireNonNull(lease.id()),
                Outcome.of(Kind.SUCCESS, 1)
                        .asking(Hints.read(
                                200,
                                name -> name.equals("ratelimit") ? List.of("\"a\";r=0;t=9") : List.of(),
                                time.micros())));
        assertThat(waitSeconds(gate)).isEqualTo(9);
        assertThat(pauses.get(0).row().step()).isZero();
    }

    @Test
    void where_hints_are_for_addresses_only_the_cell_pauses() {
        EmbeddedGatekeeper gate = gate(new MemoryStore(time), HintScope.ADDRESS, OPEN);
        Lease told = lease(gate);
        refuse(gate, told, "60");
        for (int i = 0; i < 40; i++) {
            Lease other = lease(gate);
            assertThat(other.address().id()).isNotEqualTo(told.address().id());
            succeed(gate, other);
        }
        for (int i = 0; i < 4; i++) {
            refuse(gate, lease(gate), "60");
        }
        Refused all = (Refused) ask(gate, Request.to(SITE));
        assertThat(all.reason()).isEqualTo(Reason.RATE_LIMITED);
        assertThat(all.waitMicros()).isEqualTo(60_000_000);
        time.advance(Duration.ofSeconds(60));
        lease(gate);
    }

    @Test
    void a_lease_that_expired_before_its_refusal_came_still_pauses() {
        EmbeddedGatekeeper gate = gate();
        Lease lease = lease(gate);
        time.advance(Duration.ofMinutes(2));
        refuse(gate, lease, "60");
        assertThat(waitSeconds(gate)).isEqualTo(60);
    }

    @Test
    void an_adaptive_target_is_asked_at_its_floor_first() {
        GateConfig config = new GateConfig(
                List.of(new PoolConfig(
                        PoolSettings.defaults("default"),
                        List.of(new Address(
                                "a",
                                new Endpoint(Endpoint.Scheme.HTTP, "198.51.100.1", 1, null),
                                Map.of(),
                                1,
                                false)))),
                TargetBook.of(List.of(new TargetSettings(
                        HostPattern.parse("*"), null, null, null, null, null, new LimitSpec.Pace(0.5, 5), null))),
                RuleBook.of(List.of(OPEN)));
        EmbeddedGatekeeper gate = EmbeddedGatekeeper.builder(new MemoryStore(time), time, time, new SharedRandom(1))
                .start(config)
                .toCompletableFuture()
                .join();
        lease(gate);
        Refused refused = (Refused) ask(gate, Request.to(SITE));
        assertThat(refused.rule()).isEqualTo("adaptive-pace");
        assertThat(refused.waitMicros()).isEqualTo(2_000_000);
    }

    @SeededTest(seeds = 30)
    void over_a_bad_network_three_instances_take_one_step_and_all_of_them_pause(long seed) {
        MemoryStore memory = new MemoryStore(time);
        SplittableRandom random = new SplittableRandom(seed);
        DelayedStore.Faults faults = new DelayedStore.Faults(20_000, 0.05, 0.05, 0.1);
        List<EmbeddedGatekeeper> gates = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            gates.add(gate(new DelayedStore(memory, time, time, random.split(), faults), HintScope.TARGET, OPEN));
        }
        List<CompletableFuture<Decision>> asked = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            asked.add(gates.get(i % 3).acquire(Request.to(SITE)).toCompletableFuture());
        }
        time.advance(Duration.ofSeconds(1));
        boolean any = false;
        for (int i = 0; i < 9; i++) {
            if (asked.get(i).join() instanceof Granted granted) {
                refuse(gates.get(i % 3), granted.lease(), "");
                any = true;
            }
        }
        time.advance(Duration.ofSeconds(1));
        assertThat(any).isTrue();
        assertThat(pauses).allMatch(pause -> pause.row().step() == 1).hasSizeLessThanOrEqualTo(1);
        for (EmbeddedGatekeeper gate : gates) {
            CompletableFuture<Decision> answer = gate.acquire(Request.to(SITE)).toCompletableFuture();
            time.advance(Duration.ofSeconds(1));
            assertThat(answer.join()).isInstanceOf(Refused.class);
        }
    }
}
