package io.paceline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.paceline.Decision.Granted;
import io.paceline.Decision.Refused;
import io.paceline.Order.Result;
import io.paceline.Order.Verb;
import io.paceline.Outcome.Kind;
import io.paceline.health.QuarantineSettings;
import io.paceline.health.State;
import io.paceline.pace.BadTargetException;
import io.paceline.pace.HostPattern;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pool.AddressStatus;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import io.paceline.store.MemoryStore;
import io.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** States set by people, the dead, panic and the limit of ejections, as timelines through the public door. */
class PeopleTest {
    private static final String SITE = "https://www.example.com/p/1";
    private static final String OTHER_SITE = "https://other.test/";
    private static final Rule OPEN = Rule.builder(HostPattern.parse("*"))
            .name("open")
            .limit(1_000_000)
            .window(Duration.ofSeconds(1))
            .build();

    private final VirtualTime time = new VirtualTime();
    private final MemoryStore store = new MemoryStore(time);
    private final List<String> log = new ArrayList<>();
    private final List<Transition> transitions = new ArrayList<>();
    /** By address: when it became half-open. */
    private final Map<String, Long> halfOpenAt = new HashMap<>();

    // ---- how the tests speak

    private EmbeddedGatekeeper gate(int addresses, QuarantineSettings quarantine) {
        PoolSettings d = PoolSettings.defaults("default");
        PoolSettings settings = new PoolSettings(
                d.name(),
                d.strategy(),
                d.tasks(),
                d.maxLeases(),
                d.maxLeasesPerTarget(),
                d.leaseTtl(),
                d.session(),
                d.health(),
                quarantine);
        return gate(config(settings, addresses));
    }

    private EmbeddedGatekeeper gate(int addresses) {
        return gate(addresses, QuarantineSettings.defaults());
    }

    private static GateConfig config(PoolSettings settings, int addresses) {
        List<Address> list = IntStream.range(0, addresses)
                .mapToObj(i -> new Address(
                        "a" + i,
                        new Endpoint(Endpoint.Scheme.HTTP, "198.51.100." + (i + 1), 8080, null),
                        Map.of(),
                        1,
                        false))
                .toList();
        return new GateConfig(List.of(new PoolConfig(settings, list)), TargetBook.empty(), RuleBook.of(List.of(OPEN)));
    }

    private EmbeddedGatekeeper gate(GateConfig config) {
        GateListener listener = new GateListener() {
            @Override
            public void transition(Transition transition) {
                transitions.add(transition);
                log.add(transition.addressId()
                        + (transition.target() == null ? "" : "@" + transition.target())
                        + " " + transition.to().word()
                        + " " + transition.cause());
                if (transition.to().halfOpen()) {
                    halfOpenAt.putIfAbsent(transition.addressId(), time.micros());
                }
            }
        };
        return EmbeddedGatekeeper.builder(store, time, time, new SharedRandom(42))
                .listener(listener)
                .start(config)
                .toCompletableFuture()
                .join();
    }

    private static QuarantineSettings limits(double maxShare, int minInService, boolean panic) {
        QuarantineSettings d = QuarantineSettings.defaults();
        return new QuarantineSettings(
                d.base(), d.cellBase(), d.cap(), d.cellCap(), d.jitter(), maxShare, minInService, d.deadAfter(), panic);
    }

