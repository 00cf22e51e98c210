package io.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.paceline.LeaseId;
import io.paceline.SettleResult;
import io.paceline.health.Budget;
import io.paceline.health.Hold;
import io.paceline.health.Sign;
import io.paceline.health.Standing;
import io.paceline.health.State;
import io.paceline.health.SubjectRow;
import io.paceline.health.TallyRow;
import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.PaceRow;
import io.paceline.pace.Per;
import io.paceline.pace.Scope;
import io.paceline.store.Admission.Purpose;
import io.paceline.store.Settlement.Evidence;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every {@link StateStore} promises. A store's own test extends this class and says how to make one and how its time
 * passes; everything else goes through the port.
 */
public abstract class StateStoreContract {
    protected static final int CHAIN = 7;
    /** Another pool's chain. */
    protected static final int SPARE = 8;

    protected static final long SITE = 1_000_003;
    protected static final long OTHER_SITE = 2_000_003;
    private static final long MINUTE = 60_000_000;
    private static final Budget ANY = Budget.NONE;
    private static final Budget DEFAULT = new Budget(0.30, 2);

    private StateStore store;
    private long lastId;

    /** A store that holds nothing. */
    protected abstract StateStore emptyStore();

    /** Lets the store's time pass. */
    protected abstract void pass(Duration time);

    @BeforeEach
    void begin() {
        store = emptyStore();
    }

    // ---- how the tests speak

    protected static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private List<Integer> enrol(long... identities) {
        return now(store.enrol(
                        CHAIN, Enrollee.plain(LongStream.of(identities).boxed().toList())))
                .slots();
    }

    private List<Integer> enrolSpare(long... identities) {
        return now(store.enrol(
                        SPARE, Enrollee.plain(LongStream.of(identities).boxed().toList())))
                .slots();
    }

    private static Candidate free(int slot) {
        return new Candidate(slot, 10, 10);
    }

    private static Charge gcra(String key, long intervalMicros, int burst) {
        return Charge.of(key, key, new LimitSpec.Gcra(intervalMicros, burst), Long.MAX_VALUE, false);
    }

    private static Charge atOnce(String key, int max) {
        return Charge.of(key, key, new LimitSpec.Concurrency(max), Long.MAX_VALUE, false);
    }

    private static SessionClaim session(long key) {
        return session(key, OnAddressDeath.END);
    }

    private static SessionClaim session(long key, OnAddressDeath onAddressDeath) {
        return session(key, 15 * MINUTE, true, onAddressDeath, 10);
    }

    private static SessionClaim session(
            long key, long ttlMicros, boolean sliding, OnAddressDeath onAddressDeath, int cap) {
        List<SessionClaim.Caps> caps =
                List.of(new SessionClaim.Caps(CHAIN, cap, cap), new SessionClaim.Caps(SPARE, 1, 1));
        return new SessionClaim(CHAIN, key, ttlMicros, sliding, onAddressDeath, 2 * MINUTE, caps);
    }

    private final class Ask {
        private long id = ++lastId * 1_000;
        private Purpose purpose = Purpose.SERVE;
        private int chain = CHAIN;
        private long target = SITE;
        private List<Charge> charges = List.of();
        private List<Candidate> candidates = List.of(free(0));
        private @Nullable SessionClaim session;
        private int count = 1;
        private long ttl = MINUTE;
        private long maxWait = 0;
        private long ticket = 0;

        Ask from(int chain) {
            this.chain = chain;
            return this;
        }

        Ask on(long site) {
            target = site;
            return this;
        }

        Ask id(long id) {
            this.id = id;
            return this;
        }

        Ask probing() {
            purpose = Purpose.PROBE;
            return this;
        }

        Ask panicking() {
            purpose = Purpose.PANIC;
            return this;
        }

        Ask charging(Charge... charges) {
            this.charges = List.of(charges);
            return this;
        }

        Ask of(Candidate... candidates) {
            this.candidates = List.of(candidates);
            return this;
        }

        Ask in(SessionClaim session) {
            this.session = session;
            return this;
        }

        Ask count(int count) {
            this.count = count;
            return this;
        }

        Ask ttl(Duration ttl) {
            this.ttl = ttl.toNanos() / 1_000;
            return this;
        }

        Ask waiting(Duration maxWait) {
            this.maxWait = maxWait.toNanos() / 1_000;
            return this;
        }

        Ask with(long ticket) {
            this.ticket = ticket;
            return this;
        }

        Admitted answer() {
            return now(store.admit(new Admission(
                    id, purpose, chain, target, charges, candidates, session, count, ttl, maxWait, ticket)));
        }

        Admitted.Granted granted() {
            Admitted answer = answer();
            assertThat(answer).isInstanceOf(Admitted.Granted.class);
            return (Admitted.Granted) answer;
        }

        /** The id of the one lease granted. */
        LeaseId lease() {
            Admitted.Grant grant = granted().grants().get(0);
            return new LeaseId(grant.leaseId(), grant.chain(), grant.slot(), target, grant.expiresAtMicros());
        }

        Admitted.Grant grant() {
            return granted().grants().get(0);
        }

        Admitted.Reserved reserved() {
            Admitted answer = answer();
            assertThat(answer).isInstanceOf(Admitted.Reserved.class);
            return (Admitted.Reserved) answer;
        }

        Admitted.Full full() {
            Admitted answer = answer();
            assertThat(answer).isInstanceOf(Admitted.Full.class);
            return (Admitted.Full) answer;
        }
    }

    private Ask ask() {
        return new Ask();
    }

    private Settled settle(LeaseId lease, Evidence address, Evidence cell) {
        return now(store.settle(new Settlement(lease, address, cell, -1, true, false)));
    }

    private Settled succeed(LeaseId lease) {
        return settle(lease, Evidence.SUCCESS, Evidence.SUCCESS);
    }

    private Settled cancel(LeaseId lease) {
        return now(store.settle(new Settlement(lease, Evidence.NONE, Evidence.NONE, -1, false, true)));
    }

    private SubjectRow address(int slot) {
        return known(now(store.observe(CHAIN, slot, SITE, Evidence.NONE, Evidence.NONE))
                .address());
    }

    private static SubjectRow known(@Nullable SubjectRow row) {
        return Objects.requireNonNull(row);
    }

    private Standing standing(int slot) {
        return address(slot).standing();
    }

    private static Standing out(Standing from, Duration wait) {
        long since = from.sinceMicros();
        long micros = wait.toNanos() / 1_000;
        return new Standing(State.QUARANTINED, from.epoch() + 1, since, since + micros, micros, 1, 0, since);
    }

    private static Standing halfOpen(Standing from) {
        return new Standing(
                State.PROBING, from.epoch(), from.sinceMicros(), 0, from.waitMicros(), 1, 0, from.outSinceMicros());
    }

    private Shifted shift(int slot, long target, Standing from, Standing to, Budget budget) {
        return now(store.shift(new Shift(CHAIN, slot, target, from, to, budget)));
    }

    private Shifted eject(int slot, Budget budget) {
        Standing from = standing(slot);
        return shift(slot, 0, from, out(from, Duration.ofMinutes(1)), budget);
    }

    private Shifted ejectCell(int slot, long target, Budget budget) {
        Standing from = known(now(store.observe(CHAIN, slot, target, Evidence.NONE, Evidence.SUCCESS))
                        .cell())
                .standing();
        return shift(slot, target, from, out(from, Duration.ofMinutes(10)), budget);
    }

    // ---- the promises

    @Nested
    class Paces {
        private static final long KEY = 99;
        private final PaceShift.Subject target = PaceShift.Subject.ofTarget(KEY);

        private Charge pace(double floor, double ceiling) {
            return new Charge(
                    "hint", "hint", KEY, new LimitSpec.Pace(floor, ceiling), MINUTE, false, Scope.TARGET, false);
        }

        private final Charge hints = pace(0, 0);

        private PaceRow row(PaceShift.Subject subject) {
            return now(store.shiftPace(PaceShift.read(subject))).row();
        }

        private long storeNow() {
            return now(store.shiftPace(PaceShift.read(target))).nowMicros();
        }

        private PaceShifted block(PaceShift.Subject subject, PaceRow from, Duration time) {
            long at = storeNow();
            PaceRow to = new PaceRow(from.epoch() + 1, at, at + time.toNanos() / 1_000, from.step() + 1, 0, 0, 0, 0);
            return now(store.shiftPace(new PaceShift(subject, from.epoch(), to)));
        }

        @Test
        void aPauseHoldsForAllUntilItsEndAndIsToldExactly() {
            enrol(11, 12);
            block(target, PaceRow.FRESH, Duration.ofMinutes(2));

            Admitted.Full full = ask().charging(hints).of(free(1)).full();
            assertThat(full.binding().rule()).isEqualTo("server-hint");
            assertThat(full.atMicros() - full.nowMicros()).isEqualTo(2 * MINUTE);
            pass(Duration.ofSeconds(119));
            ask().charging(hints).full();
            pass(Duration.ofSeconds(1));
            ask().charging(hints).lease();
        }

        @Test
        void aPauseThatMayBeWaitedForIsToldAsATimeToAskAgain() {
            enrol(11);
            block(target, PaceRow.FRESH, Duration.ofSeconds(20));

            assertThat(ask().charging(hints).waiting(Duration.ofSeconds(30)).answer())
                    .isInstanceOfSatisfying(
                            Admitted.Later.class,
                            later -> assertThat(later.atMicros() - later.nowMicros())
                                    .isEqualTo(20_000_000));
        }

        @Test
        void ofTwoWhoDecideFromTheSameRowOneIsTold() {
            PaceShifted first = block(target, PaceRow.FRESH, Duration.ofMinutes(1));
            PaceShifted second = block(target, PaceRow.FRESH, Duration.ofMinutes(5));

            assertThat(first.applied()).isTrue();
            assertThat(second.applied()).isFalse();
            assertThat(second.row()).isEqualTo(first.row());
        }

        @Test
        void anOutcomeThatIsNoSuccessComesWithThePaceAndItsTime() {
            enrol(11);
            LeaseId lease = ask().charging(hints).lease();
            long granted = storeNow();
            pass(Duration.ofSeconds(3));

            Settled settled = settle(lease, Evidence.NONE, Evidence.NONE);
            assertThat(settled.pace()).isEqualTo(PaceRow.FRESH);
            assertThat(settled.grantedAtMicros()).isEqualTo(granted);
        }

