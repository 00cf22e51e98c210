package io.paceline;

import static io.paceline.PoolsOfATest.addresses;
import static io.paceline.PoolsOfATest.in;
import static io.paceline.PoolsOfATest.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Outcome.Kind;
import io.paceline.PoolsOfATest.Pool;
import io.paceline.pool.Strategy;
import io.paceline.store.OnAddressDeath;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sessions and leases as their users meet them: the shared cases Q-S09 to Q-S12 and Q-S17 to Q-S20, and what follows. */
class SessionTimelinesTest {

    private static PoolsOfATest pool(OnAddressDeath death, int size) {
        return new PoolsOfATest()
                .pool(Pool.named("default").on(death).cap(1_000), addresses("a", size))
                .start();
    }

    @Test
    void qs09TwoParallelFirstRequestsUseOneAddress() {
        PoolsOfATest pool = pool(OnAddressDeath.END, 10);
        Lease first = pool.lease(in("s1"));
        Lease second = pool.lease(in("s1"));

        assertThat(second.address()).isEqualTo(first.address());
    }

    @Test
    void qs10ABindingLivesAsLongAsItIsUsed() {
        PoolsOfATest pool = new PoolsOfATest()
                .pool(Pool.named("default").ttl(Duration.ofHours(6)), addresses("a", 10))
                .start();
        Address first = pool.visit("s1").address();
        for (int minutes = 0; minutes <= 370; minutes += 5) {
            pool.time.advance(Duration.ofMinutes(5));
            assertThat(pool.visit("s1").address()).isEqualTo(first);
        }
    }

    @ParameterizedTest
    @EnumSource
    void qs11OnlyTheSessionsOfAnAddressThatIsOutAreTouched(OnAddressDeath death) {
        PoolsOfATest pool = pool(death, 10);
        Map<String, String> before = new HashMap<>();
        for (int i = 0; i < 1_000; i++) {
            before.put("s" + i, pool.visit("s" + i).address().id());
        }
        pool.fail("a3");
        pool.time.advance(Duration.ofSeconds(121));
        int touched = 0;
        for (Map.Entry<String, String> session : before.entrySet()) {
            Decision decision = pool.ask(in(session.getKey())).join();
            if (session.getValue().equals("a3")) {
                touched++;
                check(decision, death);
            } else {
                Lease lease = ((Decision.Granted) decision).lease();
                assertThat(lease.address().id()).isEqualTo(session.getValue());
                assertThat(lease.migrated()).isFalse();
            }
        }
        assertThat(touched).isBetween(50, 150);
    }

    private static void check(Decision decision, OnAddressDeath death) {
        if (death == OnAddressDeath.MIGRATE) {
            Lease lease = ((Decision.Granted) decision).lease();
            assertThat(lease.address().id()).isNotEqualTo("a3");
            assertThat(lease.migrated()).isTrue();
        } else {
            assertThat(((Decision.Refused) decision).reason())
                    .isEqualTo(death == OnAddressDeath.END ? Reason.SESSION_ENDED : Reason.SESSION_PAUSED);
        }
    }

    @Test
    void qs11KeysMapAsBeforeWhenTheAddressReturns() {
        PoolsOfATest pool = new PoolsOfATest()
                .pool(Pool.named("default").by(Strategy.HASH).cap(1_000), addresses("a", 10))
                .start();
        Map<String, String> before = new HashMap<>();
        for (int i = 0; i < 1_000; i++) {
            before.put(
                    "c" + i,
                    pool.lease(to().clientId("c" + i).build()).address().id());
        }
        pool.remove("default", "a3");
        int moved = 0;
        for (Map.Entry<String, String> client : before.entrySet()) {
            String now =
                    pool.lease(to().clientId(client.getKey()).build()).address().id();
            moved += now.equals(client.getValue()) ? 0 : 1;
            assertThat(now.equals(client.getValue()))
                    .isNotEqualTo(client.getValue().equals("a3"));
        }
        assertThat(moved).isLessThanOrEqualTo(130);
        pool.pool(Pool.named("default").by(Strategy.HASH).cap(1_000), addresses("a", 10));
        pool.reload();
        before.forEach((client, address) -> assertThat(
                        pool.lease(to().clientId(client).build()).address().id())
                .isEqualTo(address));
    }

    @Test
    void qs12AQuarantineIsAPauseWithItsWaitAndAMoveAfterTwoMinutes() {
        PoolsOfATest pool = pool(OnAddressDeath.MIGRATE, 5);
        String bound = pool.visit("s1").address().id();
        pool.fail(bound);
        Decision.Refused paused = pool.refused(in("s1"));
        assertThat(paused.reason()).isEqualTo(Reason.SESSION_PAUSED);
        assertThat(paused.waitMicros()).isBetween(590_000_000L, 600_000_000L);
        pool.time.advance(Duration.ofSeconds(121));

        Lease moved = pool.visit("s1");
        assertThat(moved.migrated()).isTrue();
        assertThat(moved.address().id()).isNotEqualTo(bound);
        assertThat(pool.visit("s1"))
                .matches(lease -> !lease.migrated() && lease.address().equals(moved.address()));
    }