    private static <T> T now(CompletionStage<T> stage) {
        assertThat(stage.toCompletableFuture()).as("answered at once").isDone();
        return stage.toCompletableFuture().join();
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

    private static void settle(EmbeddedGatekeeper gate, Lease lease, Outcome outcome) {
        now(gate.settle(Objects.requireNonNull(lease.id()), outcome));
    }

    private static void succeed(EmbeddedGatekeeper gate, Lease lease) {
        settle(gate, lease, Outcome.of(Kind.SUCCESS, 100_000));
    }

    private static Request inSession(String session) {
        return Request.builder(SITE).session(session).build();
    }

    private static List<AddressStatus> addresses(EmbeddedGatekeeper gate) {
        return gate.pools().get(0).addresses();
    }

    private static AddressStatus status(EmbeddedGatekeeper gate, String id) {
        return addresses(gate).stream()
                .filter(address -> address.address().id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static Set<String> ids(EmbeddedGatekeeper gate, State state) {
        Set<String> ids = new TreeSet<>();
        addresses(gate).forEach(address -> {
            if (address.standing().state() == state) {
                ids.add(address.address().id());
            }
        });
        return ids;
    }

    /** A request that only one address may serve; null where it cannot. */
    private static @Nullable Lease only(EmbeddedGatekeeper gate, String id) {
        Set<String> others = new LinkedHashSet<>();
        addresses(gate).forEach(address -> others.add(address.address().id()));
        others.remove(id);
        Decision decision =
                now(gate.acquire(Request.builder(SITE).exclude(others).build()));
        return decision instanceof Granted granted ? granted.lease() : null;
    }

    /** All that are named fail at everything for a while, while the others go on serving. */
    private void failFor(EmbeddedGatekeeper gate, int rounds, Set<String> sick) {
        for (int i = 0; i < rounds; i++) {
            for (AddressStatus address : addresses(gate)) {
                String id = address.address().id();
                Lease lease = address.standing().inService() ? only(gate, id) : null;
                if (lease != null) {
                    settle(gate, lease, Outcome.of(sick.contains(id) ? Kind.CONNECT_ERROR : Kind.SUCCESS, 100_000));
                }
            }
            time.advance(Duration.ofMillis(400));
        }
    }

    /** Whoever is asked answers well, ten times a second. */
    private void serveFor(EmbeddedGatekeeper gate, Duration length) {
        for (long until = time.micros() + length.toNanos() / 1_000; time.micros() < until; ) {
            succeed(gate, lease(gate, Request.to(SITE)));
            time.advance(Duration.ofMillis(100));
        }
    }

    private void kill(EmbeddedGatekeeper gate, String id) {
        settle(gate, Objects.requireNonNull(only(gate, id)), Outcome.credentialsRefused());
    }

    // ---- orders

    @Nested
    class Orders {
        @Test
        void everyOrderMayBeRepeatedAndSaysWhetherItChangedAnything() {
            EmbeddedGatekeeper gate = gate(3);
            assertThat(now(gate.freeze("a1"))).isEqualTo(Result.DONE);
            assertThat(now(gate.freeze("a1"))).isEqualTo(Result.ALREADY);
            assertThat(now(gate.thaw("a1"))).isEqualTo(Result.DONE);
            assertThat(now(gate.thaw("a1"))).isEqualTo(Result.ALREADY);
            assertThat(now(gate.drain("a1"))).isEqualTo(Result.DONE);
            assertThat(now(gate.drain("a1"))).isEqualTo(Result.ALREADY);
            assertThat(now(gate.undrain("a1"))).isEqualTo(Result.DONE);
            assertThat(now(gate.ban("a1", null, null, "abuse mail"))).isEqualTo(Result.DONE);
            assertThat(now(gate.ban("a1", null, null, "abuse mail"))).isEqualTo(Result.ALREADY);
            assertThat(now(gate.ban("a1", null, Duration.ofMinutes(1), "")))
                    .as("replaced")
                    .isEqualTo(Result.DONE);
            assertThat(now(gate.unban("a1", null))).isEqualTo(Result.DONE);
            assertThat(now(gate.unban("a1", null))).isEqualTo(Result.ALREADY);
            assertThat(now(gate.freeze("nobody"))).isEqualTo(Result.UNKNOWN_ADDRESS);
            assertThat(log)
                    .containsExactly(
                            "a1 frozen freeze",
                            "a1 healthy thaw",
                            "a1 draining drain",
                            "a1 healthy undrain",
                            "a1 banned ban",
                            "a1 banned ban",
                            "a1 healthy unban");
            assertThat(transitions.get(4).reason()).isEqualTo("ban ordered: abuse mail");
        }

        @Test
        void ordersThatMeanNothingAreTold() {
            assertThatThrownBy(() -> new Order(Verb.FREEZE, "a1", "example.com", null, ""))
                    .hasMessageContaining("freeze is about the whole address");
            assertThatThrownBy(() -> new Order(Verb.DRAIN, "a1", null, Duration.ofMinutes(1), ""))
                    .hasMessageContaining("only a ban ends by itself");
            assertThatThrownBy(() -> new Order(Verb.BAN, "a1", null, Duration.ZERO, ""))
                    .hasMessageContaining("is not above 0");
            assertThatThrownBy(() -> gate(1).ban("a0", "http://[", null, "")).isInstanceOf(BadTargetException.class);
        }

        @Test
        void whoIsFrozenServesNobodyUntilThawedAndItsSessionsWait() {
            EmbeddedGatekeeper gate = gate(5);
            Lease first = lease(gate, inSession("s"));
            String id = first.address().id();
            succeed(gate, first);
            now(gate.freeze(id));

            assertThat(only(gate, id)).isNull();
            Refused paused = refused(gate, inSession("s"));
            assertThat(paused.reason()).isEqualTo(Reason.SESSION_PAUSED);
            assertThat(paused.waitMicros()).as("nobody knows").isNegative();
            time.advance(Duration.ofMinutes(10));
            assertThat(refused(gate, inSession("s")).reason()).isEqualTo(Reason.SESSION_PAUSED);
            now(gate.thaw(id));
            assertThat(lease(gate, inSession("s")).address().id()).isEqualTo(id);
        }

        @Test
        void aTimedBanEndsByItselfAndItsSessionsHaveEnded() {
            EmbeddedGatekeeper gate = gate(5);
            Lease first = lease(gate, inSession("s"));
            String id = first.address().id();
            succeed(gate, first);
            now(gate.ban(id, null, Duration.ofMinutes(10), "abuse mail"));

            assertThat(refused(gate, inSession("s")).reason()).isEqualTo(Reason.SESSION_ENDED);
            time.advance(Duration.ofSeconds(599));
            assertThat(only(gate, id)).isNull();
            time.advance(Duration.ofSeconds(2));
            assertThat(only(gate, id)).isNotNull();
            assertThat(log).containsExactly(id + " banned ban", id + " healthy ban_over");
            assertThat(refused(gate, inSession("s")).reason())
                    .as("until it is ended")
                    .isEqualTo(Reason.SESSION_ENDED);
        }

        @Test
        void whoDrainsTakesNothingNewAndServesItsSessionsOn() {
            EmbeddedGatekeeper gate = gate(5);
            Lease running = lease(gate, inSession("s"));
            String id = running.address().id();
            now(gate.drain(id));

            assertThat(only(gate, id)).isNull();
            succeed(gate, running);
            for (int i = 0; i < 20; i++) {
                assertThat(lease(gate, inSession("new" + i)).address().id()).isNotEqualTo(id);
                assertThat(lease(gate, inSession("s")).address().id()).isEqualTo(id);
                time.advance(Duration.ofMinutes(2));
            }
        }

        @Test
        void aBanOnOneTargetLeavesTheAddressToAllOthers() {
            EmbeddedGatekeeper gate = gate(3);
            now(gate.ban("a1", "https://shop.example.com/x", null, ""));
            assertThat(log).containsExactly("a1@example.com banned ban");
            Set<String> there = new TreeSet<>();
            Set<String> elsewhere = new TreeSet<>();
            for (int i = 0; i < 60; i++) {
                Lease here = lease(gate, Request.to(SITE));
                there.add(here.address().id());
                Lease other = lease(gate, Request.to(OTHER_SITE));
                elsewhere.add(other.address().id());
                succeed(gate, here);
                succeed(gate, other);
            }
            assertThat(there).containsExactly("a0", "a2");
            assertThat(elsewhere).containsExactly("a0", "a1", "a2");
            assertThat(now(gate.unban("a1", null)))
                    .as("the address itself is not banned")
                    .isEqualTo(Result.ALREADY);
            assertThat(now(gate.unban("a1", "www.example.com"))).isEqualTo(Result.DONE);
            assertThat(only(gate, "a1")).isNotNull();
        }

        @Test
        void theEndOfABanLeavesAloneWhatElseWasSetAndWhatJudgementFound() {
            EmbeddedGatekeeper gate = gate(4);
            kill(gate, "a1");
            now(gate.freeze("a1"));
            now(gate.ban("a1", null, Duration.ofMinutes(1), ""));
            time.advance(Duration.ofSeconds(62));
            assertThat(status(gate, "a1").standing().word()).isEqualTo("frozen");
            assertThat(status(gate, "a1").standing().state()).isEqualTo(State.DEAD);
            now(gate.thaw("a1"));
            assertThat(status(gate, "a1").standing().word()).isEqualTo("dead");
            assertThat(only(gate, "a1")).isNull();
        }

        @Test
        void whatOneInstanceIsToldHoldsAtAllOfThem() {
            EmbeddedGatekeeper here = gate(3);
            EmbeddedGatekeeper there = gate(3);
            now(here.ban("a1", null, null, ""));
            assertThat(only(there, "a1")).as("the store knows at once").isNull();
            assertThat(now(there.ban("a1", null, null, ""))).isEqualTo(Result.ALREADY);
            now(here.unban("a1", null));
            assertThat(now(there.freeze("a1"))).isEqualTo(Result.DONE);
            time.advance(Duration.ofSeconds(2));
            assertThat(status(here, "a1").standing().word()).isEqualTo("frozen");
        }

        @Test
        void aPoolThatPeopleHaveEmptiedSaysWhenTheFirstComesBack() {
            EmbeddedGatekeeper gate = gate(2);
            now(gate.ban("a0", null, Duration.ofMinutes(10), ""));
            now(gate.ban("a1", null, Duration.ofMinutes(5), ""));
            Refused refused = refused(gate, Request.to(SITE));
            assertThat(refused.reason()).isEqualTo(Reason.NO_ADDRESS);
            assertThat(refused.waitMicros()).isEqualTo(300_000_000);
        }
    }

    // ---- the limit of ejections

    @Nested
    class EjectionLimit {
        @Test
        void oneOfThreeMayGoAtFiftyPercentAndNotTwo() {
            // Case Q-S04.
            EmbeddedGatekeeper gate = gate(3, limits(0.5, 0, false));
            failFor(gate, 40, Set.of("a0", "a1"));
            assertThat(ids(gate, State.QUARANTINED)).hasSize(1);
        }

        @Test
        void ofTwoNobodyGoesAtTenPercentAndTheSickOneLosesWeight() {
            // Case Q-S05 (policy): one may always go from three on; nobody is ever replaced by a direct connection.
            EmbeddedGatekeeper gate = gate(2, limits(0.1, 0, false));
            failFor(gate, 40, Set.of("a1"));
            assertThat(ids(gate, State.QUARANTINED)).isEmpty();
            assertThat(status(gate, "a1").standing().state()).isEqualTo(State.DEGRADED);
            assertThat(lease(gate, Request.to(SITE)).address().endpoint().isDirect())
                    .isFalse();
        }

        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void withSixOfTenInQuarantineOnlyTheFourAreUsed(boolean panic) {
            // Case Q-S06; panic changes nothing while somebody serves.
            EmbeddedGatekeeper gate = gate(10, limits(0.6, 0, panic));
            Set<String> sick = new TreeSet<>(List.of("a0", "a1", "a2", "a3", "a4", "a5"));
            for (int i = 0; i < 5; i++) {
                sick.forEach(id -> now(gate.report(id, null, false)));
                time.advance(Duration.ofMillis(400));
            }
            assertThat(ids(gate, State.QUARANTINED)).isEqualTo(sick);
            Set<String> used = new TreeSet<>();
            for (int i = 0; i < 100; i++) {
                Lease lease = lease(gate, Request.to(SITE));
                assertThat(lease.panic()).isFalse();
                used.add(lease.address().id());
                succeed(gate, lease);
            }
            assertThat(used).containsExactly("a6", "a7", "a8", "a9");
        }

        @Test
        void whoIsHeldCountsForNothing() {
            EmbeddedGatekeeper gate = gate(10);
            for (int i = 5; i < 10; i++) {
                now(gate.freeze("a" + i));
            }
            failFor(gate, 40, Set.of("a0", "a1", "a2"));
            assertThat(ids(gate, State.QUARANTINED)).as("30 % of five").hasSize(1);
        }
    }

    // ---- time out

    @Nested
    class BanTime {
        @Test
        void afterAGoodDayABanIsNearTheBaseWhateverHappenedBefore() {
            // Case Q-S07. Twenty in an hour is more than doubling waits allow: here they are capped at two minutes.
            QuarantineSettings d = QuarantineSettings.defaults();
            EmbeddedGatekeeper gate = gate(
                    4,
                    new QuarantineSettings(
                            Duration.ofSeconds(30),
                            d.cellBase(),
                            Duration.ofMinutes(2),
                            d.cellCap(),
                            0.2,
                            0.3,
                            2,
                            1_000,
                            false));
            int bans = 0;
            long longest = 0;
            for (int i = 0; i < 100 && bans < 20; i++) {
                failFor(gate, 30, Set.of("a1"));
                while (!status(gate, "a1").standing().inService()) {
                    longest = Math.max(longest, status(gate, "a1").standing().waitMicros());
                    serveFor(gate, Duration.ofSeconds(1));
                }
                bans = (int) transitions.stream()
                        .filter(transition -> transition.to().state() == State.QUARANTINED)
                        .count();
            }
            assertThat(bans).isGreaterThanOrEqualTo(20);
            assertThat(longest).as("a cap, before jitter").isLessThanOrEqualTo(144_000_000);
            for (int minute = 0; minute < 24 * 60; minute++) {
                for (int i = 0; i < 4; i++) {
                    succeed(gate, Objects.requireNonNull(only(gate, "a" + i)));
                }
                time.advance(Duration.ofMinutes(1));
            }
            assertThat(status(gate, "a1").standing().relapses()).isZero();
            failFor(gate, 60, Set.of("a1"));
            assertThat(status(gate, "a1").standing().state()).isEqualTo(State.QUARANTINED);
            assertThat(status(gate, "a1").standing().waitMicros()).isBetween(24_000_000L, 36_000_000L);
        }

        @Test
        void fiftyThatFellInOneMinuteDoNotReturnInOneSecondAndAreTestedOneByOne() {
            // Case Q-S08.
            EmbeddedGatekeeper gate = gate(50, limits(1, 0, false));
            Set<String> all = new TreeSet<>();
            addresses(gate).forEach(address -> all.add(address.address().id()));
            failFor(gate, 60, all);
            assertThat(ids(gate, State.QUARANTINED)).hasSize(50);
            time.advance(Duration.ofMinutes(2));
            assertThat(halfOpenAt).hasSize(50);
            assertThat(halfOpenAt.values().stream()
                            .map(at -> at / 1_000_000)
                            .distinct()
                            .count())
                    .as("seconds")
                    .isGreaterThan(10);
            Map<String, Integer> leases = new HashMap<>();
            for (int i = 0; i < 400; i++) {
                Decision decision = now(gate.acquire(Request.to(SITE)));
                if (decision instanceof Granted granted) {
                    assertThat(granted.lease().probe()).isTrue();
                    leases.merge(granted.lease().address().id(), 1, Integer::sum);
                }
            }
            assertThat(leases).hasSize(50);
            assertThat(leases.values()).as("one probe each").containsOnly(1);
        }
    }

    // ---- the dead

    @Nested
    class Dead {
        private EmbeddedGatekeeper mortal(int addresses) {
            QuarantineSettings d = QuarantineSettings.defaults();
            return gate(
                    addresses,
                    new QuarantineSettings(d.base(), d.cellBase(), d.cap(), d.cellCap(), d.jitter(), 0.3, 2, 2, false));
        }

        @Test
        void afterItsRelapsesItIsDeadIsTestedTheNextDayAndComesBack() {
            EmbeddedGatekeeper gate = mortal(5);
            failFor(gate, 30, Set.of("a1"));
            for (int i = 0; i < 40_000 && status(gate, "a1").standing().state() != State.DEAD; i++) {
                Lease lease = lease(gate, Request.to(SITE));
                boolean sick = lease.address().id().equals("a1");
                settle(gate, lease, Outcome.of(sick ? Kind.CONNECT_ERROR : Kind.SUCCESS, 100_000));
                time.advance(Duration.ofMillis(100));
            }
            assertThat(log)
                    .filteredOn(line -> line.startsWith("a1 quarantined") || line.startsWith("a1 dead"))
                    .containsExactly("a1 quarantined failures", "a1 quarantined relapse", "a1 dead dead");
            time.advance(Duration.ofHours(19));
            assertThat(halfOpen(gate)).isFalse();
            time.advance(Duration.ofHours(10));
            assertThat(halfOpen(gate)).as("never forgotten").isTrue();
            assertThat(status(gate, "a1").standing().word()).isEqualTo("dead");
            serveFor(gate, Duration.ofMinutes(2));
            assertThat(status(gate, "a1").standing().state()).isEqualTo(State.HEALTHY);
        }

        private boolean halfOpen(EmbeddedGatekeeper gate) {
            return status(gate, "a1").standing().halfOpen();
        }

        @Test
        void whoseCredentialsAreRefusedIsDeadAndMakesNoRoomAndNoCrowd() {
            EmbeddedGatekeeper gate = gate(10);
            for (int i = 0; i < 5; i++) {
                kill(gate, "a" + i);
            }
            assertThat(ids(gate, State.DEAD))
                    .as("the dead do not use up the cap")
                    .hasSize(5);
            failFor(gate, 40, Set.of("a5", "a6"));
            assertThat(ids(gate, State.QUARANTINED))
                    .as("and are no members of what it is a share of")
                    .hasSize(1);
        }

        @Test
        void theLastTwoDoNotDie() {
            EmbeddedGatekeeper gate = gate(4);
            for (int i = 0; i < 4; i++) {
                kill(gate, "a" + i);
            }
            assertThat(ids(gate, State.DEAD)).containsExactly("a0", "a1");
            assertThat(ids(gate, State.DEGRADED)).containsExactly("a2", "a3");
        }

        @Test
        void wherePeopleLeaveTooFewTheDeadServeAgain() {
            EmbeddedGatekeeper gate = gate(5);
            kill(gate, "a0");
            kill(gate, "a1");
            now(gate.freeze("a2"));
            assertThat(ids(gate, State.DEAD)).as("two serve").containsExactly("a0", "a1");
            now(gate.freeze("a3"));
            assertThat(log).contains("a0 degraded floor");
            assertThat(ids(gate, State.DEAD)).as("no more than are needed").containsExactly("a1");
            assertThat(only(gate, "a0")).isNotNull();
            kill(gate, "a0");
            assertThat(status(gate, "a0").standing().state())
                    .as("as long as it is needed")
                    .isEqualTo(State.DEGRADED);
        }

        @Test
        void whereAShorterListLeavesTooFewTheDeadServeAgain() {
            EmbeddedGatekeeper gate = gate(5);
            kill(gate, "a0");
            now(gate.configure(config(PoolSettings.defaults("default"), 2)));
            time.advance(Duration.ofSeconds(2));
            assertThat(status(gate, "a0").standing().state()).isEqualTo(State.DEGRADED);
        }
    }

    // ---- panic

    @Nested
    class Panic {
        @Test
        void withNobodyInServiceWhoIsInQuarantineServesAndTheLeaseSaysSo() {
            EmbeddedGatekeeper gate = gate(5, limits(1, 0, true));
            kill(gate, "a3");
            failFor(gate, 60, Set.of("a0", "a1", "a2", "a4"));
            now(gate.ban("a4", null, null, ""));
            assertThat(ids(gate, State.QUARANTINED)).containsExactly("a0", "a1", "a2", "a4");
            Set<String> used = new TreeSet<>();
            for (int i = 0; i < 30; i++) {
                Lease lease = lease(gate, Request.to(SITE));
                assertThat(lease.panic()).isTrue();
                assertThat(lease.probe()).isFalse();
                used.add(lease.address().id());
            }
            assertThat(used).as("never the dead and the banned").containsExactly("a0", "a1", "a2");
            assertThat(refused(gate, Request.to(SITE)).reason()).as("caps hold").isEqualTo(Reason.NO_ADDRESS);
            assertThat(refused(gate, inSession("s")).reason())
                    .as("no session begins so")
                    .isEqualTo(Reason.NO_ADDRESS);
        }

        @Test
        void isOffUnlessConfigured() {
            EmbeddedGatekeeper gate = gate(3, limits(1, 0, false));
            failFor(gate, 60, Set.of("a0", "a1", "a2"));
            assertThat(refused(gate, Request.to(SITE)).reason()).isEqualTo(Reason.NO_ADDRESS);
        }

        @Test
        void isOverAsSoonAsOneServes() {
            EmbeddedGatekeeper gate = gate(3, limits(1, 0, true));
            now(gate.freeze("a2"));
            failFor(gate, 60, Set.of("a0", "a1"));
            assertThat(lease(gate, Request.to(SITE)).panic()).isTrue();
            now(gate.thaw("a2"));
            Lease lease = lease(gate, Request.to(SITE));
            assertThat(lease.panic()).isFalse();
            assertThat(lease.address().id()).isEqualTo("a2");
        }
    }
}
