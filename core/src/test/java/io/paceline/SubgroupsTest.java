package io.paceline;

import static io.paceline.PoolsOfATest.address;
import static io.paceline.PoolsOfATest.addresses;
import static io.paceline.PoolsOfATest.granted;
import static io.paceline.PoolsOfATest.in;
import static io.paceline.PoolsOfATest.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.paceline.Outcome.Kind;
import io.paceline.PoolsOfATest.Pool;
import io.paceline.pool.Strategy;
import io.paceline.store.OnAddressDeath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Parts of a pool that come first, and pools that stand in for others. */
class SubgroupsTest {

    @Nested
    class Preferences {
        /** Two addresses of each kind and country: d-de0, d-us0, m-de0, ... */
        private static List<Address> mixed() {
            List<Address> all = new ArrayList<>();
            for (String kind : List.of("datacenter", "mobile")) {
                for (String country : List.of("us", "de")) {
                    for (int i = 0; i < 2; i++) {
                        String id = kind.charAt(0) + "-" + country + i;
                        all.add(address(id, Map.of("kind", kind, "country", country)));
                    }
                }
            }
            return all;
        }

        private static Request catalogue() {
            return to().task("catalogue").build();
        }

        @ParameterizedTest
        @EnumSource
        void thosePreferredComeFirstWhateverTheStrategy(Strategy strategy) {
            PoolsOfATest pool = new PoolsOfATest()
                    .pool(
                            Pool.named("default").by(strategy).cap(100).task("catalogue", Map.of("kind", "datacenter")),
                            mixed())
                    .start();
            for (int i = 0; i < 50; i++) {
                Lease lease =
                        pool.lease(catalogue().toBuilder().clientId("c" + i).build());
                assertThat(lease.address().tags()).containsEntry("kind", "datacenter");
            }
            Set<String> kinds = new TreeSet<>();
            for (int i = 0; i < 50; i++) {
                kinds.add(pool.lease(to().clientId("c" + i).build())
                        .address()
                        .tags()
                        .get("kind"));
            }
            assertThat(kinds).as("without the task").containsExactly("datacenter", "mobile");
        }

        @Test
        void whenTheyAreBusyTheOthersServeAtOnceInTheOrderOfTaskThenTarget() {
            PoolsOfATest pool = new PoolsOfATest()
                    .pool(Pool.named("default").cap(1).task("catalogue", Map.of("kind", "datacenter")), mixed())
                    .prefer("shop.test", Map.of("country", "DE"))
                    .start();
            List<String> order = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                order.add(pool.lease(catalogue()).address().id());
            }
            assertThat(order.subList(0, 2)).containsExactlyInAnyOrder("d-de0", "d-de1");
            assertThat(order.subList(2, 4)).containsExactlyInAnyOrder("d-us0", "d-us1");
            assertThat(order.subList(4, 6)).containsExactlyInAnyOrder("m-de0", "m-de1");
            assertThat(order.subList(6, 8)).containsExactlyInAnyOrder("m-us0", "m-us1");
        }

        @Test
        void theTagsOfTheRequestAreHardAndOverruleAPreferenceThatContradictsThem() {
            PoolsOfATest pool = new PoolsOfATest()
                    .pool(Pool.named("default").cap(1).task("catalogue", Map.of("kind", "datacenter")), mixed())
                    .start();
            Request mobile =
                    to().task("catalogue").tags(Map.of("kind", "mobile")).build();
            for (int i = 0; i < 4; i++) {
                assertThat(pool.lease(mobile).address().id()).startsWith("m-");
            }
            assertThat(pool.refused(mobile).reason()).isEqualTo(Reason.NO_ADDRESS);
        }

        @Test
        void aSessionBeginsAtOneThatIsPreferredAndFallsToAnotherWhereAllAreFull() {
            List<Address> many = new ArrayList<>(mixed());
            for (int i = 0; i < 60; i++) {
                many.add(address("x" + i, Map.of("kind", "datacenter")));
            }
            PoolsOfATest pool = new PoolsOfATest()
                    .pool(Pool.named("default").cap(1).task("catalogue", Map.of("kind", "datacenter")), many)
                    .start();
            for (int i = 0; i < 64; i++) {
                Request begin = to().task("catalogue").session("s" + i).build();
                assertThat(pool.lease(begin).address().tags()).containsEntry("kind", "datacenter");
            }
            assertThat(pool.lease(to().task("catalogue").session("late").build())
                            .address()
                            .tags())
                    .containsEntry("kind", "mobile");
        }