    @Test
    void aPausedSessionComesBackToItsAddress() {
        PoolsOfATest pool = pool(OnAddressDeath.PAUSE, 5);
        String bound = pool.visit("s1").address().id();
        pool.remove("default", bound);
        for (int i = 0; i < 10; i++) {
            assertThat(pool.refused(in("s1")).reason()).isEqualTo(Reason.SESSION_PAUSED);
            pool.time.advance(Duration.ofMinutes(10));
        }
        pool.pool(Pool.named("default").on(OnAddressDeath.PAUSE), addresses("a", 5));
        pool.reload();

        assertThat(pool.visit("s1").address().id()).isEqualTo(bound);
    }

    @Test
    void aMoveWaitsForTheRunningRequestsOfTheSession() {
        PoolsOfATest pool = pool(OnAddressDeath.MIGRATE, 5);
        Lease running = pool.lease(in("s1"));
        pool.remove("default", running.address().id());
        Decision.Refused moving = pool.refused(in("s1"));
        assertThat(moving.reason()).isEqualTo(Reason.SESSION_PAUSED);
        assertThat(moving.waitMicros()).isEqualTo(60_000_000);
        CompletableFuture<Decision> patient =
                pool.ask(to().session("s1").maxWait(Duration.ofSeconds(30)).build());
        assertThat(patient).isNotDone();
        pool.settle(running, Kind.SUCCESS);
        pool.time.advance(Duration.ofSeconds(1));

        assertThat(PoolsOfATest.granted(patient).migrated()).isTrue();
    }

    @Test
    void aRePinnedSessionGoesElsewhereAndStaysThere() {
        PoolsOfATest pool = pool(OnAddressDeath.END, 5);
        String before = pool.visit("s1").address().id();
        assertThat(pool.gate()
                        .repinSession("", null, "s1")
                        .toCompletableFuture()
                        .join())
                .isTrue();
        Lease moved = pool.visit("s1");

        assertThat(moved.migrated()).isTrue();
        assertThat(moved.address().id()).isNotEqualTo(before);
        for (int i = 0; i < 20; i++) {
            assertThat(pool.visit("s1").address()).isEqualTo(moved.address());
        }
        assertThat(pool.gate()
                        .repinSession("", null, "s2")
                        .toCompletableFuture()
                        .join())
                .isFalse();
    }

    @Test
    void sessionsAreListedWithTheirAddress() {
        PoolsOfATest pool = pool(OnAddressDeath.END, 5);
        String address = pool.visit("s1").address().id();
        EmbeddedGatekeeper.SessionsStatus page =
                pool.gate().sessions((String) null, 0, 10).toCompletableFuture().join();

        assertThat(page.next()).isNegative();
        assertThat(page.sessions()).singleElement().satisfies(session -> {
            assertThat(session.addressId()).isEqualTo(address);
            assertThat(session.key()).isEqualTo(EmbeddedGatekeeper.sessionKey("", "s1"));
            assertThat(session.servedBy()).isEqualTo("default");
        });
    }

    // ---- leases

    private static PoolsOfATest exclusive(int cap) {
        return new PoolsOfATest()
                .pool(Pool.named("default").cap(cap), addresses("p", 1))
                .start();
    }

    @Test
    void qs17ALeaseWhoseHolderDiedComesBackByItself() {
        PoolsOfATest pool = exclusive(1);
        pool.lease(to().build());
        assertThat(pool.refused(to().build()).reason()).isEqualTo(Reason.NO_ADDRESS);
        pool.time.advance(Duration.ofSeconds(61));

        pool.lease(to().build());
        assertThat(pool.refused(to().build()).reason()).isEqualTo(Reason.NO_ADDRESS);
    }

    @Test
    void qs18ALateReleaseFreesNobodyElsesSlot() {
        PoolsOfATest pool = exclusive(1);
        Lease late = pool.lease(to().build());
        pool.time.advance(Duration.ofSeconds(61));
        pool.lease(to().build());

        assertThat(pool.settle(late, Kind.SUCCESS)).isEqualTo(SettleResult.EXPIRED);
        assertThat(pool.refused(to().build()).reason()).isEqualTo(Reason.NO_ADDRESS);
    }

    @Test
    void qs19TwoLateReleasesMakeRoomForTwoAndNoMore() {
        PoolsOfATest pool = exclusive(2);
        List<Lease> late = List.of(pool.lease(to().build()), pool.lease(to().build()));
        pool.time.advance(Duration.ofSeconds(61));
        late.forEach(lease -> pool.settle(lease, Kind.SUCCESS));

        pool.lease(to().build());
        pool.lease(to().build());
        assertThat(pool.refused(to().build()).reason()).isEqualTo(Reason.NO_ADDRESS);
    }

    @Test
    void qs20ARenewedLeaseLastsAndAnEndedOneIsNotRenewed() {
        PoolsOfATest pool = exclusive(1);
        Lease job = pool.lease(to().build());
        LeaseId id = Objects.requireNonNull(job.id());
        for (int i = 0; i < 20; i++) {
            pool.time.advance(Duration.ofSeconds(30));
            assertThat(renew(pool, id)).isPresent();
        }
        assertThat(pool.settle(job, Kind.SUCCESS)).isEqualTo(SettleResult.RELEASED);
        assertThat(renew(pool, id)).isEmpty();
    }

    private static Optional<Long> renew(PoolsOfATest pool, LeaseId id) {
        OptionalLong end = pool.gate().renew(id).toCompletableFuture().join();
        return end.isPresent() ? Optional.of(end.getAsLong()) : Optional.empty();
    }
}
