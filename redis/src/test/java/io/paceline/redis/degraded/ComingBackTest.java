package io.paceline.redis.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Decision;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.Lease;
import io.paceline.LeaseId;
import io.paceline.Order;
import io.paceline.Order.Verb;
import io.paceline.Outcome;
import io.paceline.Request;
import io.paceline.SettleResult;
import io.paceline.SharedRandom;
import io.paceline.health.Budget;
import io.paceline.health.Standing;
import io.paceline.redis.degraded.SharedInVirtualTime.State;
import io.paceline.redis.degraded.SharedInVirtualTime.Way;
import io.paceline.store.Shift;
import io.paceline.store.StoreSnapshot;
import io.paceline.testkit.OnePool;
import io.paceline.testkit.Seeds;
import io.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a store that was emptied is told, in the order of time: faults that histories of real processes have shown. */
class ComingBackTest {
    private static final int ADDRESSES = 12;
    private static final Duration TTL = Duration.ofSeconds(4);

    private final VirtualTime time = new VirtualTime();
    private final SharedInVirtualTime shared = new SharedInVirtualTime(time, 2_000);
    private final List<EmbeddedGatekeeper> gates = new ArrayList<>();
    private final List<EnduringStore> stores = new ArrayList<>();
    private final List<Way> ways = new ArrayList<>();

    @BeforeEach
    void three() {
        for (int i = 0; i < 3; i++) {
            Way way = shared.new Way(Seeds.random(i));
            ways.add(way);
            EnduringStore store =
                    now(EnduringStore.join(way.store, time, time, Seeds.random(100 + i), StoreState.Listener.NONE));
            stores.add(store);
            gates.add(now(EmbeddedGatekeeper.builder(store, time, time, new SharedRandom(200 + i))
                    .start(OnePool.of(ADDRESSES, 1, TTL, 1_000, Duration.ofSeconds(1)))));
        }
        time.advance(Duration.ofSeconds(3));
    }

    private <T> T now(CompletionStage<T> stage) {
        long deadline = time.micros() + 2_000_000;
        while (!stage.toCompletableFuture().isDone() && time.micros() < deadline) {
            time.advance(Duration.ofMillis(1));
        }
        return stage.toCompletableFuture().join();
    }

    private @Nullable Lease acquire(int gate, @Nullable String session) {
        Request request = Request.builder("https://site.example/")
                .session(session)
                .hold(Request.Hold.NEVER)
                .build();
        return now(gates.get(gate).acquire(request)) instanceof Decision.Granted granted ? granted.lease() : null;
    }

    private SettleResult release(int gate, Lease lease) {
        LeaseId id = Objects.requireNonNull(lease.id());
        return now(gates.get(gate).settle(id, Outcome.of(Outcome.Kind.SUCCESS, 10_000)));
    }

    /** Which addresses an instance can lease now; it leases each, and ends it. */
    private Set<String> served(int gate) {
        List<Lease> leases = new ArrayList<>();
        Set<String> served = new HashSet<>();
        for (Lease lease = acquire(gate, null); lease != null; lease = acquire(gate, null)) {
            leases.add(lease);
            served.add(lease.address().id());
        }
        leases.forEach(lease -> release(gate, lease));
        return served;
    }

    private void awaitTogether(int gate) {
        long deadline = time.micros() + Duration.ofMinutes(1).toNanos() / 1_000;
        while (stores.get(gate).state().degraded() && time.micros() < deadline) {
            time.advance(Duration.ofMillis(1));
        }
        assertThat(stores.get(gate).state().degraded()).isFalse();
    }

    /** Away for longer than any lease lasts: nobody need wait for leases of before. */
    private void away() {
        shared.become(State.REFUSING);
        time.advance(Duration.ofSeconds(15));
    }

    private void backAndEmpty() {
        shared.lose();
        shared.become(State.UP);
    }

    @Test
    void a_session_of_one_who_comes_back_a_little_later_is_not_bound_by_who_came_first() {
        Map<String, String> homes = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            Lease lease = Objects.requireNonNull(acquire(0, "s" + i));
            homes.put("s" + i, lease.address().id());
            release(0, lease);
        }
        away();
        ways.get(0).cut = true;
        backAndEmpty();
        long late = time.micros() + 1_500_000;
        List<String> moved = new ArrayList<>();
        while (time.micros() < late) {
            homes.forEach((session, home) -> {
                Lease lease = acquire(1, session);
                if (lease != null) {
                    release(1, lease);
                    if (!lease.address().id().equals(home)
                            && !stores.get(1).state().degraded()) {
                        moved.add(session);
                    }
                }
            });
            time.advance(Duration.ofMillis(50));
        }
        ways.get(0).cut = false;
        awaitTogether(0);
        awaitTogether(1);
        time.advance(Duration.ofSeconds(2));

