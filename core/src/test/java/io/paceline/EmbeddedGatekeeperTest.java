package io.paceline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.paceline.Decision.Granted;
import io.paceline.Decision.Refused;
import io.paceline.Outcome.Kind;
import io.paceline.health.HealthSettings;
import io.paceline.health.QuarantineSettings;
import io.paceline.health.State;
import io.paceline.pace.BadTargetException;
import io.paceline.pace.HostPattern;
import io.paceline.pace.OnLimit;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pool.AddressStatus;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The gatekeeper through its public door, in virtual time. */
class EmbeddedGatekeeperTest {
    private static final String SITE = "https://www.example.com/p/1";
    private static final Rule OPEN = Rule.builder(HostPattern.parse("*"))
            .name("open")
            .limit(1_000_000)
            .window(Duration.ofSeconds(1))
            .build();

    private final VirtualTime time = new VirtualTime();
    private final List<String> log = new ArrayList<>();

    // ---- how the tests speak

    private EmbeddedGatekeeper gate(PoolSettings settings, int addresses, Rule... rules) {
        return gate(new GateConfig(
                List.of(new PoolConfig(settings, addresses(addresses))),
                TargetBook.empty(),
                RuleBook.of(List.of(rules))));
    }

    private EmbeddedGatekeeper gate(GateConfig config) {
        GateListener listener = new GateListener() {
            @Override
            public void transition(Transition transition) {
                if (transition.to().state() == State.DEGRADED
                        || (transition.from().state() == State.DEGRADED
                                && transition.to().state() == State.HEALTHY)) {
                    return; // suspects come and go, and are no news here
                }
                log.add(transition.addressId()
                        + (transition.target() == null ? "" : "@" + transition.target())
                        + " " + transition.from().state().word()
                        + "->" + transition.to().state().word()
                        + " " + transition.cause());
            }
        };
        return EmbeddedGatekeeper.builder(new MemoryStore(time), time, time, new SharedRandom(42))
                .listener(listener)
                .start(config)
                .toCompletableFuture()
                .join();
    }

