package io.paceline;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Decision.Granted;
import io.paceline.Decision.Refused;
import io.paceline.Decision.Reserved;
import io.paceline.Outcome.Kind;
import io.paceline.Request.Hold;
import io.paceline.Request.Priority;
import io.paceline.pace.HostPattern;
import io.paceline.pace.OnLimit;
import io.paceline.pace.Per;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import io.paceline.store.MemoryStore;
import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import io.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What becomes of requests that are over a limit: scopes, tickets, hints, priorities, turns. */
class OverTheLimitTest {
    private static final String SITE = "https://www.example.com/p/1";
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final VirtualTime time = new VirtualTime();
    private final List<String> near = new ArrayList<>();

    private EmbeddedGatekeeper gate(int addresses, int maxLeases, Rule... rules) {
        PoolSettings d = PoolSettings.defaults("default");
        PoolSettings settings = new PoolSettings(
                "default",
                d.strategy(),
                d.tasks(),
                maxLeases,
                maxLeases,
                d.leaseTtl(),
                d.session(),
                d.health(),
                d.quarantine());
        List<Address> list = new ArrayList<>();
        for (int i = 0; i < addresses; i++) {
            Endpoint endpoint =
                    new Endpoint(Endpoint.Scheme.HTTP, "198.51." + (i / 250) + "." + (1 + i % 250), 8080, null);
            list.add(new Address("a" + i, endpoint, Map.of(), 1, false));
        }
        GateListener listener = new GateListener() {
            @Override
            public void nearLimit(String rule, String target) {
                near.add(rule + " on " + target);
            }
        };
        return EmbeddedGatekeeper.builder(new MemoryStore(time), time, time, new SharedRandom(42))
                .listener(listener)
                .start(new GateConfig(
                        List.of(new PoolConfig(settings, list)), TargetBook.empty(), RuleBook.of(List.of(rules))))
                .toCompletableFuture()
                .join();
    }

    private static Rule.Builder rule(String name) {
        return Rule.builder(HostPattern.parse("*")).name(name);
    }

    private static final Rule OPEN =
            rule("open").limit(1_000_000).window(SECOND).build();

    private static Decision now(EmbeddedGatekeeper gate, Request request) {
        CompletableFuture<Decision> answer = gate.acquire(request).toCompletableFuture();
        assertThat(answer).as("answered at once").isDone();
        return answer.join();
    }

    private static void release(EmbeddedGatekeeper gate, Decision decision) {
        LeaseId id = ((Granted) decision).lease().id();
        gate.settle(Objects.requireNonNull(id), Outcome.of(Kind.SUCCESS, 1_000));
    }

    // ---- scopes

    @Test
    void each_address_has_its_own_limit_on_each_target() {
        EmbeddedGatekeeper gate = gate(
                20,
                10,
                OPEN,
                rule("per-address")
                        .limit(3)
                        .window(MINUTE)
                        .per(Per.TARGET, Per.ADDRESS)
                        .always(true)
                        .build());
        Map<String, Integer> uses = new HashMap<>();
        for (int i = 0; i < 60; i++) {
            Granted granted = (Granted) now(gate, Request.to(SITE));
            uses.merge(granted.lease().address().id(), 1, Integer::sum);
            release(gate, granted);
        }
        assertThat(uses.values()).hasSize(20).containsOnly(3);
        Refused refused = (Refused) now(gate, Request.to(SITE));
        assertThat(refused.reason()).isEqualTo(Reason.RATE_LIMITED);
        assertThat(refused.rule()).isEqualTo("per-address");
        assertThat(refused.waitMicros()).isEqualTo(60_000_000);
        assertThat(now(gate, Request.to("https://other.test/"))).isInstanceOf(Granted.class);
    }

    @Test
    void who_may_wait_for_an_address_to_be_let_go_is_served_then() {
        EmbeddedGatekeeper gate = gate(
                1,
                10,
                OPEN,
                rule("per-address")
                        .limit(1)
                        .window(SECOND)
                        .per(Per.ADDRESS)
                        .onLimit(OnLimit.WAIT)
                        .always(true)
                        .build());
        now(gate, Request.to(SITE));
        CompletableFuture<Decision> second = gate.acquire(Request.to(SITE)).toCompletableFuture();
        assertThat(gate.waitingByRule()).containsEntry("per-address", 1);
        time.advance(Duration.ofMillis(999));
        assertThat(second).isNotDone();
        time.advance(Duration.ofMillis(1));
        assertThat(second.join()).isInstanceOf(Granted.class);
        assertThat(gate.waitingByRule()).containsEntry("per-address", 0);
        assertThat(gate.waiting()).isZero();
    }

