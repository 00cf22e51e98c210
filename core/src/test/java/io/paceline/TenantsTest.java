package io.paceline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.paceline.Decision.Granted;
import io.paceline.Decision.Refused;
import io.paceline.Outcome.Kind;
import io.paceline.pace.HostPattern;
import io.paceline.pace.Prices;
import io.paceline.pace.Quota;
import io.paceline.pace.Quota.Amount;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.Spending;
import io.paceline.pace.TargetBook;
import io.paceline.pace.TargetSettings;
import io.paceline.pace.TenantBook;
import io.paceline.pace.TenantSettings;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import io.paceline.store.MemoryStore;
import io.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What tenants may use: their pools, their rules, their quotas; and what they see of one another, which is nothing. */
class TenantsTest {
    private static final String SITE = "https://www.example.com/p/1";
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Duration DAY = Duration.ofDays(1);

    private final VirtualTime time = new VirtualTime();
    private final Spending spending = new Spending();
    private final List<TenantSettings> tenants = new ArrayList<>();
    private final List<TargetSettings> targets = new ArrayList<>();

    private static Rule.Builder rule(String pattern) {
        return Rule.builder(HostPattern.parse(pattern));
    }

    private static final Rule OPEN = rule("*")
            .name("open")
            .limit(1_000_000)
            .window(Duration.ofSeconds(1))
            .build();

    private static PoolConfig pool(String name, int first) {
        List<Address> addresses = new ArrayList<>();
        for (int i = first; i < first + 3; i++) {
            addresses.add(new Address(
                    "a" + i, new Endpoint(Endpoint.Scheme.HTTP, "198.51.100." + i, 8080, null), Map.of(), 1, false));
        }
        return new PoolConfig(PoolSettings.defaults(name), addresses);
    }

    private void tenant(String name, List<String> pools, Quota quota, Rule... rules) {
        tenants.add(new TenantSettings(name, pools, List.of(rules), quota, Prices.NONE));
    }

    private EmbeddedGatekeeper gate() {
        GateConfig config = new GateConfig(
                List.of(pool("one", 1), pool("two", 11), pool("three", 21)),
                TargetBook.of(targets),
                RuleBook.of(List.of(OPEN)),
                TenantBook.of(tenants));
        return EmbeddedGatekeeper.builder(new MemoryStore(time), time, time, new SharedRandom(7))
                .spending(spending)
                .start(config)
                .toCompletableFuture()
                .join();
    }

    private static Decision now(EmbeddedGatekeeper gate, Request request) {
        CompletableFuture<Decision> answer = gate.acquire(request).toCompletableFuture();
        assertThat(answer).as("answered at once").isDone();
        return answer.join();
    }

    private static Request of(String tenant) {
        return Request.builder(SITE).tenant(tenant).build();
    }

    private static Request of(String tenant, @Nullable String pool) {
        return Request.builder(SITE).tenant(tenant).pool(pool).build();
    }

    private static Lease granted(EmbeddedGatekeeper gate, Request request) {
        Decision decision = now(gate, request);
        assertThat(decision).isInstanceOf(Granted.class);
        return ((Granted) decision).lease();
    }

    private static Refused refused(EmbeddedGatekeeper gate, Request request) {
        Decision decision = now(gate, request);
        assertThat(decision).isInstanceOf(Refused.class);
        return (Refused) decision;
    }

    private static Amount daily(long most) {
        return new Amount(most, DAY);
    }

    private static Quota permits(long most, Duration window, ZoneId zone) {
        return new Quota(new Amount(most, window), null, null, null, zone);
    }

    // ---- pools