    private static List<Address> addresses(int count) {
        List<Address> addresses = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Endpoint endpoint = new Endpoint(Endpoint.Scheme.HTTP, "198.51.100." + (i + 1), 8080, null);
            addresses.add(new Address("a" + i, endpoint, Map.of("country", i % 2 == 0 ? "de" : "us"), 1, false));
        }
        return addresses;
    }

    private static PoolSettings pool() {
        return PoolSettings.defaults("default");
    }

    private static PoolSettings exclusive() {
        PoolSettings d = pool();
        return new PoolSettings(
                "default", d.strategy(), Map.of(), 1, 1, d.leaseTtl(), d.session(), d.health(), d.quarantine());
    }

    private static PoolSettings pool(Strategy strategy) {
        PoolSettings d = pool();
        return new PoolSettings(
                "default",
                strategy,
                d.tasks(),
                d.maxLeases(),
                d.maxLeasesPerTarget(),
                d.leaseTtl(),
                d.session(),
                d.health(),
                d.quarantine());
    }

    private static <T> T now(java.util.concurrent.CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        assertThat(future).as("answered at once").isDone();
        return future.join();
    }

    private static Lease lease(EmbeddedGatekeeper gate, Request request) {
        Decision decision = now(gate.acquire(request));
        assertThat(decision).isInstanceOf(Granted.class);
        return ((Granted) decision).lease();
    }

    private static Refused refused(EmbeddedGatekeeper gate, Request request) {
        Decision decision = now(gate.acquire(request));
        assertThat(decision).isInstanceOf(Refused.class);
        return (Refused) decision;
    }

    private static SettleResult settle(EmbeddedGatekeeper gate, Lease lease, Kind kind) {
        return now(gate.settle(Objects.requireNonNull(lease.id()), Outcome.of(kind, 100_000)));
    }

    private static AddressStatus status(EmbeddedGatekeeper gate, String id) {
        return gate.pools().get(0).addresses().stream()
                .filter(address -> address.address().id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static Request inSession(String session) {
        return Request.builder(SITE).session(session).build();
    }

    // ---- behaviour

    @Nested
    class Rates {
        private final Rule all = Rule.builder(HostPattern.parse("*"))
                .name("all")
                .limit(30)
                .window(Duration.ofMinutes(1))
                .build();
        private final Rule example = Rule.builder(HostPattern.parse(".example.com"))
                .name("example")
                .limit(50)
                .window(Duration.ofMinutes(1))
                .priority(100)
                .build();

        @Test
        void theThirtyFirstRequestToAnotherSiteAndTheFiftyFirstToExampleAreRefusedWithTheExactWait() {
            EmbeddedGatekeeper gate = gate(pool(), 10, all, example);
            for (int i = 0; i < 30; i++) {
                settle(gate, lease(gate, Request.to("http://other.test/" + i)), Kind.SUCCESS);
                time.advance(Duration.ofMillis(100));
            }
            Refused other = refused(gate, Request.to("http://other.test/31"));
            assertThat(other.reason()).isEqualTo(Reason.RATE_LIMITED);
            assertThat(other.rule()).isEqualTo("all");
            assertThat(other.waitMicros()).isEqualTo(57_000_000);

            for (int i = 0; i < 50; i++) {
                settle(gate, lease(gate, Request.to("http://www.example.com/" + i)), Kind.SUCCESS);
            }
            assertThat(refused(gate, Request.to("http://example.com/51")).rule())
                    .isEqualTo("example");
            time.advance(Duration.ofSeconds(57));
            lease(gate, Request.to("http://other.test/31"));
        }

        @Test
        void whereNothingMatchesThePaceIsOneASecondAndTwoAtOnce() {
            EmbeddedGatekeeper gate = gate(pool(), 3);
            Lease first = lease(gate, Request.to(SITE));
            CompletableFuture<Decision> second = gate.acquire(Request.to(SITE)).toCompletableFuture();
            CompletableFuture<Decision> third = gate.acquire(Request.to(SITE)).toCompletableFuture();
            time.advance(Duration.ofMillis(999));
            assertThat(second).isNotDone();
            time.advance(Duration.ofMillis(1));
            assertThat(second).isCompletedWithValueMatching(Granted.class::isInstance);
            time.advance(Duration.ofSeconds(5));
            assertThat(third).as("two at once").isNotDone();
            settle(gate, first, Kind.SUCCESS);
            assertThat(third).isCompletedWithValueMatching(Granted.class::isInstance);
        }

        @Test
        void aWaitBeyondWhatTheCallerAcceptsIsRefused() {
            EmbeddedGatekeeper gate = gate(pool(), 3);
            lease(gate, Request.to(SITE));
            Refused refused = refused(
                    gate, Request.builder(SITE).maxWait(Duration.ofMillis(500)).build());

            assertThat(refused.waitMicros()).isEqualTo(1_000_000);
            assertThat(refused.rule()).isEqualTo(RuleBook.DEFAULT_PACE.name());
        }

        @Test
        void aThousandWaitersNeedOneCallEachAndAreServedInOrder() {
            Rule perSecond = Rule.builder(HostPattern.parse("*"))
                    .name("ten")
                    .limit(10)
                    .window(Duration.ofSeconds(1))
                    .burst(1)
                    .onLimit(OnLimit.WAIT)
                    .maxWait(Duration.ofMinutes(10))
                    .build();
            EmbeddedGatekeeper gate = gate(pool(), 3, perSecond);
            List<Integer> served = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                int number = i;
                gate.acquire(Request.to(SITE)).thenAccept(decision -> {
                    served.add(number);
                    settle(gate, ((Granted) decision).lease(), Kind.SUCCESS);
                });
            }
            time.advance(Duration.ofSeconds(101));

            assertThat(served).hasSize(1_000).isSorted();
        }

        @Test
        void withoutHoldTheCallerGetsATicketAndRedeemsItAtItsTime() {
            EmbeddedGatekeeper gate = gate(pool(), 3);
            lease(gate, Request.to(SITE));
            Decision decision =
                    now(gate.acquire(Request.builder(SITE).hold(false).build()));
            assertThat(decision).isInstanceOf(Decision.Reserved.class);
            Decision.Reserved reserved = (Decision.Reserved) decision;
            assertThat(reserved.startAtMicros() - time.micros()).isEqualTo(1_000_000);

            time.advance(Duration.ofSeconds(1));
            assertThat(now(gate.redeem(reserved.ticket()))).isInstanceOf(Granted.class);
            assertThat(now(gate.redeem(reserved.ticket())))
                    .isInstanceOfSatisfying(
                            Refused.class, again -> assertThat(again.reason()).isEqualTo(Reason.TICKET_EXPIRED));
        }

        @Test
        void aTicketGivenBackFreesItsSlot() {
            EmbeddedGatekeeper gate = gate(pool(), 3);
            lease(gate, Request.to(SITE));
            Request later = Request.builder(SITE).hold(false).build();
            Decision.Reserved first = (Decision.Reserved) now(gate.acquire(later));
            assertThat(now(gate.giveBack(first.ticket()))).isTrue();
            assertThat(now(gate.giveBack(first.ticket()))).isFalse();

            assertThat(((Decision.Reserved) now(gate.acquire(later))).startAtMicros())
                    .isEqualTo(first.startAtMicros());
        }

        @Test
        void aBadTargetIsSaidSo() {
            EmbeddedGatekeeper gate = gate(pool(), 3);
            assertThatThrownBy(() -> gate.acquire(Request.to("http:///a"))).isInstanceOf(BadTargetException.class);
            assertThatThrownBy(() ->
                            gate.acquire(Request.builder(SITE).pool("nowhere").build()))
                    .hasMessageContaining("nowhere")
                    .hasMessageContaining("default");
        }
    }

    @Nested
    class Leases {
        @Test
        void anExclusiveAddressIsNeverLeasedTwice() {
            EmbeddedGatekeeper gate = gate(exclusive(), 5, OPEN);
            Set<String> leased = new HashSet<>();
            for (int i = 0; i < 5; i++) {
                assertThat(leased.add(lease(gate, Request.to(SITE)).address().id()))
                        .isTrue();
            }
            assertThat(refused(gate, Request.to(SITE)).reason()).isEqualTo(Reason.NO_ADDRESS);
        }

        @Test
        void whoWaitsForAnAddressGetsTheFirstThatIsReleasedInOrder() {
            EmbeddedGatekeeper gate = gate(exclusive(), 1, OPEN);
            Request patient =
                    Request.builder(SITE).maxWait(Duration.ofSeconds(30)).build();
            Lease held = lease(gate, patient);
            CompletableFuture<Decision> second = gate.acquire(patient).toCompletableFuture();
            CompletableFuture<Decision> third = gate.acquire(patient).toCompletableFuture();
            settle(gate, held, Kind.SUCCESS);
            assertThat(second).isDone();
            assertThat(third).isNotDone();
            settle(gate, ((Granted) second.join()).lease(), Kind.SUCCESS);
            assertThat(third).isDone();
        }

        @Test
        void whoWaitsForOneSiteDoesNotStandInTheWayOfAnother() {
            PoolSettings d = pool();
            PoolSettings oneASite = new PoolSettings(
                    "default", d.strategy(), Map.of(), 2, 1, d.leaseTtl(), d.session(), d.health(), d.quarantine());
            EmbeddedGatekeeper gate = gate(oneASite, 1, OPEN);
            lease(gate, Request.to("https://one.example.net/"));
            CompletableFuture<Decision> waiting = gate.acquire(Request.builder("https://one.example.net/")
                            .maxWait(Duration.ofSeconds(5))
                            .build())
                    .toCompletableFuture();
            assertThat(waiting).isNotDone();

            lease(
                    gate,
                    Request.builder("https://two.example.org/")
                            .maxWait(Duration.ofSeconds(5))
                            .build());
            assertThat(waiting).isNotDone();
        }

        @Test
        void whoWaitsInVainIsToldWhyWhenTheTimeIsUp() {
            EmbeddedGatekeeper gate = gate(exclusive(), 1, OPEN);
            Request patient =
                    Request.builder(SITE).maxWait(Duration.ofSeconds(3)).build();
            lease(gate, patient);
            CompletableFuture<Decision> second = gate.acquire(patient).toCompletableFuture();
            time.advance(Duration.ofMillis(2_999));
            assertThat(second).isNotDone();
            time.advance(Duration.ofMillis(1));
            assertThat(second.join())
                    .isInstanceOfSatisfying(
                            Refused.class,
                            refused -> assertThat(refused.reason()).isEqualTo(Reason.NO_ADDRESS));
            assertThat(gate.waiting()).isZero();
        }

        @Test
        void aLeaseThatIsNeverReleasedComesBackByItself() {
            EmbeddedGatekeeper gate = gate(exclusive(), 1, OPEN);
            Lease lost = lease(gate, Request.to(SITE));
            time.advance(Duration.ofSeconds(61));

            lease(gate, Request.to(SITE));
            assertThat(settle(gate, lost, Kind.SUCCESS)).isEqualTo(SettleResult.EXPIRED);
            assertThat(refused(gate, Request.to(SITE)).reason()).isEqualTo(Reason.NO_ADDRESS);
        }

        @Test
        void aHeartbeatKeepsALeaseForLongWork() {
            EmbeddedGatekeeper gate = gate(exclusive(), 1, OPEN);
            Lease lease = lease(gate, Request.to(SITE));
            for (int i = 0; i < 10; i++) {
                time.advance(Duration.ofSeconds(50));
                assertThat(now(gate.renew(Objects.requireNonNull(lease.id())))).isPresent();
            }
            assertThat(settle(gate, lease, Kind.SUCCESS)).isEqualTo(SettleResult.RELEASED);
        }

        @Test
        void aSecondReleaseChangesNothing() {
            EmbeddedGatekeeper gate = gate(pool(), 1, OPEN);
            Lease lease = lease(gate, Request.to(SITE));
            assertThat(settle(gate, lease, Kind.SUCCESS)).isEqualTo(SettleResult.RELEASED);
            assertThat(settle(gate, lease, Kind.CONNECT_ERROR)).isEqualTo(SettleResult.ALREADY_RELEASED);
            assertThat(status(gate, "a0").successRate()).isEqualTo(1);
        }

        @Test
        void manyPermitsInOneCall() {
            EmbeddedGatekeeper gate = gate(exclusive(), 5, OPEN);
            Granted granted =
                    (Granted) now(gate.acquire(Request.builder(SITE).count(8).build()));
            assertThat(granted.leases())
                    .hasSize(5)
                    .extracting(lease -> lease.address().id())
                    .doesNotHaveDuplicates();
        }

        @Test
        void tagsChooseAmongAddressesAndARefusalSaysWhenNoneHasThem() {
            EmbeddedGatekeeper gate = gate(pool(), 4, OPEN);
            Request german = Request.builder(SITE).tags(Map.of("country", "de")).build();
            for (int i = 0; i < 20; i++) {
                assertThat(lease(gate, german).address().tags()).containsEntry("country", "de");
            }
            assertThat(refused(
                                    gate,
                                    Request.builder(SITE)
                                            .tags(Map.of("country", "fr"))
                                            .build())
                            .message())
                    .contains("tags");
        }

        @Test
        void aCountryIsTheSameInWhateverCase() {
            EmbeddedGatekeeper gate = gate(pool(), 4, OPEN);
            Request german = Request.builder(SITE).tags(Map.of("country", "DE")).build();
            assertThat(lease(gate, german).address().tags()).containsEntry("country", "de");
        }

        @Test
        void whoExcludesEverybodyIsToldAtOnce() {
            EmbeddedGatekeeper gate = gate(pool(), 2, OPEN);
            Request retry = Request.builder(SITE)
                    .exclude(Set.of("a0", "a1"))
                    .maxWait(Duration.ofSeconds(10))
                    .build();
            assertThat(refused(gate, retry).message()).contains("tried");
        }

        @Test
        void aRetryNeverGetsWhatItExcludes() {
            EmbeddedGatekeeper gate = gate(pool(), 3, OPEN);
            for (int i = 0; i < 50; i++) {
                Request retry =
                        Request.builder(SITE).exclude(Set.of("a0", "a2")).build();
                Lease lease = lease(gate, retry);
                assertThat(lease.address().id()).isEqualTo("a1");
                settle(gate, lease, Kind.SUCCESS);
            }
        }
    }

    @Nested
    class Strategies {
        @Test
        void roundRobinGoesInTurn() {
            EmbeddedGatekeeper gate = gate(pool(Strategy.ROUND_ROBIN), 3, OPEN);
            List<String> order = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                order.add(lease(gate, Request.to(SITE)).address().id());
            }
            assertThat(order).containsExactly("a0", "a1", "a2", "a0", "a1", "a2");
        }

        @Test
        void aTaskMayHaveAStrategyOfItsOwn() {
            PoolSettings d = pool();
            PoolSettings settings = new PoolSettings(
                    "default",
                    Strategy.ROUND_ROBIN,
                    Map.of("login", new TaskSettings(Strategy.HASH, Map.of())),
                    10,
                    10,
                    d.leaseTtl(),
                    d.session(),
                    d.health(),
                    d.quarantine());
            EmbeddedGatekeeper gate = gate(settings, 5, OPEN);
            Request login =
                    Request.builder(SITE).task("login").clientId("crawler-3").build();
            Set<String> used = new HashSet<>();
            for (int i = 0; i < 10; i++) {
                Lease lease = lease(gate, login);
                used.add(lease.address().id());
                settle(gate, lease, Kind.SUCCESS);
            }
            assertThat(used).hasSize(1);
        }

        @Test
        void leastRecentlyUsedAndLeastLeasesSpreadEvenly() {
            for (Strategy strategy : List.of(Strategy.LEAST_RECENTLY_USED, Strategy.LEAST_LEASES)) {
                EmbeddedGatekeeper gate = gate(pool(strategy), 4, OPEN);
                for (int i = 0; i < 8; i++) {
                    lease(gate, Request.to(SITE));
                    time.advance(Duration.ofMillis(1));
                }
                assertThat(gate.pools().get(0).addresses())
                        .as(strategy.word())
                        .allSatisfy(address -> assertThat(address.live()).isEqualTo(2));
            }
        }

        @Test
        void weightedLearnsWhoSucceedsAndWhoIsFast() {
            EmbeddedGatekeeper gate = gate(pool(), 3, OPEN);
            for (int i = 0; i < 600; i++) {
                Lease lease = lease(gate, Request.to(SITE));
                long latency = lease.address().id().equals("a1") ? 400_000 : 100_000;
                now(gate.settle(Objects.requireNonNull(lease.id()), Outcome.of(Kind.SUCCESS, latency)));
                time.advance(Duration.ofMillis(50));
            }
            assertThat(status(gate, "a1").uses() * 2)
                    .isLessThan(status(gate, "a0").uses());
        }
    }

    @Nested
    class Sessions {
        @Test
        void aSessionKeepsItsAddressUntilItsTimeIsOver() {
            EmbeddedGatekeeper gate = gate(pool(), 10, OPEN);
            String first = lease(gate, inSession("acct-17")).address().id();
            for (int i = 0; i < 20; i++) {
                time.advance(Duration.ofMinutes(10));
                Lease lease = lease(gate, inSession("acct-17"));
                assertThat(lease.address().id()).isEqualTo(first);
                settle(gate, lease, Kind.SUCCESS);
            }
        }

        @Test
        void theSameKeyOfTwoTenantsIsTwoSessions() {
            EmbeddedGatekeeper gate = gate(pool(), 50, OPEN);
            Set<String> used = new HashSet<>();
            for (String tenant : List.of("", "shop", "lab", "ads", "news", "maps")) {
                used.add(lease(gate, inSession("1").toBuilder().tenant(tenant).build())
                        .address()
                        .id());
            }
            assertThat(used).hasSizeGreaterThan(1);
        }

        @Test
        void aFixedSessionEndsThoughItIsUsed() {
            PoolSettings d = pool();
            SessionSettings fixed =
                    new SessionSettings(Duration.ofMinutes(15), SessionSettings.Mode.FIXED, OnAddressDeath.END);
            EmbeddedGatekeeper gate = gate(
                    new PoolSettings(
                            "default", d.strategy(), Map.of(), 10, 10, d.leaseTtl(), fixed, d.health(), d.quarantine()),
                    10,
                    OPEN);
            settle(gate, lease(gate, inSession("s")), Kind.SUCCESS);
            time.advance(Duration.ofMinutes(10));
            settle(gate, lease(gate, inSession("s")), Kind.SUCCESS);
            assertThat(now(gate.sessions("default"))).isEqualTo(1);
            time.advance(Duration.ofMinutes(6));
            assertThat(now(gate.sessions("default"))).isZero();
        }

        @Test
        void aRequestMaySayHowLongItsSessionLasts() {
            EmbeddedGatekeeper gate = gate(pool(), 10, OPEN);
            settle(
                    gate,
                    lease(
                            gate,
                            inSession("s").toBuilder()
                                    .sessionTtl(Duration.ofMinutes(2))
                                    .build()),
                    Kind.SUCCESS);
            time.advance(Duration.ofSeconds(119));
            assertThat(now(gate.sessions("default"))).isEqualTo(1);
            time.advance(Duration.ofSeconds(2));
            assertThat(now(gate.sessions("default"))).isZero();
        }

        @Test
        void aSessionOfASickAddressIsPausedThenEndedThenBeginsAnew() {
            EmbeddedGatekeeper gate = gate(pool(), 10, OPEN);
            Lease first = lease(gate, inSession("s"));
            String sick = first.address().id();
            settle(gate, first, Kind.SUCCESS);
            fail(gate, sick, 5);

            Refused paused = refused(gate, inSession("s"));
            assertThat(paused.reason()).isEqualTo(Reason.SESSION_PAUSED);
            assertThat(paused.waitMicros()).isBetween(40_000_000L, 75_000_000L);
            time.advance(Duration.ofMinutes(3));
            assertThat(refused(gate, inSession("s")).reason()).isEqualTo(Reason.SESSION_ENDED);
            assertThat(now(gate.endSession("", "default", "s"))).isTrue();
            assertThat(lease(gate, inSession("s")).address().id()).isNotEqualTo(sick);
        }

        @Test
        void aFirstRequestThatReachedNobodyMayTryAnotherAddress() {
            EmbeddedGatekeeper gate = gate(pool(), 10, OPEN);
            Lease first = lease(gate, inSession("s"));
            settle(gate, first, Kind.CONNECT_ERROR);
            Request retry = inSession("s").toBuilder()
                    .exclude(Set.of(first.address().id()))
                    .build();
            String second = lease(gate, retry).address().id();
            assertThat(second).isNotEqualTo(first.address().id());
        }
    }

    private void fail(EmbeddedGatekeeper gate, String id, int times) {
        Set<String> others = new HashSet<>();
        gate.pools()
                .get(0)
                .addresses()
                .forEach(address -> others.add(address.address().id()));
        others.remove(id);
        for (int i = 0; i < times; i++) {
            Decision decision =
                    now(gate.acquire(Request.builder(SITE).exclude(others).build()));
            if (decision instanceof Granted granted) {
                settle(gate, granted.lease(), Kind.CONNECT_ERROR);
            }
            time.advance(Duration.ofMillis(400));
        }
    }

    @Nested
    class Health {
        private void serveFor(EmbeddedGatekeeper gate, Duration length, Set<String> broken) {
            long until = time.micros() + length.toNanos() / 1_000;
            while (time.micros() < until) {
                Lease lease = lease(gate, Request.to(SITE));
                settle(gate, lease, broken.contains(lease.address().id()) ? Kind.CONNECT_ERROR : Kind.SUCCESS);
                time.advance(Duration.ofMillis(100));
            }
        }

        @Test
        void aDeadAddressLeavesComesBackHalfOpenAndRisesThroughSlowStart() {
            EmbeddedGatekeeper gate = gate(pool(), 5, OPEN);
            serveFor(gate, Duration.ofSeconds(30), Set.of("a2"));
            assertThat(log).containsExactly("a2 degraded->quarantined failures");
            for (int i = 0; i < 90 && log.size() < 3; i++) {
                serveFor(gate, Duration.ofSeconds(1), Set.of());
            }
            assertThat(log)
                    .containsExactly(
                            "a2 degraded->quarantined failures",
                            "a2 quarantined->probing wait_over",
                            "a2 probing->probing recovered");
            assertThat(status(gate, "a2").weight()).isLessThan(0.2);
            serveFor(gate, Duration.ofSeconds(65), Set.of());
            assertThat(status(gate, "a2").standing().state()).isEqualTo(State.HEALTHY);
        }

        @Test
        void aRelapseWaitsTwiceAsLong() {
            EmbeddedGatekeeper gate = gate(pool(), 5, OPEN);
            serveFor(gate, Duration.ofSeconds(100), Set.of("a2"));
            assertThat(log)
                    .containsExactly(
                            "a2 degraded->quarantined failures",
                            "a2 quarantined->probing wait_over",
                            "a2 probing->quarantined relapse");
            assertThat(status(gate, "a2").standing().waitMicros()).isBetween(96_000_000L, 144_000_000L);
        }

        @Test
        void aBlockedCellLeavesAndTheAddressServesOtherSites() {
            EmbeddedGatekeeper gate = gate(pool(Strategy.ROUND_ROBIN), 5, OPEN);
            for (int i = 0; i < 40; i++) {
                Lease lease = lease(gate, Request.to(SITE));
                settle(gate, lease, lease.address().id().equals("a1") ? Kind.BLOCKED : Kind.SUCCESS);
                time.advance(Duration.ofMillis(400));
            }
            assertThat(log).containsExactly("a1@example.com degraded->quarantined failures");
            Set<String> elsewhere = new HashSet<>();
            for (int i = 0; i < 10; i++) {
                elsewhere.add(
                        lease(gate, Request.to("https://other.test/")).address().id());
            }
            assertThat(elsewhere).contains("a1");
        }

        @Test
        void neverMoreThanTheShareLeavesAndTheRestGoesOn() {
            EmbeddedGatekeeper gate = gate(pool(), 10, OPEN);
            serveFor(gate, Duration.ofSeconds(40), Set.of("a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9"));
            long out = gate.pools().get(0).addresses().stream()
                    .filter(address -> address.standing().state() == State.QUARANTINED)
                    .count();
            assertThat(out).isEqualTo(3);
            assertThat(gate.pools().get(0).addresses())
                    .filteredOn(address -> address.standing().state() == State.DEGRADED)
                    .isNotEmpty();
        }

        @Test
        void withoutCapAndFloorThePoolEmptiesAndThenSaysSo() {
            PoolSettings d = pool();
            QuarantineSettings q = d.quarantine();
            PoolSettings settings = new PoolSettings(
                    "default",
                    d.strategy(),
                    Map.of(),
                    10,
                    10,
                    d.leaseTtl(),
                    d.session(),
                    HealthSettings.defaults(),
                    new QuarantineSettings(q.base(), q.cellBase(), q.cap(), q.cellCap(), q.jitter(), 1, 0));
            EmbeddedGatekeeper gate = gate(settings, 3, OPEN);
            Refused refused = null;
            for (int i = 0; i < 100 && refused == null; i++) {
                Decision decision = now(gate.acquire(Request.to(SITE)));
                if (decision instanceof Granted granted) {
                    settle(gate, granted.lease(), Kind.TIMEOUT);
                } else {
                    refused = (Refused) decision;
                }
                time.advance(Duration.ofMillis(400));
            }
            assertThat(refused).extracting(Refused::reason).isEqualTo(Reason.NO_ADDRESS);
        }

        @Test
        void anAddressWhoseCredentialsAreRefusedIsDeadAtOnce() {
            EmbeddedGatekeeper gate = gate(pool(), 5, OPEN);
            Lease lease = lease(gate, Request.to(SITE));
            now(gate.settle(Objects.requireNonNull(lease.id()), Outcome.credentialsRefused()));
            AddressStatus status = status(gate, lease.address().id());
            assertThat(status.standing().state()).isEqualTo(State.DEAD);
            assertThat(log).containsExactly(lease.address().id() + " healthy->dead credentials");
        }

        @Test
        void whatSpeaksAboutNobodyTeachesNothing() {
            EmbeddedGatekeeper gate = gate(pool(), 5, OPEN);
            settle(gate, lease(gate, Request.to(SITE)), Kind.RATE_LIMITED); // pauses the site: see PauseTest
            time.advance(Duration.ofSeconds(10));
            for (Kind kind : List.of(Kind.TARGET_ERROR, Kind.NEUTRAL, Kind.CANCELED)) {
                for (int i = 0; i < 60; i++) {
                    settle(gate, lease(gate, Request.to(SITE)), kind);
                    time.advance(Duration.ofMillis(400));
                }
            }
            assertThat(log).isEmpty();
        }

        @Test
        void reportsOfClientsCount() {
            EmbeddedGatekeeper gate = gate(pool(), 5, OPEN);
            for (int i = 0; i < 5; i++) {
                assertThat(now(gate.report("a3", null, false))).isTrue();
                time.advance(Duration.ofMillis(400));
            }
            assertThat(now(gate.report("nobody", null, false))).isFalse();
            assertThat(log).containsExactly("a3 degraded->quarantined failures");
        }
    }

    @Nested
    class Reload {
        @Test
        void addressesComeAndGoAndWhatStaysKeepsItsState() {
            EmbeddedGatekeeper gate = gate(pool(), 5, OPEN);
            fail(gate, "a2", 5);
            String bound = lease(gate, inSession("s")).address().id();
            List<Address> more = new ArrayList<>(addresses(6));
            more.removeIf(address -> address.id().equals("a4") && !bound.equals("a4"));
            now(gate.configure(new GateConfig(
                    List.of(new PoolConfig(pool(), more)), TargetBook.empty(), RuleBook.of(List.of(OPEN)))));

            assertThat(status(gate, "a2").standing().state()).isEqualTo(State.QUARANTINED);
            assertThat(status(gate, "a5").standing().state()).isEqualTo(State.HEALTHY);
            assertThat(lease(gate, inSession("s")).address().id()).isEqualTo(bound);
        }

        private Rule perSecond(int limit) {
            return Rule.builder(HostPattern.parse("*"))
                    .name("all")
                    .limit(limit)
                    .window(Duration.ofSeconds(1))
                    .onLimit(OnLimit.WAIT)
                    .maxWait(Duration.ofMinutes(1))
                    .build();
        }

        private Rule atOnce(int concurrency) {
            return Rule.builder(HostPattern.parse("*"))
                    .name("at-once")
                    .concurrency(concurrency)
                    .onLimit(OnLimit.WAIT)
                    .maxWait(Duration.ofMinutes(1))
                    .build();
        }

        private void reload(EmbeddedGatekeeper gate, Rule... rules) {
            now(gate.configure(new GateConfig(
                    List.of(new PoolConfig(pool(), addresses(5))), TargetBook.empty(), RuleBook.of(List.of(rules)))));
        }

        private List<CompletableFuture<Decision>> ask(EmbeddedGatekeeper gate, int times) {
            List<CompletableFuture<Decision>> asked = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                asked.add(gate.acquire(Request.to(SITE)).toCompletableFuture());
            }
            return asked;
        }

        private long granted(List<CompletableFuture<Decision>> asked) {
            return asked.stream()
                    .filter(decision -> decision.getNow(null) instanceof Granted)
                    .count();
        }

        @Test
        void whoWaitsGoesByTheNewLimitAndOldAndNewDoNotTakeTurnsAtOneBucket() {
            EmbeddedGatekeeper gate = gate(pool(), 5, perSecond(2));
            List<CompletableFuture<Decision>> before = ask(gate, 8);
            assertThat(granted(before)).isEqualTo(2);
            reload(gate, perSecond(10));
            List<CompletableFuture<Decision>> after = ask(gate, 8);
            assertThat(granted(after)).as("two of the ten are used").isEqualTo(8);
            time.advance(Duration.ofSeconds(3));
            assertThat(granted(before)).as("nobody starves").isEqualTo(8);
            assertThat(granted(ask(gate, 10))).isEqualTo(10);
        }

        @Test
        void aLowerLimitHoldsFromTheNextDecisionForThoseWhoWaitToo() {
            EmbeddedGatekeeper gate = gate(pool(), 5, perSecond(10));
            List<CompletableFuture<Decision>> before = ask(gate, 30);
            assertThat(granted(before)).isEqualTo(10);
            reload(gate, perSecond(1));
            List<Long> starts = new ArrayList<>();
            for (int i = 0; i < 40 && granted(before) < 30; i++) {
                time.advance(Duration.ofSeconds(1));
                starts.add(granted(before));
            }
            for (int i = 2; i < starts.size(); i++) {
                assertThat(starts.get(i) - starts.get(i - 1)).as("second %d", i).isLessThanOrEqualTo(1);
            }
        }

        @Test
        void aRaisedMaximumLetsThoseInLineGoAtOnce() {
            EmbeddedGatekeeper gate = gate(pool(), 5, OPEN, atOnce(1));
            List<CompletableFuture<Decision>> asked = ask(gate, 5);
            assertThat(granted(asked)).isEqualTo(1);
            reload(gate, OPEN, atOnce(4));
            assertThat(granted(asked)).isEqualTo(4);
            reload(gate, OPEN);
            assertThat(granted(asked)).as("no rule, no line").isEqualTo(5);
        }

        @Test
        void whoWaitsForAPoolThatIsTakenAwayIsToldSo() {
            EmbeddedGatekeeper gate = gate(exclusive(), 1, OPEN);
            lease(gate, Request.to(SITE));
            Request patient = Request.builder(SITE)
                    .pool("default")
                    .maxWait(Duration.ofMinutes(1))
                    .build();
            CompletableFuture<Decision> waiting = gate.acquire(patient).toCompletableFuture();
            assertThat(waiting).isNotDone();
            now(gate.configure(new GateConfig(
                    List.of(new PoolConfig(PoolSettings.defaults("other"), addresses(2))),
                    TargetBook.empty(),
                    RuleBook.of(List.of(OPEN)))));
            assertThat(now(waiting))
                    .isInstanceOfSatisfying(
                            Refused.class,
                            refused -> assertThat(refused.message()).contains("pool default was removed"));
        }

        @Test
        void aLeaseOfAnAddressThatIsTakenAwayEndsByItselfAndNothingNewBeginsThere() {
            EmbeddedGatekeeper gate = gate(pool(), 2, OPEN);
            Lease one = lease(gate, Request.to(SITE));
            List<Address> other = new ArrayList<>(addresses(2));
            other.removeIf(address -> address.id().equals(one.address().id()));
            now(gate.configure(new GateConfig(
                    List.of(new PoolConfig(pool(), other)), TargetBook.empty(), RuleBook.of(List.of(OPEN)))));
            for (int i = 0; i < 10; i++) {
                assertThat(lease(gate, Request.to(SITE)).address().id())
                        .isNotEqualTo(one.address().id());
            }
            assertThat(settle(gate, one, Kind.SUCCESS)).isEqualTo(SettleResult.RELEASED);
        }
    }
}