    @Test
    void clients_and_tenants_have_limits_of_their_own() {
        EmbeddedGatekeeper gate = gate(
                3,
                10,
                OPEN,
                rule("client")
                        .limit(2)
                        .window(MINUTE)
                        .per(Per.CLIENT)
                        .always(true)
                        .build(),
                rule("tenant")
                        .limit(3)
                        .window(MINUTE)
                        .per(Per.TENANT)
                        .always(true)
                        .build());
        Request one = Request.builder(SITE).tenant("shop").clientId("c1").build();
        Request two = Request.builder(SITE).tenant("shop").clientId("c2").build();
        Request other = Request.builder(SITE).tenant("else").clientId("c3").build();
        now(gate, one);
        now(gate, one);
        assertThat(((Refused) now(gate, one)).rule()).isEqualTo("client");
        assertThat(now(gate, two)).isInstanceOf(Granted.class);
        assertThat(((Refused) now(gate, two)).rule()).isEqualTo("tenant");
        assertThat(now(gate, other)).isInstanceOf(Granted.class);
    }

    @SeededTest(seeds = 30)
    void no_bucket_of_any_scope_ever_holds_more_than_its_limit(long seed) {
        RandomGenerator random = Seeds.random(seed);
        int perAddress = 1 + random.nextInt(4);
        int perClient = 1 + random.nextInt(6);
        EmbeddedGatekeeper gate = gate(
                1 + random.nextInt(6),
                1 + random.nextInt(3),
                OPEN,
                rule("address")
                        .limit(perAddress)
                        .window(SECOND)
                        .per(Per.TARGET, Per.ADDRESS)
                        .onLimit(random.nextBoolean() ? OnLimit.WAIT : OnLimit.REJECT)
                        .always(true)
                        .build(),
                rule("client")
                        .limit(perClient)
                        .window(SECOND)
                        .per(Per.CLIENT)
                        .onLimit(random.nextBoolean() ? OnLimit.WAIT : OnLimit.REJECT)
                        .always(true)
                        .build());
        Map<String, List<Long>> starts = new HashMap<>();
        Deque<Decision> live = new ArrayDeque<>();
        int[] granted = {0};
        for (int step = 0; step < 400; step++) {
            String site = random.nextBoolean() ? "one.test" : "two.test";
            String client = "c" + random.nextInt(3);
            Request request = Request.builder("https://" + site + "/")
                    .clientId(client)
                    .session(random.nextInt(4) == 0 ? "s" + random.nextInt(3) : null)
                    .maxWait(Duration.ofMillis(random.nextInt(3_000)))
                    .build();
            gate.acquire(request).thenAccept(decision -> {
                if (decision instanceof Granted answer) {
                    granted[0]++;
                    live.add(answer);
                    long at = time.micros();
                    starts.computeIfAbsent(site + answer.lease().address().id(), key -> new ArrayList<>())
                            .add(at);
                    starts.computeIfAbsent(client, key -> new ArrayList<>()).add(at);
                }
            });
            if (!live.isEmpty() && random.nextInt(3) > 0) {
                release(gate, live.poll());
            }
            time.advance(Duration.ofMillis(random.nextInt(120)));
        }
        starts.forEach((bucket, times) -> {
            int limit = bucket.startsWith("c") ? perClient : perAddress;
            for (int i = limit; i < times.size(); i++) {
                assertThat(times.get(i) - times.get(i - limit)).as(bucket).isGreaterThanOrEqualTo(1_000_000);
            }
        });
        assertThat(granted[0]).isPositive();
    }

    // ---- tickets and hints

    @Test
    void a_rule_that_reserves_gives_a_ticket_to_whoever_did_not_ask_to_be_held() {
        EmbeddedGatekeeper gate = gate(
                3,
                10,
                rule("r").limit(1).window(SECOND).onLimit(OnLimit.RESERVE).build());
        now(gate, Request.to(SITE));
        Request byRule = Request.builder(SITE).hold(Hold.BY_RULE).build();
        Reserved ticket = (Reserved) now(gate, byRule);
        assertThat(ticket.startAtMicros() - time.micros()).isEqualTo(1_000_000);

        CompletableFuture<Decision> held = gate.acquire(Request.to(SITE)).toCompletableFuture();
        assertThat(held).as("hold: true stays").isNotDone();
        time.advance(SECOND);
        assertThat(gate.redeem(ticket.ticket()).toCompletableFuture().join()).isInstanceOf(Granted.class);
        time.advance(SECOND);
        assertThat(held.join()).isInstanceOf(Granted.class);
    }

    @Test
    void a_ticket_may_be_late_by_its_grace_and_no_more() {
        EmbeddedGatekeeper gate = gate(
                3,
                10,
                rule("r")
                        .limit(10)
                        .window(SECOND)
                        .burst(1)
                        .onLimit(OnLimit.RESERVE)
                        .build());
        now(gate, Request.to(SITE));
        Request byRule = Request.builder(SITE).hold(Hold.BY_RULE).build();
        Reserved first = (Reserved) now(gate, byRule);
        Reserved second = (Reserved) now(gate, byRule);
        time.advanceTo(first.useByMicros());
        assertThat(gate.redeem(first.ticket()).toCompletableFuture().join()).isInstanceOf(Granted.class);
        time.advanceTo(second.useByMicros() + 1);
        assertThat(((Refused) gate.redeem(second.ticket()).toCompletableFuture().join()).reason())
                .isEqualTo(Reason.TICKET_EXPIRED);
    }