        @Test
        void successesAreCountedOfRequestsGrantedSinceTheStep() {
            enrol(11);
            LeaseId before = ask().charging(hints).lease();
            block(target, PaceRow.FRESH, Duration.ofSeconds(1));
            pass(Duration.ofSeconds(2));
            LeaseId after = ask().charging(hints).lease();
            succeed(before);
            succeed(after);

            assertThat(row(target).wins()).isEqualTo(1);
        }

        @Test
        void aPauseHoldsForThoseWhoHaveReservedASlotInIt() {
            enrol(11);
            Charge slow = gcra("slow", 5_000_000, 1);
            ask().charging(slow, hints).lease();
            Admitted.Reserved reserved =
                    ask().charging(slow, hints).waiting(Duration.ofMinutes(1)).reserved();
            block(target, PaceRow.FRESH, Duration.ofSeconds(8));
            pass(Duration.ofSeconds(5));

            Admitted.Full full =
                    ask().charging(slow, hints).with(reserved.ticket()).full();
            assertThat(full.atMicros() - full.nowMicros()).isEqualTo(3_000_000);
        }

        @Test
        void aTargetThatIsSlowedDownStartsOneInThatTimeHoweverManyAsk() {
            enrol(11);
            now(store.shiftPace(new PaceShift(target, 0, PaceRow.FRESH.slowedTo(10_000_000))));
            ask().charging(hints).lease();

            Admitted.Full full = ask().charging(hints).full();
            assertThat(full.binding().rule()).isEqualTo("slowed-target");
            assertThat(full.atMicros() - full.nowMicros()).isEqualTo(10_000_000);
            for (int i = 2; i <= 4; i++) {
                long wait = i * 10_000_000L;
                assertThat(ask().charging(hints).waiting(Duration.ofMinutes(1)).answer())
                        .as("one after the other, behind the one who was refused")
                        .isInstanceOfSatisfying(
                                Admitted.Later.class,
                                later -> assertThat(later.atMicros() - later.nowMicros())
                                        .isEqualTo(wait));
            }
            pass(Duration.ofSeconds(10));
            ask().charging(hints).lease();
        }

        @Test
        void aSlotOfTheAdaptivePaceThatIsGivenBackIsFreeAgain() {
            enrol(11);
            Charge adaptive = pace(0.1, 5);
            LeaseId lease = ask().charging(adaptive).lease();
            assertThat(ask().charging(adaptive).full().binding().rule()).isEqualTo("adaptive-pace");
            cancel(lease);
            ask().charging(adaptive).lease();
        }

        @Test
        void aCellPausesAlone() {
            enrol(11, 12);
            PaceShift.Subject cell = PaceShift.Subject.ofCell(CHAIN, 0, SITE);
            block(cell, PaceRow.FRESH, Duration.ofMinutes(1));

            assertThat(ask().charging(hints).of(free(0)).answer())
                    .isInstanceOfSatisfying(
                            Admitted.Busy.class,
                            busy -> assertThat(busy.limited())
                                    .isEqualTo(new Admitted.Full(
                                            hints.called("server-hint"),
                                            busy.nowMicros() + MINUTE,
                                            busy.nowMicros() + MINUTE,
                                            busy.nowMicros())));
            assertThat(ask().charging(hints)
                            .of(free(0), free(1))
                            .granted()
                            .grants()
                            .get(0)
                            .slot())
                    .isEqualTo(1);
            ask().charging(hints).of(free(0)).on(OTHER_SITE).lease();
            pass(Duration.ofMinutes(1));
            ask().charging(hints).of(free(0)).lease();
        }

        @Test
        void aPauseOutlivesManyOtherLimits() {
            enrol(11);
            block(target, PaceRow.FRESH, Duration.ofHours(2));
            for (int i = 0; i < 500; i++) {
                ask().charging(gcra("other-" + i, 1_000, 1)).ttl(Duration.ZERO).granted();
                pass(Duration.ofSeconds(1));
            }
            ask().charging(hints).full();
        }
    }

    @Nested
    class Leases {
        @Test
        void theFirstCandidateThatIsFreeIsLeased() {
            enrol(11, 12);
            ask().of(new Candidate(0, 1, 1)).lease();

            Admitted.Granted second =
                    ask().of(new Candidate(0, 1, 1), new Candidate(1, 1, 1)).granted();

            assertThat(second.grants().get(0).slot()).isEqualTo(1);
        }

        @Test
        void anAddressIsNeverLeasedBeyondItsCap() {
            enrol(11);
            Candidate two = new Candidate(0, 2, 2);
            ask().of(two).lease();
            ask().of(two).lease();

            assertThat(ask().of(two).answer())
                    .isInstanceOfSatisfying(
                            Admitted.Busy.class,
                            busy -> assertThat(busy.rows().get(0).address().live())
                                    .isEqualTo(2));
        }

        @Test
        void aCellHasACapOfItsOwn() {
            enrol(11);
            Candidate onePerSite = new Candidate(0, 10, 1);
            ask().of(onePerSite).lease();

            assertThat(ask().of(onePerSite).answer()).isInstanceOf(Admitted.Busy.class);
            ask().of(onePerSite).on(OTHER_SITE).lease();
        }

        @Test
        void aLeaseIsSettledOnce() {
            enrol(11);
            LeaseId lease = ask().lease();

            assertThat(succeed(lease).result()).isEqualTo(SettleResult.RELEASED);
            Settled second = settle(lease, Evidence.FAULT, Evidence.FAULT);
            assertThat(second.result()).isEqualTo(SettleResult.ALREADY_RELEASED);
            assertThat(address(0).failStreak()).isZero();
        }

        @Test
        void aLeaseThatNobodyReleasesComesBackByItself() {
            enrol(11);
            Candidate exclusive = new Candidate(0, 1, 1);
            ask().of(exclusive).ttl(Duration.ofSeconds(10)).lease();

            pass(Duration.ofSeconds(9));
            assertThat(ask().of(exclusive).answer()).isInstanceOf(Admitted.Busy.class);
            pass(Duration.ofSeconds(2));
            ask().of(exclusive).lease();
        }

        @Test
        void aLateReleaseIsToldSoAndFreesNobodyElsesPlace() {
            enrol(11);
            Candidate exclusive = new Candidate(0, 1, 1);
            LeaseId first = ask().of(exclusive).ttl(Duration.ofSeconds(10)).lease();
            pass(Duration.ofSeconds(11));
            ask().of(exclusive).lease();

            assertThat(succeed(first).result()).isEqualTo(SettleResult.EXPIRED);
            assertThat(ask().of(exclusive).answer()).isInstanceOf(Admitted.Busy.class);
        }

        @Test
        void twoExpiredAndReleasedLateLeaveTheCountRight() {
            enrol(11);
            Candidate two = new Candidate(0, 2, 2);
            LeaseId a = ask().of(two).ttl(Duration.ofSeconds(10)).lease();
            LeaseId b = ask().of(two).ttl(Duration.ofSeconds(10)).lease();
            pass(Duration.ofSeconds(11));
            succeed(a);
            succeed(b);

            ask().of(two).lease();
            ask().of(two).lease();
            assertThat(ask().of(two).answer()).isInstanceOf(Admitted.Busy.class);
        }

        @Test
        void aRenewedLeaseLivesOnAndOneThatIsGoneCannotBeRenewed() {
            enrol(11);
            Candidate exclusive = new Candidate(0, 1, 1);
            LeaseId lease = ask().of(exclusive).ttl(Duration.ofSeconds(10)).lease();
            pass(Duration.ofSeconds(8));
            assertThat(now(store.renew(lease, 10_000_000))).isPresent();
            pass(Duration.ofSeconds(8));
            assertThat(ask().of(exclusive).answer()).isInstanceOf(Admitted.Busy.class);
            assertThat(succeed(lease).result()).isEqualTo(SettleResult.RELEASED);
            assertThat(now(store.renew(lease, 10_000_000))).isEmpty();
        }

        @Test
        void aBatchIsFilledAsFarAsThereIsRoom() {
            enrol(11, 12);
            Candidate a = new Candidate(0, 2, 2);
            Candidate b = new Candidate(1, 1, 1);

            assertThat(ask().of(a, b).count(5).granted().grants()).hasSize(3);
            assertThat(ask().of(a, b).count(5).answer()).isInstanceOf(Admitted.Busy.class);
        }

        @Test
        void aBatchChargesEveryPermitAndStopsAtTheLimit() {
            enrol(11);
            Charge burstOfThree = gcra("r", 1_000_000, 3);

            assertThat(ask().charging(burstOfThree).count(5).granted().grants()).hasSize(3);
            assertThat(ask().charging(burstOfThree).answer()).isInstanceOf(Admitted.Full.class);
        }

        @Test
        void aPermitThatNeedsNoReleaseOccupiesNothing() {
            enrol(11);
            Candidate exclusive = new Candidate(0, 1, 1);
            ask().of(exclusive).ttl(Duration.ZERO).granted();

            ask().of(exclusive).lease();
        }

        @Test
        void anEmptySlotIsNobodysToLease() {
            enrol(11);
            enrol();

            assertThat(ask().answer()).isInstanceOf(Admitted.Busy.class);
        }
    }

    @Nested
    class Repeats {
        @Test
        void theSameAdmissionGetsItsFirstAnswer() {
            enrol(11);
            Candidate exclusive = new Candidate(0, 1, 1);
            Charge one = gcra("r", 1_000_000, 1);
            Admitted first = ask().id(500).of(exclusive).charging(one).answer();
            pass(Duration.ofMillis(5));
            Admitted again = ask().id(500).of(exclusive).charging(one).answer();

            assertThat(((Admitted.Granted) again).grants()).isEqualTo(((Admitted.Granted) first).grants());
        }

        @Test
        void theSameReservationGetsItsFirstAnswer() {
            enrol(11);
            Charge one = gcra("r", 1_000_000, 1);
            ask().charging(one).lease();
            Admitted.Reserved first =
                    ask().id(500).charging(one).waiting(Duration.ofSeconds(5)).reserved();
            Admitted.Reserved again =
                    ask().id(500).charging(one).waiting(Duration.ofSeconds(5)).reserved();

            assertThat(again.atMicros()).isEqualTo(first.atMicros());
            assertThat(ask().charging(one).full().atMicros() - first.atMicros()).isEqualTo(1_000_000);
        }

        @Test
        void aBatchIsRepeatedWhole() {
            enrol(11);
            List<Admitted.Grant> first = ask().id(500).count(3).granted().grants();
            assertThat(ask().id(500).count(3).granted().grants())
                    .extracting(Admitted.Grant::leaseId)
                    .isEqualTo(first.stream().map(Admitted.Grant::leaseId).toList());
        }
    }