        @Test
        void byHashAKeyWaitsForItsPreferredAddress() {
            PoolsOfATest pool = new PoolsOfATest()
                    .pool(
                            Pool.named("default")
                                    .by(Strategy.HASH)
                                    .cap(1)
                                    .task("catalogue", Map.of("kind", "datacenter")),
                            mixed())
                    .start();
            Request mine = catalogue().toBuilder().clientId("me").build();
            pool.lease(mine);

            assertThat(pool.refused(mine).reason()).isEqualTo(Reason.NO_ADDRESS);
        }
    }

    @Nested
    class Fallbacks {
        private final PoolsOfATest pools = new PoolsOfATest()
                .pool(Pool.named("default").cap(1).fallback("spare"), addresses("a", 2))
                .pool(Pool.named("spare").cap(1).fallback("last"), addresses("b", 2))
                .pool(Pool.named("last").cap(1), addresses("c", 1));

        private static Request patient(int seconds) {
            return to().maxWait(Duration.ofSeconds(seconds)).build();
        }

        @Test
        void theyServeInOrderWhenThoseBeforeAreAtTheirCapBeyondTheCallersWait() {
            pools.start();
            List<String> served = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                Lease lease = pools.lease(to().build());
                served.add(lease.pool() + ":" + lease.address().id().charAt(0));
            }
            assertThat(served).containsExactly("default:a", "default:a", "spare:b", "spare:b", "last:c");
            assertThat(pools.refused(to().build())).satisfies(refused -> {
                assertThat(refused.reason()).isEqualTo(Reason.NO_ADDRESS);
                assertThat(refused.message()).contains("pool default").contains("no fallback can serve");
            });
        }

        @Test
        void whoWillWaitWaitsForTheFirstPoolBeforeAFallbackServes() {
            pools.start();
            Lease first = pools.lease(to().build());
            pools.lease(to().build());
            CompletableFuture<Decision> lucky = pools.ask(patient(10));
            CompletableFuture<Decision> second = pools.ask(patient(10));
            assertThat(lucky).isNotDone();
            pools.time.advance(Duration.ofSeconds(5));
            pools.settle(first, Kind.SUCCESS);
            pools.time.advance(Duration.ofSeconds(1));
            assertThat(granted(lucky).pool()).isEqualTo("default");
            assertThat(second).isNotDone();
            pools.time.advance(Duration.ofSeconds(5));

            assertThat(granted(second).pool()).isEqualTo("spare");
        }

        @Test
        void nobodyWaitsForAPoolInWhichNobodyIsInService() {
            pools.start();
            pools.fail("a0");
            pools.fail("a1");

            assertThat(pools.lease(patient(10)).pool()).isEqualTo("spare");
        }

        @Test
        void tagsHoldInEveryPool() {
            PoolsOfATest tagged = new PoolsOfATest()
                    .pool(Pool.named("default").fallback("spare"), addresses("a", 2))
                    .pool(Pool.named("spare"), List.of(address("b0", Map.of()), address("b1", Map.of("country", "de"))))
                    .start();
            assertThat(tagged.lease(to().tags(Map.of("country", "de")).build())
                            .address()
                            .id())
                    .isEqualTo("b1");
            assertThat(tagged.refused(to().tags(Map.of("country", "fr")).build())
                            .message())
                    .contains("no address of pool default carries the tags asked for");
        }

        @Test
        void aLeaseOfAFallbackIsSettledAndRenewedInThePoolThatServed() {
            pools.start();
            pools.fail("a0");
            pools.fail("a1");
            Lease lease = pools.lease(to().build());
            assertThat(pools.gate()
                            .renew(java.util.Objects.requireNonNull(lease.id()))
                            .toCompletableFuture()
                            .join())
                    .isPresent();
            assertThat(pools.settle(lease, Kind.SUCCESS)).isEqualTo(SettleResult.RELEASED);
            assertThat(pools.gate().pools().get(1).addresses())
                    .anyMatch(status -> status.address().equals(lease.address()) && status.uses() == 1);
        }

        @Test
        void aSessionThatBeganInAFallbackKeepsItsAddressWhenTheFirstPoolIsBack() {
            pools.start();
            Lease one = pools.lease(to().build());
            Lease two = pools.lease(to().build());
            Lease began = pools.visit("s1");
            assertThat(began.pool()).isEqualTo("spare");
            pools.settle(one, Kind.SUCCESS);
            pools.settle(two, Kind.SUCCESS);
            for (int i = 0; i < 10; i++) {
                Lease next = pools.visit("s1");
                assertThat(next.address()).isEqualTo(began.address());
                assertThat(next.pool()).isEqualTo("spare");
            }
            assertThat(pools.gate().sessions("default").toCompletableFuture().join())
                    .isEqualTo(1);
            assertThat(pools.gate()
                            .endSession("", "default", "s1")
                            .toCompletableFuture()
                            .join())
                    .isTrue();
            assertThat(pools.visit("s1").pool()).isEqualTo("default");
        }

        @Test
        void aSessionMovesIntoTheFallbackWhereItsPoolHasNobodyLeft() {
            PoolsOfATest moving = new PoolsOfATest()
                    .pool(Pool.named("default").fallback("spare").on(OnAddressDeath.MIGRATE), addresses("a", 1))
                    .pool(Pool.named("spare"), addresses("b", 2))
                    .start();
            assertThat(moving.visit("s1").pool()).isEqualTo("default");
            moving.remove("default", "a0");
            Lease moved = moving.visit("s1");

            assertThat(moved.migrated()).isTrue();
            assertThat(moved.pool()).isEqualTo("spare");
        }

        @Test
        void aSessionLosesItsAddressWhenTheFallbackIsTakenOutOfTheConfiguration() {
            PoolsOfATest shrinking = new PoolsOfATest()
                    .pool(Pool.named("default").fallback("spare").on(OnAddressDeath.MIGRATE), List.of())
                    .pool(Pool.named("spare"), addresses("b", 2))
                    .start();
            assertThat(shrinking.visit("s1").pool()).isEqualTo("spare");
            shrinking.pools.clear();
            shrinking.pool(Pool.named("default").on(OnAddressDeath.MIGRATE), addresses("a", 2));
            shrinking.reload();
            Lease moved = shrinking.visit("s1");

            assertThat(moved.migrated()).isTrue();
            assertThat(moved.pool()).isEqualTo("default");
        }

        @Test
        void twoPoolsShareOneFallbackWithinItsCaps() {
            PoolsOfATest shared = new PoolsOfATest()
                    .pool(Pool.named("one").fallback("spare"), List.of())
                    .pool(Pool.named("two").fallback("spare"), List.of())
                    .pool(Pool.named("spare").cap(1), addresses("b", 2))
                    .start();
            shared.lease(to().pool("one").build());
            shared.lease(to().pool("two").build());
            assertThat(shared.refused(to().pool("one").build()).reason()).isEqualTo(Reason.NO_ADDRESS);
            assertThat(shared.refused(to().pool("two").build()).reason()).isEqualTo(Reason.NO_ADDRESS);
        }

        @Test
        void anAddressInTwoPoolsHasOneCap() {
            PoolsOfATest shared = new PoolsOfATest()
                    .pool(Pool.named("one").cap(1).fallback("two"), addresses("a", 1))
                    .pool(Pool.named("two").cap(1), addresses("a", 2))
                    .start();
            assertThat(shared.lease(to().build()).address().id()).isEqualTo("a0");
            Lease second = shared.lease(to().build());
            assertThat(second.address().id()).isEqualTo("a1");
            assertThat(second.pool()).isEqualTo("two");
            assertThat(shared.refused(to().build()).reason()).isEqualTo(Reason.NO_ADDRESS);
            shared.time.advance(Duration.ofSeconds(61));
            shared.lease(to().build());
        }

        @Test
        void anAddressOnItsWayBackIsTestedThoughAFallbackServes() {
            pools.start();
            pools.fail("a0");
            pools.fail("a1");
            for (int i = 0; i < 1_200; i++) {
                pools.time.advance(Duration.ofSeconds(1));
                pools.settle(pools.lease(to().build()), Kind.SUCCESS);
            }
            assertThat(pools.lease(to().build()).pool()).isEqualTo("default");
        }

        @Test
        void circlesAndUnknownNamesAreRefused() {
            pools.pool(Pool.named("last").fallback("default"), addresses("c", 1));
            assertThatThrownBy(pools::config)
                    .hasMessageContaining("fallback leads in a circle, default -> spare -> last -> default");
            pools.pool(Pool.named("last").fallback("nowhere"), addresses("c", 1));
            assertThatThrownBy(pools::config).hasMessageContaining("no pool is called \"nowhere\"");
        }

        @Test
        void aSessionOfAFallbackIsPausedWithItsAddress() {
            pools.start();
            pools.fail("a0");
            pools.fail("a1");
            Lease began = pools.visit("s1");
            pools.fail(began.address().id());

            assertThat(pools.refused(in("s1")).reason()).isEqualTo(Reason.SESSION_PAUSED);
        }
    }
}