    @Test
    void a_thousand_who_come_back_when_they_were_told_need_at_most_two_calls_a_permit() {
        EmbeddedGatekeeper gate =
                gate(50, 100, rule("r").limit(10).window(SECOND).burst(1).build());
        int[] calls = {0};
        int[] permits = {0};
        for (int i = 0; i < 1_000; i++) {
            ask(gate, calls, permits);
        }
        time.advance(Duration.ofMinutes(5));
        assertThat(permits[0]).isEqualTo(1_000);
        assertThat(calls[0]).isLessThanOrEqualTo(2_000);
    }

    private void ask(EmbeddedGatekeeper gate, int[] calls, int[] permits) {
        calls[0]++;
        Decision decision = now(gate, Request.to(SITE));
        if (decision instanceof Refused refused) {
            time.at(time.micros() + refused.waitMicros(), () -> ask(gate, calls, permits));
        } else {
            permits[0]++;
            release(gate, decision);
        }
    }

    // ---- priorities and turns

    @Test
    void low_priority_leaves_a_fifth_of_the_rate_to_the_others() {
        EmbeddedGatekeeper gate = gate(
                50,
                100,
                rule("r")
                        .limit(10)
                        .window(SECOND)
                        .burst(1)
                        .onLimit(OnLimit.WAIT)
                        .build());
        Request low = Request.builder(SITE).priority(Priority.LOW).build();
        int[] served = {0};
        for (int i = 0; i < 200; i++) {
            gate.acquire(low).thenAccept(decision -> {
                if (decision instanceof Granted) {
                    served[0]++;
                    release(gate, decision);
                }
            });
        }
        time.advance(Duration.ofSeconds(5));
        assertThat(served[0]).isBetween(38, 41);
    }

    @Test
    void in_line_high_goes_first_and_tenants_take_turns() {
        EmbeddedGatekeeper gate = gate(1, 1, OPEN);
        Decision holder = now(gate, Request.to(SITE));
        List<String> served = new ArrayList<>();
        Deque<Decision> live = new ArrayDeque<>();
        for (String who : List.of("many", "many", "many", "few", "urgent")) {
            Request request = Request.builder(SITE)
                    .tenant(who)
                    .priority(who.equals("urgent") ? Priority.HIGH : Priority.NORMAL)
                    .maxWait(MINUTE)
                    .build();
            gate.acquire(request).thenAccept(decision -> {
                served.add(who);
                live.add(decision);
            });
        }
        release(gate, holder);
        while (!live.isEmpty()) {
            release(gate, live.poll());
        }
        assertThat(served).containsExactly("urgent", "many", "few", "many", "many");
    }

    @Test
    void near_its_limit_a_rule_is_named_once() {
        EmbeddedGatekeeper gate =
                gate(3, 100, rule("ten").limit(10).window(MINUTE).build());
        for (int i = 0; i < 10; i++) {
            release(gate, now(gate, Request.to(SITE)));
        }
        assertThat(near).containsExactly("ten on example.com");
    }

    // ---- cost

    @Test
    void a_costly_request_takes_its_cost_and_one_that_can_never_fit_is_told_so_at_once() {
        EmbeddedGatekeeper gate =
                gate(3, 100, rule("ten").limit(10).window(MINUTE).build());
        release(gate, now(gate, Request.builder(SITE).cost(8).build()));
        Refused full = (Refused) now(gate, Request.builder(SITE).cost(3).build());
        assertThat(full.reason()).isEqualTo(Reason.RATE_LIMITED);
        assertThat(full.waitMicros()).isEqualTo(60_000_000);
        assertThat(now(gate, Request.builder(SITE).cost(2).build())).isInstanceOf(Granted.class);

        Refused never = (Refused)
                now(gate, Request.builder(SITE).cost(11).maxWait(MINUTE).build());
        assertThat(never.reason()).isEqualTo(Reason.COST_ABOVE_LIMIT);
        assertThat(never.waitMicros()).isNegative();
        assertThat(never.rule()).isEqualTo("ten");
        assertThat(never.message()).startsWith("cost 11 is above the 10 that rule ten grants at once");
    }

    @Test
    void an_unused_costly_permit_gives_all_of_it_back() {
        EmbeddedGatekeeper gate =
                gate(3, 100, rule("ten").limit(10).window(MINUTE).build());
        Request ten = Request.builder(SITE).cost(10).build();
        LeaseId id = ((Granted) now(gate, ten)).lease().id();
        gate.settle(Objects.requireNonNull(id), Outcome.of(Kind.CANCELED));

        assertThat(now(gate, ten)).isInstanceOf(Granted.class);
    }
}