    @Test
    void a_tenant_is_served_by_its_own_pools_alone() {
        targets.add(new TargetSettings(HostPattern.parse(".example.com"), null, "three"));
        targets.add(new TargetSettings(HostPattern.parse(".example.org"), null, "one"));
        tenant("shop", List.of("two", "three"), Quota.NONE);
        EmbeddedGatekeeper gate = gate();

        assertThat(granted(gate, of("shop")).pool())
                .as("the target's, which is its own")
                .isEqualTo("three");
        assertThat(granted(
                                gate,
                                Request.builder("https://example.org/")
                                        .tenant("shop")
                                        .build())
                        .pool())
                .as("the target's is not its own: its first")
                .isEqualTo("two");
        assertThat(granted(gate, of("shop", "two")).pool()).isEqualTo("two");
        assertThatThrownBy(() -> gate.acquire(of("shop", "one")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("pool \"one\" is none of tenant shop; it has two, three");
        assertThat(granted(gate, of("", "one")).pool()).isEqualTo("one");
    }

    @Test
    void a_pool_that_is_not_its_own_is_no_fallback_either() {
        PoolSettings exclusive = PoolSettings.defaults("one").withFallback("two");
        PoolConfig empty = new PoolConfig(exclusive, List.of());
        tenant("shop", List.of("one"), Quota.NONE);
        EmbeddedGatekeeper gate = EmbeddedGatekeeper.builder(new MemoryStore(time), time, time, new SharedRandom(7))
                .start(new GateConfig(
                        List.of(empty, pool("two", 11)),
                        TargetBook.empty(),
                        RuleBook.of(List.of(OPEN)),
                        TenantBook.of(tenants)))
                .toCompletableFuture()
                .join();

        assertThat(granted(gate, of("")).pool()).isEqualTo("two");
        assertThat(refused(gate, of("shop")).reason()).isEqualTo(Reason.NO_ADDRESS);
    }

    @Test
    void a_tenant_whose_pool_does_not_exist_is_no_configuration() {
        tenant("shop", List.of("none"), Quota.NONE);

        assertThatThrownBy(this::gate).hasMessageContaining("tenant shop names the pool \"none\"");
    }

    // ---- rules

    @Test
    void its_own_rules_hold_for_a_tenant_alone_and_go_before_those_for_everybody() {
        Rule narrow =
                rule("*").name("slow").limit(2).window(Duration.ofMinutes(1)).build();
        tenant("shop", List.of("one"), Quota.NONE, narrow);
        tenant("mine", List.of("one"), Quota.NONE, narrow);
        EmbeddedGatekeeper gate = gate();
        granted(gate, of("shop"));
        granted(gate, of("shop"));

        Refused refused = refused(gate, of("shop"));
        assertThat(refused.reason()).isEqualTo(Reason.RATE_LIMITED);
        assertThat(refused.rule()).isEqualTo("shop/slow");
        granted(gate, of("mine"));
        granted(gate, of("other"));
    }

    // ---- quotas

    @Test
    void a_quota_of_permits_ends_with_the_day_of_its_zone() {
        tenant("shop", List.of("one"), permits(3, DAY, BERLIN));
        EmbeddedGatekeeper gate = gate();
        granted(gate, Request.builder(SITE).tenant("shop").cost(2).build());
        granted(gate, of("shop", "one"));

        Refused refused = refused(
                gate, Request.builder("https://other.test/").tenant("shop").build());
        assertThat(refused.reason()).isEqualTo(Reason.QUOTA_EXCEEDED);
        assertThat(refused.rule()).isEqualTo(Quota.PERMITS);
        assertThat(refused.message()).isEqualTo("tenant shop has used up its quota of 3 permits a day");
        Instant end = Instant.EPOCH.plus(time.micros() + refused.waitMicros(), ChronoUnit.MICROS);
        assertThat(end.atZone(BERLIN).toLocalTime().toSecondOfDay()).isZero();
        granted(gate, of("other"));

        time.advance(Duration.ofNanos(refused.waitMicros() * 1_000));
        granted(gate, of("shop"));
    }

    @Test
    void an_unused_permit_does_not_count() {
        tenant("shop", List.of("one"), permits(1, DAY, BERLIN));
        EmbeddedGatekeeper gate = gate();
        Lease unused = granted(gate, of("shop"));
        refused(gate, of("shop"));
        gate.settle(Objects.requireNonNull(unused.id()), Outcome.of(Kind.CANCELED));

        granted(gate, of("shop"));
    }

    @Test
    void a_reservation_does_not_use_up_the_time_of_a_quota() {
        Rule slow = rule(".example.com")
                .limit(1)
                .window(Duration.ofSeconds(5))
                .burst(1)
                .onLimit(io.paceline.pace.OnLimit.WAIT)
                .build();
        tenant("shop", List.of("one"), permits(100, DAY, BERLIN), slow);
        EmbeddedGatekeeper gate = gate();
        granted(gate, of("shop"));
        CompletableFuture<Decision> waits = gate.acquire(of("shop")).toCompletableFuture();
        assertThat(waits).isNotDone();

        granted(gate, Request.builder("https://other.test/").tenant("shop").build());
        time.advance(Duration.ofSeconds(5));
        assertThat(waits).isDone();
    }

    @Test
    void a_quota_of_leases_opens_when_one_ends() {
        tenant("shop", List.of("one"), new Quota(null, 2, null, null, BERLIN));
        EmbeddedGatekeeper gate = gate();
        Lease first = granted(gate, of("shop"));
        granted(gate, of("shop"));

        Refused refused = refused(gate, of("shop"));
        assertThat(refused.reason()).isEqualTo(Reason.QUOTA_EXCEEDED);
        assertThat(refused.rule()).isEqualTo(Quota.LEASES);
        assertThat(refused.waitMicros()).isNegative();
        assertThat(refused.message()).contains("tenant shop has all the 2 leases of its quota");
        granted(gate, of("other"));
        gate.settle(Objects.requireNonNull(first.id()), Outcome.of(Kind.SUCCESS, 1_000));
        granted(gate, of("shop"));
    }

    @Test
    void bytes_and_money_that_are_used_up_refuse_until_their_window_ends() {
        tenant("shop", List.of("one"), new Quota(null, null, daily(1_000), daily(5_000_000_000L), BERLIN));
        EmbeddedGatekeeper gate = gate();
        spending.spend(tenants.get(0), 999, 4_999_999_999L, time.micros());
        granted(gate, of("shop"));
        spending.spend(tenants.get(0), 1, 0, time.micros());

        Refused bytes = refused(gate, of("shop"));
        assertThat(bytes.reason()).isEqualTo(Reason.QUOTA_EXCEEDED);
        assertThat(bytes.rule()).isEqualTo(Quota.BYTES);
        assertThat(bytes.message()).isEqualTo("tenant shop has used up its quota of 1000 bytes a day");
        Instant end = Instant.EPOCH.plus(time.micros() + bytes.waitMicros(), ChronoUnit.MICROS);
        assertThat(end.atZone(BERLIN).toLocalTime().toSecondOfDay()).isZero();

        time.advance(Duration.ofNanos(bytes.waitMicros() * 1_000));
        granted(gate, of("shop"));
        spending.spend(tenants.get(0), 0, 5_000_000_000L, time.micros());
        assertThat(refused(gate, of("shop")).message()).isEqualTo("tenant shop has used up its quota of 5.00 a day");
        granted(gate, of("other"));
    }

    @Test
    void what_was_spent_in_a_window_that_still_runs_goes_on_after_a_restart() {
        tenant("shop", List.of("one"), new Quota(null, null, daily(1_000), null, BERLIN));
        spending.spend(tenants.get(0), 700, 0, time.micros());
        List<Spending.Spent> saved = spending.save();
        Spending next = new Spending();
        saved.forEach(spent -> next.restore(tenants.get(0), spent, time.micros()));
        assertThat(next.used("shop", Spending.Kind.BYTES, time.micros())).isEqualTo(700);

        time.advance(DAY);
        Spending later = new Spending();
        saved.forEach(spent -> later.restore(tenants.get(0), spent, time.micros()));
        assertThat(later.used("shop", Spending.Kind.BYTES, time.micros())).isZero();
    }

    // ---- apart

    @Test
    void one_session_key_of_two_tenants_is_two_sessions() {
        tenant("shop", List.of("one"), Quota.NONE);
        tenant("mine", List.of("one"), Quota.NONE);
        EmbeddedGatekeeper gate = gate();
        granted(gate, Request.builder(SITE).tenant("shop").session("k").build());

        assertThat(gate.endSession("mine", null, "k").toCompletableFuture().join())
                .isFalse();
        assertThat(gate.endSession("shop", null, "k").toCompletableFuture().join())
                .isTrue();
    }
}