    @Nested
    class Limits {
        @Test
        void allOrNothing() {
            enrol(11);
            Charge wide = gcra("wide", 1_000_000, 2);
            Charge narrow = gcra("narrow", 10_000_000, 1);
            ask().charging(wide, narrow).lease();
            assertThat(ask().charging(wide, narrow).full().binding().key()).isEqualTo("narrow");

            ask().charging(wide).lease();
        }

        @Test
        void aRefusalForLackOfAnAddressChargesNothing() {
            enrol(11);
            Charge one = gcra("r", 1_000_000, 1);
            Candidate exclusive = new Candidate(0, 1, 1);
            LeaseId holder = ask().of(exclusive).lease();
            assertThat(ask().of(exclusive).charging(one).answer()).isInstanceOf(Admitted.Busy.class);
            succeed(holder);

            ask().of(exclusive).charging(one).lease();
        }

        @Test
        void theWaitIsExact() {
            enrol(11);
            Charge one = gcra("r", 1_000_000, 1);
            long start = ask().charging(one).granted().nowMicros();
            Admitted.Full refused = ask().charging(one).full();
            assertThat(refused.atMicros()).isEqualTo(start + 1_000_000);

            pass(Duration.ofNanos((refused.atMicros() - refused.nowMicros() - 1_000) * 1_000));
            assertThat(ask().charging(one).answer()).isInstanceOf(Admitted.Full.class);
            pass(Duration.ofMillis(1));
            ask().charging(one).lease();
        }

        @Test
        void callersWhoAreRefusedAreNotAllToldTheSameInstant() {
            enrol(11);
            Charge one = gcra("r", 1_000_000, 1);
            ask().charging(one).lease();
            Set<Long> hints = new TreeSet<>();
            for (int i = 0; i < 10; i++) {
                hints.add(ask().charging(one).full().hintMicros());
            }

            assertThat(hints).hasSize(10);
            assertThat(hints.iterator().next())
                    .isEqualTo(ask().charging(one).full().atMicros());
        }

        @Test
        void concurrencyIsFreedByReleaseAndByExpiry() {
            enrol(11);
            Charge two = atOnce("c", 2);
            LeaseId a = ask().charging(two).lease();
            ask().charging(two).ttl(Duration.ofSeconds(10)).lease();
            assertThat(ask().charging(two).full().atMicros()).isNegative();

            succeed(a);
            ask().charging(two).lease();
            pass(Duration.ofSeconds(11));
            ask().charging(two).lease();
            assertThat(ask().charging(two).answer()).isInstanceOf(Admitted.Full.class);
        }

        @Test
        void aDryRunCountsAndNeverRefuses() {
            enrol(11);
            Charge dry = Charge.of("dry", "dry", new LimitSpec.Gcra(1_000_000, 1), 0, true);
            assertThat(ask().charging(dry).granted().dryRunRefusals()).isEmpty();
            assertThat(ask().charging(dry).granted().dryRunRefusals()).containsExactly("dry");
        }

        @Test
        void aCanceledPermitGivesItsSlotBackUnlessSomebodyReservedBehindIt() {
            enrol(11);
            Charge one = gcra("r", 1_000_000, 1);
            cancel(ask().charging(one).lease());
            LeaseId used = ask().charging(one).lease();

            ask().charging(one).waiting(Duration.ofSeconds(5)).reserved();
            cancel(used);
            assertThat(ask().charging(one).answer()).isInstanceOf(Admitted.Full.class);
        }

        @Test
        void aChangedLimitHoldsFromTheNextDecisionWithoutASecondBurst() {
            enrol(11);
            Charge five = Charge.of("r", "r", new LimitSpec.Window(5, MINUTE), 0, false);
            Charge ten = Charge.of("r", "r", new LimitSpec.Window(10, MINUTE), 0, false);
            for (int i = 0; i < 5; i++) {
                ask().charging(five).lease();
            }
            assertThat(ask().charging(five).answer()).isInstanceOf(Admitted.Full.class);
            for (int i = 0; i < 5; i++) {
                ask().charging(ten).lease();
            }
            assertThat(ask().charging(ten).answer()).isInstanceOf(Admitted.Full.class);
        }
    }

    @Nested
    class LimitsThatNameTheAddress {
        private final Candidate[] both = {free(0), free(1)};

        private static Charge each(LimitSpec spec) {
            return Charge.of("each", "each", spec, MINUTE, false, Scope.of(Per.TARGET, Per.ADDRESS), false);
        }

        private final Charge oneASecond = each(new LimitSpec.Gcra(1_000_000, 1));

        @Test
        void aCandidateWhoseOwnLimitIsFullIsPassedOver() {
            enrol(11, 12);
            assertThat(ask().of(both).charging(oneASecond).lease().slot()).isZero();
            assertThat(ask().of(both).charging(oneASecond).lease().slot()).isEqualTo(1);
            assertThat(ask().of(both).charging(oneASecond).answer()).isInstanceOf(Admitted.Busy.class);
            pass(Duration.ofSeconds(1));
            assertThat(ask().of(both).charging(oneASecond).lease().slot()).isZero();
        }

        @Test
        void whereAllAreHeldBackTheFirstToBeFreeIsToldAndTheRestAreSpread() {
            enrol(11, 12);
            long start = ask().of(free(0)).charging(oneASecond).granted().nowMicros();
            pass(Duration.ofMillis(400));
            ask().of(free(1)).charging(oneASecond).lease();

            List<Long> hints = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Admitted.Busy busy =
                        (Admitted.Busy) ask().of(both).charging(oneASecond).answer();
                assertThat(busy.rows()).as("neither is in use").isEmpty();
                Admitted.Full limited = Objects.requireNonNull(busy.limited());
                assertThat(limited.binding().rule()).isEqualTo("each");
                assertThat(limited.atMicros() - start).isEqualTo(1_000_000);
                hints.add((limited.hintMicros() - start) / 100_000);
            }
            assertThat(hints).containsExactly(10L, 14L, 20L, 24L);
        }

        @Test
        void whoIsHeldBackAndWhoIsInUseAreToldApart() {
            enrol(11, 12);
            Candidate exclusive = new Candidate(1, 1, 1);
            ask().of(exclusive).lease();
            ask().of(free(0)).charging(oneASecond).lease();
            Admitted.Busy busy = (Admitted.Busy)
                    ask().of(free(0), exclusive).charging(oneASecond).answer();
            assertThat(busy.limited()).isNotNull();
            assertThat(busy.rows()).extracting(Admitted.CandidateRow::slot).containsExactly(1);
        }

        @Test
        void aBoundSessionWaitsForItsOwnAddress() {
            enrol(11, 12);
            SessionClaim mine = session(5);
            ask().of(both).charging(oneASecond).in(mine).lease();
            assertThat(ask().of(free(1)).charging(oneASecond).in(mine).full().atMicros())
                    .isPositive();
            Admitted.Reserved ticket = ask().of(free(1))
                    .charging(oneASecond)
                    .in(mine)
                    .waiting(Duration.ofSeconds(5))
                    .reserved();
            assertThat(ticket.atMicros() - ticket.nowMicros()).isEqualTo(1_000_000);
            pass(Duration.ofSeconds(1));
            LeaseId lease = ask().of(free(1))
                    .charging(oneASecond)
                    .in(mine)
                    .with(ticket.ticket())
                    .lease();
            assertThat(lease.slot()).isZero();
            assertThat(ask().of(both).charging(oneASecond).lease().slot()).isEqualTo(1);
        }

        @Test
        void aCanceledPermitIsGivenBackToTheAddressThatItWasTakenFrom() {
            enrol(11, 12);
            cancel(ask().of(free(0)).charging(oneASecond).lease());
            assertThat(ask().of(free(0)).charging(oneASecond).lease().slot()).isZero();
        }

        @Test
        void soManyAtOnceOnEachAddress() {
            enrol(11, 12);
            Charge one = each(new LimitSpec.Concurrency(1));
            LeaseId first = ask().of(both).charging(one).lease();
            ask().of(both).charging(one).lease();
            Admitted.Busy busy = (Admitted.Busy) ask().of(both).charging(one).answer();
            assertThat(Objects.requireNonNull(busy.limited()).atMicros()).isNegative();
            succeed(first);
            assertThat(ask().of(both).charging(one).lease().slot()).isZero();
        }

        @Test
        void manyPermitsAtOnceAreSpreadOverTheAddresses() {
            enrol(11, 12);
            Charge two = each(new LimitSpec.Window(2, MINUTE));
            Admitted.Granted granted = ask().of(both).charging(two).count(10).granted();
            assertThat(granted.grants()).extracting(Admitted.Grant::slot).containsExactly(0, 0, 1, 1);
        }

        @Test
        void anotherOwnerOfTheSlotHasABucketOfItsOwn() {
            enrol(11);
            succeed(ask().charging(oneASecond).lease());
            enrol(12);
            ask().charging(oneASecond).lease();
        }