        assertThat(moved).isEmpty();
        homes.forEach((session, home) -> {
            Lease lease = Objects.requireNonNull(acquire(1, session));
            assertThat(lease.address().id()).isEqualTo(home);
            release(1, lease);
        });
    }

    @Test
    void who_does_not_come_back_is_not_waited_for_long() {
        away();
        ways.get(0).cut = true;
        backAndEmpty();
        time.advance(Duration.ofSeconds(5));

        assertThat(stores.get(1).state().degraded()).isFalse();
        assertThat(stores.get(2).state().degraded()).isFalse();
    }

    @Test
    void a_lease_on_an_address_whose_ban_was_lifted_alone_is_known_afterwards() {
        for (int i = 0; i < ADDRESSES; i++) {
            now(gates.get(0).carryOut(Order.of(Verb.BAN, "a" + i)));
        }
        time.advance(Duration.ofSeconds(3));
        away();
        for (int i = 0; i < ADDRESSES; i++) {
            gates.get(0).carryOut(Order.of(Verb.UNBAN, "a" + i));
        }
        time.advance(Duration.ofSeconds(1));
        Lease lease = Objects.requireNonNull(acquire(0, null));
        backAndEmpty();
        while (stores.get(0).state().degraded()) {
            gates.get(0).renew(Objects.requireNonNull(lease.id()));
            time.advance(Duration.ofMillis(100));
        }
        awaitTogether(1);

        assertThat(release(1, lease)).isEqualTo(SettleResult.RELEASED);
    }

    @Test
    void what_is_banned_stays_banned_though_its_owner_never_comes_back() {
        for (int i = 0; i < ADDRESSES; i++) {
            now(gates.get(1).carryOut(Order.of(Verb.BAN, "a" + i)));
        }
        time.advance(Duration.ofSeconds(3));
        ways.get(0).cut = true;
        away();
        backAndEmpty();
        awaitTogether(1);
        awaitTogether(2);
        // By then nobody keeps the slice of the one who is gone free.
        time.advance(Duration.ofMinutes(6));

        assertThat(served(1)).isEmpty();
        now(gates.get(1).carryOut(Order.of(Verb.UNBAN, "a3")));
        time.advance(Duration.ofSeconds(2));
        assertThat(served(1)).containsExactly("a3");
    }

    @Test
    void what_is_banned_alone_is_banned_for_all_afterwards() {
        away();
        Set<String> own = served(0);
        assertThat(own).isNotEmpty();
        own.forEach(address -> now(gates.get(0).carryOut(Order.of(Verb.BAN, address))));
        backAndEmpty();
        for (int gate = 0; gate < 3; gate++) {
            awaitTogether(gate);
        }
        time.advance(Duration.ofSeconds(3));

        assertThat(served(1)).isNotEmpty().doesNotContainAnyElementsOf(own);
    }

    @Test
    void a_ban_given_alone_holds_though_the_others_have_judged_the_address_meanwhile() {
        ways.get(0).cut = true;
        time.advance(Duration.ofSeconds(10));
        Set<String> own = served(0);
        assertThat(own).isNotEmpty();
        own.forEach(address -> now(gates.get(0).carryOut(Order.of(Verb.BAN, address))));
        judgeAll(io.paceline.health.State.DEGRADED);
        ways.get(0).cut = false;
        awaitTogether(0);
        time.advance(Duration.ofSeconds(3));

        assertThat(served(1)).isNotEmpty().doesNotContainAnyElementsOf(own);
    }

    private void judgeAll(io.paceline.health.State state) {
        StoreSnapshot.Chain chain = shared.store.snapshot().chains().get(0);
        for (StoreSnapshot.Slot slot : chain.slots()) {
            Standing before = slot.row().standing();
            Standing after = before.inState(state, time.micros());
            now(shared.store.shift(new Shift(chain.id(), slot.row().slot(), 0, before, after, Budget.NONE)));
        }
    }
}