        @Test
        void aDryRunHoldsNobodyBack() {
            enrol(11);
            Charge dry =
                    Charge.of("dry", "dry", new LimitSpec.Gcra(1_000_000, 1), 0, true, Scope.of(Per.ADDRESS), false);
            assertThat(ask().charging(dry).granted().dryRunRefusals()).isEmpty();
            assertThat(ask().charging(dry).granted().dryRunRefusals()).containsExactly("dry");
        }
    }

    @Nested
    class NearTheLimit {
        @Test
        void aRuleIsNamedOnceWhenFourFifthsAreInUseAndAgainAfterItWasAway() {
            enrol(11);
            Charge ten = Charge.of("ten", "ten", new LimitSpec.Window(10, MINUTE), 0, false);
            List<Integer> told = new ArrayList<>();
            for (int round = 0; round < 2; round++) {
                for (int i = 1; i <= 10; i++) {
                    if (!ask().charging(ten)
                            .ttl(Duration.ZERO)
                            .granted()
                            .nearLimits()
                            .isEmpty()) {
                        told.add(i);
                    }
                }
                pass(Duration.ofMinutes(2));
            }
            assertThat(told).containsExactly(8, 8);
        }

        @Test
        void anEvenPaceIsNearWhenItsClockIsBusyFourFifthsOfTheTime() {
            enrol(11);
            Charge paced = gcra("paced", 1_000_000, 1);
            for (int i = 0; i < 40; i++) {
                assertThat(ask().charging(paced)
                                .ttl(Duration.ofMillis(500))
                                .granted()
                                .nearLimits())
                        .as("at half the pace")
                        .isEmpty();
                pass(Duration.ofSeconds(2));
            }
            int told = 0;
            for (int i = 0; i < 40; i++) {
                told += ask().charging(paced)
                        .ttl(Duration.ofMillis(500))
                        .granted()
                        .nearLimits()
                        .size();
                pass(Duration.ofSeconds(1));
            }
            assertThat(told).as("at the full pace").isEqualTo(1);
        }
    }

    @Nested
    class Costs {
        private static final long SECOND = 1_000_000;

        private static Charge costing(int cost, Charge one) {
            return new Charge(
                    one.rule(),
                    one.key(),
                    one.hash(),
                    one.spec(),
                    one.maxWaitMicros(),
                    one.dryRun(),
                    one.scope(),
                    one.reserves(),
                    cost);
        }

        private static Charge costing(int cost, LimitSpec spec) {
            return costing(cost, Charge.of("r", "r", spec, Long.MAX_VALUE, false));
        }

        /** Ten at once, in each algorithm. */
        static List<LimitSpec> tens() {
            return List.of(
                    new LimitSpec.Gcra(6 * SECOND, 10),
                    new LimitSpec.Window(10, MINUTE),
                    new LimitSpec.Calendar(10, MINUTE, ZoneOffset.UTC));
        }

        @ParameterizedTest
        @MethodSource("tens")
        void aPermitTakesWhatItCosts(LimitSpec ten) {
            enrol(11);
            ask().charging(costing(4, ten)).lease();
            ask().charging(costing(4, ten)).lease();

            Admitted.Full full = ask().charging(costing(4, ten)).full();
            assertThat(full.atMicros()).isGreaterThan(full.nowMicros());
            ask().charging(costing(2, ten)).lease();
            ask().charging(costing(1, ten)).full();
        }

        @ParameterizedTest
        @MethodSource("tens")
        void aCanceledPermitGivesBackWhatItCost(LimitSpec ten) {
            enrol(11);
            ask().charging(costing(6, ten)).lease();
            cancel(ask().charging(costing(4, ten)).lease());

            ask().charging(costing(4, ten)).lease();
            ask().charging(costing(1, ten)).full();
        }

        @ParameterizedTest
        @MethodSource("tens")
        void aTicketPaysTheCostAndGivesItBack(LimitSpec ten) {
            enrol(11);
            ask().charging(costing(10, ten)).lease();
            Admitted.Reserved first = ask().charging(costing(7, ten))
                    .waiting(Duration.ofMinutes(2))
                    .reserved();
            assertThat(now(store.giveBack(first.ticket()))).isTrue();
            Admitted.Reserved second = ask().charging(costing(7, ten))
                    .waiting(Duration.ofMinutes(2))
                    .reserved();
            assertThat(second.atMicros()).isBetween(first.atMicros() - 1, first.atMicros() + SECOND);

            pass(Duration.ofNanos(1_000 * (second.atMicros() - second.nowMicros())));
            ask().charging(costing(7, ten)).with(second.ticket()).lease();
            assertThat(ask().charging(costing(4, ten)).answer()).isInstanceOf(Admitted.Full.class);
        }

        @ParameterizedTest
        @MethodSource("tens")
        void whatCostsMoreThanTheLimitEverHasIsRefusedWithoutATime(LimitSpec ten) {
            enrol(11);
            Admitted.Full never = ask().charging(costing(11, ten))
                    .waiting(Duration.ofHours(1))
                    .full();
            assertThat(never.atMicros()).isNegative();
            assertThat(never.hintMicros()).isNegative();

            ask().charging(costing(10, ten)).lease();
        }

        @ParameterizedTest
        @MethodSource("tens")
        void permitsAskedForTogetherCostOneAfterTheOther(LimitSpec ten) {
            enrol(11);

            assertThat(ask().charging(costing(3, ten)).count(5).granted().grants())
                    .hasSize(3);
            ask().charging(costing(1, ten)).lease();
            ask().charging(costing(1, ten)).full();
        }

        @Test
        void howManyAreLiveCountsEachAsOne() {
            enrol(11);
            Charge two = costing(2, atOnce("live", 2));
            ask().charging(two).lease();
            LeaseId second = ask().charging(two).lease();
            ask().charging(two).full();
            succeed(second);

            ask().charging(two).lease();
        }

        @Test
        void aDryRunThatCouldNeverHoldTheCostOnlyCounts() {
            enrol(11);
            Charge trial = costing(5, Charge.of("trial", "trial", new LimitSpec.Window(2, MINUTE), 0, true));

            assertThat(ask().charging(trial).granted().dryRunRefusals()).containsExactly("trial");
        }

        @Test
        void anAddressWithoutRoomForTheCostIsPassedOver() {
            enrol(11, 12);
            Charge each = Charge.of(
                    "each", "each", new LimitSpec.Gcra(SECOND, 5), 0, false, Scope.of(Per.TARGET, Per.ADDRESS), false);
            assertThat(ask().charging(costing(3, each))
                            .of(free(0), free(1))
                            .grant()
                            .slot())
                    .isEqualTo(0);
            assertThat(ask().charging(costing(3, each))
                            .of(free(0), free(1))
                            .grant()
                            .slot())
                    .isEqualTo(1);
        }
    }

    @Nested
    class Tickets {
        private final Charge one = gcra("r", 1_000_000, 1);

        @Test
        void aTicketIsRedeemedAtItsTimeAndCostsNothingMore() {
            enrol(11);
            ask().charging(one).lease();
            Admitted.Reserved ticket =
                    ask().charging(one).waiting(Duration.ofSeconds(5)).reserved();
            assertThat(ask().charging(one).with(ticket.ticket()).answer()).isInstanceOf(Admitted.TicketEarly.class);

            pass(Duration.ofSeconds(1));
            ask().charging(one).with(ticket.ticket()).lease();
            assertThat(ask().charging(one).full().atMicros()).isEqualTo(ticket.atMicros() + 1_000_000);
            assertThat(ask().charging(one).with(ticket.ticket()).answer()).isInstanceOf(Admitted.TicketGone.class);
        }

        @Test
        void aTicketStaysWhereNoAddressIsFree() {
            enrol(11);
            Candidate exclusive = new Candidate(0, 1, 1);
            LeaseId holder = ask().of(exclusive).charging(one).lease();
            Admitted.Reserved ticket =
                    ask().charging(one).waiting(Duration.ofSeconds(5)).reserved();
            pass(Duration.ofSeconds(1));
            assertThat(ask().of(exclusive).charging(one).with(ticket.ticket()).answer())
                    .isInstanceOf(Admitted.Busy.class);
            succeed(holder);

            ask().of(exclusive).charging(one).with(ticket.ticket()).lease();
        }

        @Test
        void aTicketIsWorthNothingAfterItsTime() {
            enrol(11);
            ask().charging(one).lease();
            Admitted.Reserved ticket =
                    ask().charging(one).waiting(Duration.ofSeconds(5)).reserved();
            pass(Duration.ofNanos((ticket.useByMicros() - ticket.nowMicros()) * 1_000 + 1_000_000));
            assertThat(ask().charging(one).with(ticket.ticket()).answer()).isInstanceOf(Admitted.TicketGone.class);
        }

        @Test
        void aTicketGivenBackFreesItsSlotOnce() {
            enrol(11);
            ask().charging(one).lease();
            Admitted.Reserved ticket =
                    ask().charging(one).waiting(Duration.ofSeconds(5)).reserved();

            assertThat(now(store.giveBack(ticket.ticket()))).isTrue();
            assertThat(now(store.giveBack(ticket.ticket()))).isFalse();
            assertThat(ask().charging(one)
                            .waiting(Duration.ofSeconds(5))
                            .reserved()
                            .atMicros())
                    .isEqualTo(ticket.atMicros());
        }

        @Test
        void whoWaitsTooLongIsRefusedAndNothingIsReserved() {
            enrol(11);
            ask().charging(one).lease();
            ask().charging(one).waiting(Duration.ofMillis(500)).full();

            assertThat(ask().charging(one)
                            .waiting(Duration.ofSeconds(5))
                            .reserved()
                            .atMicros())
                    .isLessThanOrEqualTo(ask().charging(one).full().atMicros() - 1_000_000);
        }

        @Test
        void aSlowNarrowLimitDoesNotPushAWideOnesClockAhead() {
            enrol(11);
            Charge wide = gcra("wide", 100_000, 1);
            Charge narrow = gcra("narrow", 10_000_000, 1);
            ask().charging(wide, narrow).lease();
            pass(Duration.ofSeconds(1));

            assertThat(ask().charging(wide, narrow)
                            .waiting(Duration.ofSeconds(30))
                            .answer())
                    .isInstanceOf(Admitted.Later.class);
            ask().charging(wide).lease();
        }

        @Test
        void aReservationLaterInTheSameWindowOfTheCalendarHoldsUpNobody() {
            enrol(11);
            Charge quota = Charge.of("q", "q", new LimitSpec.Calendar(10, MINUTE, ZoneOffset.UTC), 0, false);
            Charge pace = gcra("pace", 2_000_000, 1);
            ask().charging(pace, quota).lease();
            ask().charging(pace, quota).waiting(Duration.ofSeconds(5)).reserved();

            ask().charging(quota).lease();
        }
    }

    @Nested
    class Sessions {
        @Test
        void theFirstRequestBindsAndTheRestFollow() {
            enrol(11, 12);
            LeaseId first = ask().in(session(1)).of(free(1)).lease();
            succeed(first);

            assertThat(ask().in(session(1)).of(free(0)).lease().slot()).isEqualTo(1);
        }

        @Test
        void twoParallelFirstRequestsGetTheSameAddress() {
            enrol(11, 12);
            LeaseId a = ask().in(session(1)).of(free(0)).lease();
            LeaseId b = ask().in(session(1)).of(free(1)).lease();

            assertThat(a.slot()).isEqualTo(b.slot());
        }

        @Test
        void aSessionNeverGoesToTheNewOwnerOfItsSlot() {
            enrol(11, 12);
            succeed(ask().in(session(1)).of(free(1)).lease());
            enrol(11);
            assertThat(enrol(11, 13)).containsExactly(0, 1);

            assertThat(ask().in(session(1)).of(free(1)).answer()).isInstanceOf(Admitted.SessionEnded.class);
        }

        @Test
        void aBindingThatReachedNobodyDoesNotHold() {
            enrol(11, 12);
            LeaseId first = ask().in(session(1)).of(free(0)).lease();
            now(store.settle(new Settlement(first, Evidence.FAULT, Evidence.NONE, -1, false, false)));

            assertThat(ask().in(session(1)).of(free(1)).lease().slot()).isEqualTo(1);
        }

        @Test
        void aBindingWhoseFirstLeaseExpiredHolds() {
            enrol(11, 12);
            ask().in(session(1)).of(free(0)).ttl(Duration.ofSeconds(10)).lease();
            pass(Duration.ofSeconds(11));

            assertThat(ask().in(session(1)).of(free(1)).lease().slot()).isZero();
        }

        @Test
        void useRenewsASlidingSessionButNotAFixedOne() {
            enrol(11, 12);
            SessionClaim sliding = session(1, 10_000_000, true, OnAddressDeath.END, 10);
            SessionClaim fixed = session(2, 10_000_000, false, OnAddressDeath.END, 10);
            succeed(ask().in(sliding).of(free(0)).lease());
            succeed(ask().in(fixed).of(free(0)).lease());
            for (int i = 0; i < 3; i++) {
                pass(Duration.ofSeconds(4));
                succeed(ask().in(sliding).of(free(1)).lease());
            }

            assertThat(ask().in(sliding).of(free(1)).lease().slot()).isZero();
            assertThat(ask().in(fixed).of(free(1)).lease().slot()).isEqualTo(1);
        }

        @Test
        void aSessionEndsWhenToldTo() {
            enrol(11, 12);
            succeed(ask().in(session(1)).of(free(0)).lease());
            assertThat(now(store.sessions(CHAIN))).isEqualTo(1);
            assertThat(now(store.endSession(CHAIN, 1))).isTrue();
            assertThat(now(store.endSession(CHAIN, 1))).isFalse();

            assertThat(ask().in(session(1)).of(free(1)).lease().slot()).isEqualTo(1);
        }

        @Test
        void aSessionWhoseAddressIsOutIsPausedAndEndsAfterTwoMinutes() {
            enrol(11, 12);
            succeed(ask().in(session(1)).of(free(0)).lease());
            Standing from = standing(0);
            shift(0, 0, from, out(from, Duration.ofMinutes(5)), ANY);

            assertThat(ask().in(session(1)).of(free(1)).answer()).isInstanceOf(Admitted.SessionPaused.class);
            pass(Duration.ofSeconds(121));
            assertThat(ask().in(session(1)).of(free(1)).answer()).isInstanceOf(Admitted.SessionEnded.class);
            now(store.endSession(CHAIN, 1));
            assertThat(ask().in(session(1)).of(free(1)).lease().slot()).isEqualTo(1);
        }

        @Test
        void aSessionWhoseAddressWasRemovedHasEndedUntilItIsEnded() {
            enrol(11, 12);
            succeed(ask().in(session(1)).of(free(0)).lease());
            enrol(12);

            assertThat(ask().in(session(1)).of(free(1)).answer()).isInstanceOf(Admitted.SessionEnded.class);
            enrol(11, 12);
            assertThat(ask().in(session(1)).of(free(1)).answer()).isInstanceOf(Admitted.SessionEnded.class);
        }

        @Test
        void aSessionAtItsAddressesCapWaitsForIt() {
            enrol(11, 12);
            SessionClaim exclusive = session(1, MINUTE, true, OnAddressDeath.END, 1);
            LeaseId first = ask().in(exclusive).of(new Candidate(0, 1, 1)).lease();

            assertThat(ask().in(exclusive).of(free(1)).answer()).isInstanceOf(Admitted.SessionBusy.class);
            succeed(first);
            assertThat(ask().in(exclusive).of(free(1)).lease().slot()).isZero();
        }

        @Test
        void severalPermitsOfASessionAreAllOfOneAddress() {
            enrol(11, 12);
            Candidate first = new Candidate(0, 2, 2);
            List<Admitted.Grant> grants =
                    ask().in(session(1)).of(first, free(1)).count(5).granted().grants();

            assertThat(grants).hasSizeGreaterThanOrEqualTo(2).allMatch(grant -> grant.slot() == 0);
        }

        @Test
        void severalPermitsOfABoundSessionStayWithinTheCap() {
            enrol(11, 12);
            SessionClaim two = session(1, MINUTE, true, OnAddressDeath.END, 2);
            succeed(ask().in(two).of(free(0)).lease());

            assertThat(ask().in(two).of(free(0)).count(5).granted().grants()).hasSize(2);
        }

        private static long mixed(int number) {
            return number * 0x9E3779B97F4A7C15L;
        }

        @Test
        void pagesNameEachLiveSessionOnce() {
            enrol(11, 12);
            for (int key = 1; key <= 25; key++) {
                succeed(ask().in(session(mixed(key))).of(free(key % 2)).lease());
            }
            now(store.endSession(CHAIN, mixed(25)));
            List<SessionRow> all = new ArrayList<>();
            long from = 0;
            while (from != SessionPage.END) {
                SessionPage page = now(store.sessionPage(CHAIN, from, 10));
                assertThat(page.rows()).hasSizeLessThanOrEqualTo(10);
                all.addAll(page.rows());
                from = page.next();
            }

            assertThat(all).extracting(SessionRow::key).doesNotHaveDuplicates().hasSize(24);
            assertThat(all).allMatch(row -> row.state() == SessionRow.State.BOUND && row.chain() == CHAIN);
        }
    }

    @Nested
    class SessionsThatLoseTheirAddress {
        private final SessionClaim pauses = session(1, OnAddressDeath.PAUSE);
        private final SessionClaim moves = session(1, OnAddressDeath.MIGRATE);

        private void begin(SessionClaim claim) {
            enrol(11, 12, 13);
            succeed(ask().in(claim).of(free(0)).lease());
        }

        private void outFor(Duration wait) {
            Standing from = standing(0);
            shift(0, 0, from, out(from, wait), ANY);
        }

        private Admitted.Grant next(SessionClaim claim) {
            return ask().in(claim).of(free(0), free(1), free(2)).grant();
        }

        private Admitted answer(SessionClaim claim) {
            return ask().in(claim).of(free(0), free(1), free(2)).answer();
        }

        @Test
        void withPauseItIsPausedForAsLongAsItTakes() {
            begin(pauses);
            outFor(Duration.ofHours(1));
            for (int minutes = 0; minutes < 60; minutes += 10) {
                assertThat(answer(pauses)).isInstanceOf(Admitted.SessionPaused.class);
                pass(Duration.ofMinutes(10));
            }
            shift(0, 0, standing(0), standing(0).inState(State.HEALTHY, 0), ANY);

            assertThat(next(pauses).slot()).isZero();
        }

        @Test
        void withPauseItWaitsForTheReturnOfARemovedAddress() {
            begin(pauses);
            enrol(12, 13);
            assertThat(answer(pauses))
                    .isInstanceOfSatisfying(
                            Admitted.SessionPaused.class,
                            paused -> assertThat(paused.untilMicros()).isZero());
            enrol(11, 12, 13);

            assertThat(next(pauses)).matches(grant -> grant.slot() == 0 && !grant.migrated());
        }

        @Test
        void withMigrateAQuarantineIsAPauseAtFirstAndAMoveAfterTwoMinutes() {
            begin(moves);
            outFor(Duration.ofMinutes(10));
            assertThat(answer(moves)).isInstanceOf(Admitted.SessionPaused.class);
            pass(Duration.ofMinutes(2));
            assertThat(answer(moves)).isInstanceOf(Admitted.SessionPaused.class);
            pass(Duration.ofSeconds(1));

            assertThat(next(moves)).matches(grant -> grant.slot() == 1 && grant.migrated());
        }

        @Test
        void aCellThatIsOutForTooLongMovesItToo() {
            begin(moves);
            Standing cell = Standing.fresh(0, 0);
            shift(0, SITE, cell, out(cell, Duration.ofMinutes(10)), ANY);
            pass(Duration.ofSeconds(121));

            assertThat(next(moves).slot()).isEqualTo(1);
        }

        @Test
        void aRemovedAddressMovesItAtOnceAndItStaysWhereItWent() {
            begin(moves);
            enrol(12, 13);
            LeaseId moved = ask().in(moves).of(free(0), free(2)).lease();
            assertThat(moved.slot()).isEqualTo(2);
            succeed(moved);
            enrol(11, 12, 13);

            assertThat(next(moves)).matches(grant -> grant.slot() == 2 && !grant.migrated());
        }

        @Test
        void itNeverMovesWhileALeaseOnTheOldAddressIsLive() {
            begin(moves);
            LeaseId running =
                    ask().in(moves).of(free(0)).ttl(Duration.ofSeconds(40)).lease();
            enrol(12, 13);
            Admitted moving = ask().in(moves).of(free(1)).answer();
            assertThat(moving).isInstanceOf(Admitted.SessionMoving.class);
            assertThat(((Admitted.SessionMoving) moving).untilMicros()).isEqualTo(running.expiresAtMicros());
            succeed(running);

            assertThat(ask().in(moves).of(free(1)).grant()).matches(grant -> grant.slot() == 1 && grant.migrated());
        }

        @Test
        void aLeaseThatIsForgottenHoldsItUpUntilItExpires() {
            begin(moves);
            ask().in(moves).of(free(0)).ttl(Duration.ofSeconds(40)).lease();
            enrol(12, 13);
            assertThat(ask().in(moves).of(free(1)).answer()).isInstanceOf(Admitted.SessionMoving.class);
            pass(Duration.ofSeconds(41));

            assertThat(ask().in(moves).of(free(1)).grant().slot()).isEqualTo(1);
        }

        @Test
        void aRepeatedMoveGivesItsFirstAnswer() {
            begin(moves);
            enrol(12, 13);
            Admitted.Grant first = ask().id(77).in(moves).of(free(1)).grant();
            Admitted.Grant again = ask().id(77).in(moves).of(free(2)).grant();

            assertThat(again).isEqualTo(first);
            assertThat(again.migrated()).isTrue();
        }

        @Test
        void aMoveWhoseAnswerWasLostIsToldByTheNext() {
            begin(moves);
            enrol(12, 13);
            LeaseId lost = ask().in(moves).of(free(1)).lease();
            now(store.settle(new Settlement(lost, Evidence.NONE, Evidence.NONE, -1, false, true)));

            assertThat(ask().in(moves).of(free(2)).grant()).matches(Admitted.Grant::migrated);
        }

        @Test
        void allLeasesTellOfTheMoveUntilOneHasReachedTheNewAddress() {
            begin(moves);
            enrol(12, 13);
            LeaseId first = ask().in(moves).of(free(1)).lease();
            assertThat(ask().in(moves).of(free(1)).grant()).matches(Admitted.Grant::migrated);
            succeed(first);

            assertThat(ask().in(moves).of(free(1)).grant()).matches(grant -> !grant.migrated());
        }

        @Test
        void aMoveDoesNotLengthenAFixedLife() {
            SessionClaim fixed = session(1, 3 * MINUTE, false, OnAddressDeath.MIGRATE, 10);
            begin(fixed);
            pass(Duration.ofMinutes(2));
            enrol(12, 13);
            succeed(ask().in(fixed).of(free(1)).lease());
            pass(Duration.ofSeconds(61));

            assertThat(ask().in(fixed).of(free(2)).grant()).matches(grant -> grant.slot() == 2 && !grant.migrated());
        }

        @Test
        void withNobodyToGoToItIsToldThatAllAreBusyAndKeepsItsRecord() {
            begin(moves);
            enrol(12, 13);
            assertThat(ask().in(moves).of().answer()).isInstanceOf(Admitted.Busy.class);
            enrol(11, 12, 13);

            assertThat(next(moves).slot()).isZero();
        }

        @Test
        void aSessionThatHasEndedMovesOnceItIsConfiguredTo() {
            begin(session(1));
            enrol(12, 13);
            assertThat(answer(session(1))).isInstanceOf(Admitted.SessionEnded.class);

            assertThat(ask().in(moves).of(free(1)).grant()).matches(Admitted.Grant::migrated);
        }
    }

    @Nested
    class RePinnedSessions {
        private final SessionClaim claim = session(1);

        @Test
        void theNextRequestGoesToAnotherAddressAndStaysThere() {
            enrol(11, 12);
            succeed(ask().in(claim).of(free(0)).lease());
            assertThat(now(store.repinSession(CHAIN, 1))).isTrue();
            assertThat(now(store.sessionPage(CHAIN, 0, 10)).rows())
                    .extracting(SessionRow::state)
                    .containsExactly(SessionRow.State.MOVING);

            LeaseId moved = ask().in(claim).of(free(0), free(1)).lease();
            assertThat(moved.slot()).isEqualTo(1);
            succeed(moved);
            assertThat(ask().in(claim).of(free(0), free(1)).grant())
                    .matches(grant -> grant.slot() == 1 && !grant.migrated());
        }

        @Test
        void itStaysWhereNobodyElseIsThere() {
            enrol(11);
            succeed(ask().in(claim).of(free(0)).lease());
            now(store.repinSession(CHAIN, 1));

            assertThat(ask().in(claim).of(free(0)).grant()).matches(grant -> grant.slot() == 0 && !grant.migrated());
        }

        @Test
        void itWaitsForItsRunningRequests() {
            enrol(11, 12);
            LeaseId running = ask().in(claim).of(free(0)).lease();
            now(store.repinSession(CHAIN, 1));
            assertThat(ask().in(claim).of(free(0), free(1)).answer()).isInstanceOf(Admitted.SessionMoving.class);
            succeed(running);

            assertThat(ask().in(claim).of(free(0), free(1)).grant().slot()).isEqualTo(1);
        }

        @Test
        void aSessionThatHasEndedBeginsAnewElsewhere() {
            enrol(11, 12);
            succeed(ask().in(claim).of(free(0)).lease());
            enrol(12);
            assertThat(ask().in(claim).of(free(1)).answer()).isInstanceOf(Admitted.SessionEnded.class);
            assertThat(now(store.repinSession(CHAIN, 1))).isTrue();

            assertThat(ask().in(claim).of(free(1)).grant()).matches(grant -> grant.slot() == 1 && grant.migrated());
        }

        @Test
        void anUnknownOneIsSaidToBeUnknown() {
            assertThat(now(store.repinSession(CHAIN, 1))).isFalse();
        }
    }

    @Nested
    class SeveralPools {
        @Test
        void aSessionThatBeganInAnotherPoolStaysThereAndIsListedInItsOwn() {
            enrol(11, 12);
            enrolSpare(21, 22);
            LeaseId first = ask().from(SPARE).in(session(1)).of(free(1)).lease();
            assertThat(first.chain()).isEqualTo(SPARE);
            succeed(first);

            Admitted.Grant next = ask().in(session(1)).of(free(0)).grant();
            assertThat(next).matches(grant -> grant.chain() == SPARE && grant.slot() == 1);
            assertThat(now(store.sessions(CHAIN))).isEqualTo(1);
            assertThat(now(store.sessions(SPARE))).isZero();
            assertThat(ask().in(session(1)).of(free(0)).answer())
                    .as("the cap of the pool that serves")
                    .isEqualTo(new Admitted.SessionBusy(
                            SPARE,
                            1,
                            ((Admitted.SessionBusy) ask().in(session(1)).answer()).nowMicros()));
        }

        @Test
        void twoFirstRequestsInTwoPoolsGetOneAddress() {
            enrol(11, 12);
            enrolSpare(21);
            LeaseId a = ask().in(session(1)).of(free(1)).lease();
            LeaseId b = ask().from(SPARE).in(session(1)).of(free(0)).lease();

            assertThat(b).matches(lease -> lease.chain() == a.chain() && lease.slot() == a.slot());
        }

        @Test
        void theCapOfAnAddressHoldsOverAllPoolsThatListIt() {
            enrol(11, 12);
            enrolSpare(21, 12);
            Candidate exclusive = new Candidate(1, 1, 1);
            LeaseId here = ask().of(exclusive).lease();
            assertThat(ask().from(SPARE).of(exclusive).answer())
                    .isInstanceOfSatisfying(
                            Admitted.Busy.class,
                            busy -> assertThat(busy.rows().get(0).live()).isEqualTo(1));
            succeed(here);
            LeaseId there = ask().from(SPARE).of(exclusive).lease();
            assertThat(ask().of(exclusive).answer()).isInstanceOf(Admitted.Busy.class);
            pass(Duration.ofSeconds(61));

            assertThat(there.chain()).isEqualTo(SPARE);
            ask().of(exclusive).lease();
        }

        @Test
        void whicheverPoolListedItFirst() {
            enrolSpare(21, 12);
            enrol(11, 12);
            Candidate exclusive = new Candidate(1, 1, 1);
            ask().of(exclusive).lease();

            assertThat(ask().from(SPARE).of(exclusive).answer()).isInstanceOf(Admitted.Busy.class);
        }

        @Test
        void soDoesTheCapOfACell() {
            enrol(11);
            enrolSpare(11);
            Candidate onceASite = new Candidate(0, 10, 1);
            ask().of(onceASite).lease();
            assertThat(ask().from(SPARE).of(onceASite).answer()).isInstanceOf(Admitted.Busy.class);
            ask().from(SPARE).on(OTHER_SITE).of(onceASite).lease();
        }

        @Test
        void leasesFromBeforeTheAddressStoodInTwoPoolsCountToo() {
            enrol(11);
            enrolSpare(21);
            Candidate exclusive = new Candidate(0, 1, 1);
            LeaseId before = ask().of(exclusive).lease();
            enrolSpare(21, 11);
            assertThat(ask().from(SPARE).of(new Candidate(1, 1, 1)).answer()).isInstanceOf(Admitted.Busy.class);
            succeed(before);

            ask().from(SPARE).of(new Candidate(1, 1, 1)).lease();
        }

        @Test
        void eachPoolJudgesASharedAddressForItself() {
            enrol(11, 12);
            enrolSpare(11, 12);
            Standing from = standing(0);
            shift(0, 0, from, out(from, Duration.ofMinutes(1)), ANY);
            assertThat(ask().of(free(0)).answer()).isInstanceOf(Admitted.Busy.class);

            ask().from(SPARE).of(free(0)).lease();
        }
    }

    @Nested
    class Standings {
        @Test
        void aShiftComparesAndSets() {
            enrol(11, 12, 13, 14);
            Standing from = standing(0);
            Standing to = out(from, Duration.ofMinutes(1));
            assertThat(shift(0, 0, from, to, DEFAULT)).isInstanceOf(Shifted.Applied.class);
            assertThat(shift(0, 0, from, to, DEFAULT))
                    .isInstanceOfSatisfying(
                            Shifted.Stale.class,
                            stale -> assertThat(stale.row().standing()).isEqualTo(to));
        }

        @Test
        void theShareIsCountedAfterTheStep() {
            enrol(11, 12, 13);
            Budget half = new Budget(0.5, 0);
            assertThat(eject(0, half)).isInstanceOf(Shifted.Applied.class);
            assertThat(eject(1, half)).isInstanceOf(Shifted.Capped.class);
        }

        @Test
        void threeInTenMayGoAndNotAFourth() {
            enrol(11, 12, 13, 14, 15, 16, 17, 18, 19, 20);
            for (int slot = 0; slot < 3; slot++) {
                assertThat(eject(slot, DEFAULT)).isInstanceOf(Shifted.Applied.class);
            }
            assertThat(eject(3, DEFAULT)).isInstanceOf(Shifted.Capped.class);
            Standing out = standing(0);
            Standing back = new Standing(State.HEALTHY, out.epoch() + 1, out.sinceMicros(), 0, 0, 1, 0, 0);
            shift(0, 0, out, back, ANY);
            assertThat(eject(3, DEFAULT)).isInstanceOf(Shifted.Applied.class);
        }

        @Test
        void twoStayInServiceOnTheTargetThatIsWorstOff() {
            enrol(11, 12, 13);
            assertThat(ejectCell(0, SITE, DEFAULT)).isInstanceOf(Shifted.Applied.class);
            assertThat(eject(1, DEFAULT)).isInstanceOf(Shifted.Capped.class);
            assertThat(eject(0, DEFAULT)).isInstanceOf(Shifted.Applied.class);
        }

        @Test
        void whatIsOutIsNotLeasedAndItsCellIsASubjectOfItsOwn() {
            enrol(11, 12, 13, 14);
            eject(0, DEFAULT);
            assertThat(ask().of(free(0)).answer()).isInstanceOf(Admitted.Busy.class);

            ejectCell(1, SITE, DEFAULT);
            assertThat(ask().of(free(1)).answer()).isInstanceOf(Admitted.Busy.class);
            ask().of(free(1)).on(OTHER_SITE).lease();
        }

        @Test
        void whatIsHalfOpenIsLeasedToOneProbeAtATimeAndALostProbeFreesIt() {
            enrol(11, 12, 13, 14);
            eject(0, DEFAULT);
            Standing out = standing(0);
            shift(0, 0, out, halfOpen(out), ANY);

            assertThat(ask().of(free(0)).answer()).isInstanceOf(Admitted.Busy.class);
            ask().probing().of(free(0)).ttl(Duration.ofSeconds(10)).lease();
            assertThat(ask().probing().of(free(0)).answer()).isInstanceOf(Admitted.Busy.class);
            pass(Duration.ofSeconds(11));
            ask().probing().of(free(0)).lease();
            assertThat(ask().probing().of(free(1)).answer()).isInstanceOf(Admitted.Busy.class);
        }

        @Test
        void anOutcomeOfAnOlderEpochTrainsNothing() {
            enrol(11, 12, 13, 14);
            LeaseId old = ask().lease();
            eject(0, DEFAULT);
            Settled settled = settle(old, Evidence.FAULT, Evidence.FAULT);

            assertThat(settled.trained()).isFalse();
            assertThat(known(settled.address()).failStreak()).isZero();
        }

        @Test
        void aBurstOfFailuresInsideOneInstantIsOneSignal() {
            enrol(11);
            List<LeaseId> burst = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                burst.add(ask().lease());
            }
            for (LeaseId lease : burst) {
                settle(lease, Evidence.FAULT, Evidence.NONE);
            }
            assertThat(address(0).failStreak()).isEqualTo(1);
            LeaseId later = ask().lease();
            pass(Duration.ofMillis(400));
            assertThat(known(settle(later, Evidence.FAULT, Evidence.NONE).address())
                            .failStreak())
                    .isEqualTo(2);
        }

        @Test
        void aWaitThatIsOverIsHandedToOneCallerAndAgainIfNothingCameOfIt() {
            enrol(11, 12, 13, 14);
            eject(0, DEFAULT);
            assertThat(now(store.due(CHAIN, 10)).waits()).isEmpty();
            pass(Duration.ofSeconds(61));

            assertThat(now(store.due(CHAIN, 10)).waits()).hasSize(1);
            assertThat(now(store.due(CHAIN, 10)).waits()).isEmpty();
            pass(Duration.ofSeconds(10));
            assertThat(now(store.due(CHAIN, 10)).waits()).hasSize(1);
        }

        @Test
        void expiredLeasesAreReportedOnce() {
            enrol(11);
            LeaseId lease = ask().ttl(Duration.ofSeconds(10)).lease();
            pass(Duration.ofSeconds(11));

            assertThat(now(store.due(CHAIN, 10)).expired())
                    .extracting(Due.Expired::leaseId)
                    .containsExactly(lease.value());
            assertThat(now(store.due(CHAIN, 10)).expired()).isEmpty();
        }
    }

    @Nested
    class People {
        private final Hold frozen = Hold.NONE.withFrozen(true);
        private final Hold draining = Hold.NONE.withDraining(true);
        private final Hold banned = Hold.NONE.withBan(new Hold.Ban("abuse", 0));

        private Shifted hold(int slot, Hold hold) {
            Standing from = standing(slot);
            return shift(slot, 0, from, from.under(hold), ANY);
        }

        private Standing cell(int slot, long target) {
            return known(now(store.observe(CHAIN, slot, target, Evidence.NONE, Evidence.SUCCESS))
                            .cell())
                    .standing();
        }

        private void dead(int slot) {
            Standing from = standing(slot);
            long until = from.sinceMicros() + 86_400_000_000L;
            Standing to = new Standing(
                    State.DEAD, from.epoch() + 1, from.sinceMicros(), until, MINUTE, 6, 0, from.sinceMicros());
            shift(slot, 0, from, to, ANY);
        }

        @Test
        void whatIsHeldIsLeasedToNobodyAndItsLeasesRunOut() {
            for (Hold hold : List.of(frozen, draining, banned)) {
                enrol(11, 12);
                LeaseId running = ask().of(free(0)).lease();
                assertThat(hold(0, hold)).isInstanceOf(Shifted.Applied.class);

                assertThat(ask().of(free(0)).answer()).isInstanceOf(Admitted.Busy.class);
                assertThat(ask().of(free(0), free(1)).lease().slot()).isEqualTo(1);
                assertThat(settle(running, Evidence.SUCCESS, Evidence.SUCCESS).result())
                        .isEqualTo(SettleResult.RELEASED);
                hold(0, Hold.NONE);
                ask().of(free(0)).lease();
            }
        }

        @Test
        void aHoldIsComparedAndSetLikeAnyStandingAndReachesWhoAsksWhatChanged() {
            enrol(11, 12);
            long version = now(store.changes(CHAIN, -1, 100)).version();
            Standing before = standing(0);
            hold(0, frozen);

            assertThat(shift(0, 0, before, out(before, Duration.ofMinutes(1)), DEFAULT))
                    .as("a judgement passed before")
                    .isInstanceOf(Shifted.Stale.class);
            assertThat(now(store.changes(CHAIN, version, 100)).changes())
                    .singleElement()
                    .satisfies(
                            change -> assertThat(change.row().standing().hold()).isEqualTo(frozen));
        }

        @Test
        void anOutcomeFromBeforeABanTrainsNothingAndOneFromBeforeAFreezeDoes() {
            enrol(11, 12);
            LeaseId old = ask().of(free(0)).lease();
            hold(0, banned);
            assertThat(settle(old, Evidence.FAULT, Evidence.FAULT).trained()).isFalse();

            LeaseId other = ask().of(free(1)).lease();
            hold(1, frozen);
            assertThat(settle(other, Evidence.FAULT, Evidence.FAULT).trained()).isTrue();
        }

        @Test
        void aBansTimeIsHandedToOneCallerThoughTheStateBeneathEndsLater() {
            enrol(11, 12, 13, 14);
            Standing from = standing(0);
            long until = from.sinceMicros() + 30_000_000;
            Standing out = out(from, Duration.ofMinutes(5)).under(Hold.NONE.withBan(new Hold.Ban("", until)));
            shift(0, 0, from, out, ANY);

            assertThat(now(store.due(CHAIN, 10)).waits()).isEmpty();
            pass(Duration.ofSeconds(31));
            assertThat(now(store.due(CHAIN, 10)).waits())
                    .singleElement()
                    .satisfies(wait -> assertThat(wait.row().standing().hold().banOver(until))
                            .isTrue());
            shift(0, 0, out, out.under(Hold.NONE), ANY);
            assertThat(now(store.due(CHAIN, 10)).waits()).isEmpty();
            pass(Duration.ofMinutes(5));
            assertThat(now(store.due(CHAIN, 10)).waits()).hasSize(1);
        }

        @Test
        void boundSessionsGoOnWhereItDrainsArePausedWhereItIsFrozenAndEndWhereItIsBannedOrDead() {
            enrol(11, 12, 13, 14);
            for (int key = 0; key < 4; key++) {
                succeed(ask().in(session(key)).of(free(key)).lease());
            }
            hold(0, draining);
            hold(1, frozen);
            hold(2, banned);
            dead(3);

            assertThat(ask().in(session(0)).of(free(1)).lease().slot()).isZero();
            assertThat(ask().in(session(1)).of(free(0)).answer())
                    .isInstanceOfSatisfying(
                            Admitted.SessionPaused.class,
                            paused -> assertThat(paused.untilMicros()).isZero());
            assertThat(ask().in(session(2)).of(free(0)).answer()).isInstanceOf(Admitted.SessionEnded.class);
            assertThat(ask().in(session(3)).of(free(0)).answer()).isInstanceOf(Admitted.SessionEnded.class);
            pass(Duration.ofMinutes(5));
            hold(1, Hold.NONE);
            assertThat(ask().in(session(1)).of(free(0)).lease().slot())
                    .as("however long it was frozen")
                    .isEqualTo(1);
        }

        @Test
        void aCellThatIsBannedIsOutOnItsTargetAlone() {
            enrol(11, 12);
            Standing from = cell(0, SITE);
            shift(0, SITE, from, from.under(banned), ANY);

            assertThat(ask().of(free(0)).answer()).isInstanceOf(Admitted.Busy.class);
            ask().of(free(0)).on(OTHER_SITE).lease();
        }

        @Test
        void theShareIsTakenOfThoseWhoAreNeitherDeadNorHeld() {
            enrol(11, 12, 13, 14, 15, 16, 17, 18, 19, 20);
            hold(0, frozen);
            hold(1, banned);
            hold(2, draining);
            dead(3);
            assertThat(eject(4, DEFAULT)).as("1 of 6").isInstanceOf(Shifted.Applied.class);
            assertThat(eject(5, DEFAULT)).as("2 of 6 are 33 %").isInstanceOf(Shifted.Capped.class);
            hold(0, Hold.NONE);
            assertThat(eject(5, DEFAULT)).as("2 of 7 are 29 %").isInstanceOf(Shifted.Applied.class);
        }

        @Test
        void whoDiesInServiceNeedsTheSameRoomAsWhoIsQuarantined() {
            enrol(11, 12, 13);
            for (int slot = 0; slot < 2; slot++) {
                Standing from = standing(slot);
                Standing to = new Standing(
                        State.DEAD, from.epoch() + 1, from.sinceMicros(), Long.MAX_VALUE, 0, 6, 0, from.sinceMicros());
                assertThat(shift(slot, 0, from, to, DEFAULT))
                        .isInstanceOf(slot == 0 ? Shifted.Applied.class : Shifted.Capped.class);
            }
        }

        @Test
        void aBanOnOneTargetBlocksNobodysEjectionThatTakesNothingFromIt() {
            enrol(11, 12, 13, 14, 15);
            for (int slot = 0; slot < 4; slot++) {
                Standing from = cell(slot, SITE);
                shift(slot, SITE, from, from.under(banned), ANY);
            }
            assertThat(eject(4, DEFAULT)).as("the only one left there").isInstanceOf(Shifted.Capped.class);
            assertThat(eject(0, DEFAULT)).isInstanceOf(Shifted.Applied.class);
        }

        @Test
        void panicReachesWhatIsInQuarantineAndNeverWhatIsDeadOrHeld() {
            enrol(11, 12, 13, 14, 15);
            eject(0, ANY);
            hold(1, frozen);
            hold(2, banned);
            dead(3);
            Candidate[] all = {free(1), free(2), free(3), free(4), free(0)};

            assertThat(ask().panicking().of(all).lease().slot()).isZero();
            assertThat(ask().panicking().of(free(4)).answer())
                    .as("who serves needs no panic")
                    .isInstanceOf(Admitted.Busy.class);
            hold(0, draining);
            assertThat(ask().panicking().of(all).answer()).isInstanceOf(Admitted.Busy.class);
        }

        @Test
        void aDeadOneThatIsTestedIsLeasedToOneProbeAtATimeAndTestsNothingWhileHeld() {
            enrol(11, 12);
            dead(0);
            assertThat(ask().probing().of(free(0)).answer()).isInstanceOf(Admitted.Busy.class);
            Standing dead = standing(0);
            Standing tested =
                    new Standing(State.DEAD, dead.epoch(), dead.sinceMicros(), 0, MINUTE, 6, 0, dead.outSinceMicros());
            shift(0, 0, dead, tested, ANY);
            hold(0, frozen);
            assertThat(ask().probing().of(free(0)).answer()).isInstanceOf(Admitted.Busy.class);
            hold(0, Hold.NONE);
            ask().probing().of(free(0)).lease();
            assertThat(ask().probing().of(free(0)).answer()).isInstanceOf(Admitted.Busy.class);
            assertThat(ask().of(free(0)).answer()).isInstanceOf(Admitted.Busy.class);
        }

        @Test
        void whoIsRemovedAndReturnsIsHeldStill() {
            enrol(11, 12);
            hold(0, banned);
            enrol(12);
            enrol(11, 12);
            assertThat(standing(0).hold()).isEqualTo(banned);
        }
    }

    @Nested
    class ActiveProbes {
        private static final long IDLE = MINUTE / 2;

        private boolean claim(int slot, long claimer) {
            return now(store.claimProbe(new ProbeClaim(CHAIN, slot, claimer, IDLE, MINUTE)));
        }

        private void halfOpen(int slot) {
            Standing fresh = standing(slot);
            Standing out = out(fresh, Duration.ofMinutes(1));
            shift(slot, 0, fresh, out, ANY);
            shift(slot, 0, out, StateStoreContract.halfOpen(out), ANY);
        }

        @Test
        void ofSeveralInstancesOneProbes() {
            enrol(11, 12);
            halfOpen(0);

            assertThat(claim(0, 1)).isTrue();
            assertThat(claim(0, 2)).isFalse();
            assertThat(claim(0, 1)).as("its own again").isTrue();
        }

        @Test
        void aClaimEndsByItself() {
            enrol(11);
            halfOpen(0);
            claim(0, 1);

            pass(Duration.ofSeconds(61));

            assertThat(claim(0, 2)).isTrue();
        }

        @Test
        void anAddressThatServesIsProbedOnlyWhereItHasBeenIdle() {
            enrol(11);
            pass(Duration.ofSeconds(31));
            LeaseId lease = ask().lease();
            assertThat(claim(0, 1)).as("leased").isFalse();
            succeed(lease);
            assertThat(claim(0, 1)).as("leased just now").isFalse();

            pass(Duration.ofSeconds(31));

            assertThat(claim(0, 1)).isTrue();
            ask().lease();
        }

        @Test
        void aHalfOpenAddressIsTestedByOneAtATime() {
            enrol(11);
            halfOpen(0);
            LeaseId lease = ask().probing().lease();
            assertThat(claim(0, 1)).as("a live lease tests it").isFalse();
            succeed(lease);

            assertThat(claim(0, 1)).isTrue();
            assertThat(ask().probing().answer()).isInstanceOf(Admitted.Busy.class);

            pass(Duration.ofSeconds(61));
            ask().probing().lease();
        }

        @Test
        void whatIsQuarantinedOrNotThereIsNotProbed() {
            enrol(11);
            pass(Duration.ofSeconds(31));
            Standing fresh = standing(0);
            shift(0, 0, fresh, out(fresh, Duration.ofMinutes(1)), ANY);

            assertThat(claim(0, 1)).isFalse();
            assertThat(claim(1, 1)).isFalse();
            assertThat(claim(-1, 1)).isFalse();
        }
    }

    @Nested
    class Members {
        @Test
        void whoStaysKeepsItsSlotAndWhoReturnsGetsItBack() {
            List<Integer> before = enrol(11, 12, 13);
            enrol(11, 13);
            List<Integer> after = enrol(13, 12, 11);

            assertThat(after).containsExactly(before.get(2), before.get(1), before.get(0));
        }

        @Test
        void whoReturnsFindsItsStandingAndItsLeases() {
            enrol(11, 12, 13, 14);
            ask().of(new Candidate(1, 1, 1)).lease();
            eject(0, DEFAULT);
            enrol(13, 14);
            enrol(11, 12, 13, 14);

            assertThat(standing(0).state()).isEqualTo(State.QUARANTINED);
            assertThat(ask().of(new Candidate(1, 1, 1)).answer()).isInstanceOf(Admitted.Busy.class);
        }

        @Test
        void aNewOwnerOfASlotInheritsNothing() {
            enrol(11, 12, 13, 14);
            LeaseId old = ask().of(free(0)).lease();
            ejectCell(1, SITE, DEFAULT);
            succeed(old);
            enrol(13, 14, 21, 22);

            assertThat(ask().of(free(0)).lease().slot()).isZero();
            assertThat(ask().of(free(1)).lease().slot()).isEqualTo(1);
        }
    }

    @Nested
    class Feed {
        @Test
        void whoAsksLearnsWhatChangedSince() {
            enrol(11, 12, 13, 14);
            long version = now(store.changes(CHAIN, 0, 100)).version();
            eject(2, DEFAULT);
            ejectCell(1, SITE, DEFAULT);
            Changes changes = now(store.changes(CHAIN, version, 100));

            assertThat(changes.reset()).isFalse();
            assertThat(changes.changes())
                    .extracting(Changes.Change::slot, Changes.Change::target)
                    .containsExactly(tuple(2, 0L), tuple(1, SITE));
            assertThat(now(store.changes(CHAIN, changes.version(), 100)).changes())
                    .isEmpty();
        }

        @Test
        void whoMissedTooMuchReadsTheWholeTable() {
            enrol(11, 12, 13, 14);
            Standing standing = standing(0);
            for (int i = 0; i < 10_000; i++) {
                Standing next = new Standing(
                        i % 2 == 0 ? State.DEGRADED : State.HEALTHY,
                        standing.epoch(),
                        standing.sinceMicros(),
                        0,
                        0,
                        0,
                        0,
                        0);
                shift(0, 0, standing, next, ANY);
                standing = next;
            }
            Changes changes = now(store.changes(CHAIN, 1, 100));

            assertThat(changes.reset()).isTrue();
            assertThat(changes.changes()).hasSize(4);
        }
    }

    @Nested
    class Groups {
        private static final long PROVIDER = 71;
        private static final long SUBNET = 72;

        private void enrolTagged() {
            now(store.enrol(CHAIN, List.of(new Enrollee(11, PROVIDER, SUBNET), new Enrollee(12, 0, 0))));
        }

        private Settled fail(int slot) {
            pass(Duration.ofSeconds(1));
            LeaseId lease = ask().of(free(slot)).lease();
            return now(store.settle(
                    new Settlement(lease, Evidence.FAULT, Evidence.FAULT, Sign.UNREACHED, -1, true, false)));
        }

        private long guiltySince(Settled settled, long tally) {
            return settled.tallies().stream()
                    .filter(row -> row.id() == tally)
                    .findFirst()
                    .orElseThrow()
                    .guiltySinceMicros();
        }

        @Test
        void aFailureTellsWhatTargetPoolAndTagsHaveSeen() {
            enrolTagged();

            assertThat(fail(0).tallies())
                    .extracting(TallyRow::id)
                    .containsExactly(SITE, StateStore.POOL, PROVIDER, SUBNET);
            assertThat(fail(1).tallies()).extracting(TallyRow::id).containsExactly(SITE, StateStore.POOL);
        }

        @Test
        void aTallyIsFoundGuiltyAndAcquittedByTheOneWhoKnowsHowItStands() {
            enrolTagged();
            fail(0);

            assertThat(now(store.convict(CHAIN, SITE, 0, true))).isTrue();
            assertThat(now(store.convict(CHAIN, SITE, 0, true))).isFalse();
            long since = guiltySince(fail(0), SITE);
            assertThat(since).isPositive();
            assertThat(now(store.convict(CHAIN, SITE, since + 1, false))).isFalse();
            assertThat(now(store.convict(CHAIN, SITE, since, false))).isTrue();
            assertThat(guiltySince(fail(0), SITE)).isZero();
        }

        @Test
        void failuresOfAGuiltyGroupAreHeldAgainstNoAddress() {
            enrolTagged();
            fail(0);
            now(store.convict(CHAIN, PROVIDER, 0, true));

            assertThat(known(fail(0).address()).failStreak()).isEqualTo(1);
            fail(1);
            assertThat(known(fail(1).address()).failStreak()).isEqualTo(2);
        }

        @Test
        void whoLooksAtAnAddressSeesItsCellsAndWhoIsGuilty() {
            enrolTagged();
            fail(0);
            now(store.convict(CHAIN, SITE, 0, true));
            now(store.convict(CHAIN, PROVIDER, 0, true));
            SlotRows seen = now(store.rows(CHAIN, 0, List.of(SITE, OTHER_SITE)));

            assertThat(known(seen.address()).failStreak()).isEqualTo(1);
            assertThat(seen.cells()).containsOnlyKeys(SITE);
            assertThat(seen.guilty()).containsOnlyKeys(PROVIDER, SITE);
            assertThat(now(store.rows(CHAIN, 1, List.of(SITE))).guilty()).containsOnlyKeys(SITE);
            assertThat(now(store.rows(CHAIN, 7, List.of(SITE))).address()).isNull();
        }
    }

    @Nested
    class ASessionSeen {
        @Test
        void whereItIsBoundAndHowItStands() {
            enrol(11, 12);
            LeaseId lease = ask().in(session(5)).lease();
            SessionRow seen = now(store.session(CHAIN, 5)).orElseThrow();

            assertThat(seen.slot()).isEqualTo(lease.slot());
            assertThat(seen.present()).isTrue();
            assertThat(seen.live()).isEqualTo(1);
            assertThat(seen.confirmed()).isFalse();
            succeed(lease);
            assertThat(now(store.session(CHAIN, 5)).orElseThrow().confirmed()).isTrue();
            assertThat(now(store.session(CHAIN, 6))).isEmpty();
        }

        @Test
        void whoseAddressIsInNoListAnyMore() {
            enrol(11, 12);
            succeed(ask().in(session(5)).lease());
            enrol(12);
            enrol(12, 13);

            assertThat(now(store.session(CHAIN, 5)).orElseThrow().present()).isFalse();
            assertThat(ask().of(free(0), free(1)).in(session(5)).answer()).isInstanceOf(Admitted.SessionEnded.class);
            assertThat(now(store.session(CHAIN, 5)).orElseThrow().state()).isEqualTo(SessionRow.State.ENDED);
        }

        @Test
        void thatLivesInAFallbackPool() {
            enrol(11);
            enrolSpare(21);
            succeed(ask().from(SPARE).in(session(5)).lease());

            assertThat(now(store.session(CHAIN, 5)).orElseThrow().chain()).isEqualTo(SPARE);
            assertThat(now(store.session(SPARE, 5))).isEmpty();
        }
    }
}
