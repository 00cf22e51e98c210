package io.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.paceline.LeaseId;
import io.paceline.SettleResult;
import io.paceline.health.Budget;
import io.paceline.health.Standing;
import io.paceline.health.State;
import io.paceline.health.SubjectRow;
import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.pace.PaceRow;
import io.paceline.pace.Per;
import io.paceline.pace.Scope;
import io.paceline.store.Admission.Purpose;
import io.paceline.store.Settlement.Evidence;
import java.time.Duration;
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

/**
 * What every {@link StateStore} promises. A store's own test extends this class and says how to make one and how its time
 * passes; everything else goes through the port.
 */
public abstract class StateStoreContract {
    protected static final int CHAIN = 7;
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
        return now(store.enrol(CHAIN, LongStream.of(identities).boxed().toList()))
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
        return new SessionClaim(key, 15 * MINUTE, true, 10, 10, 2 * MINUTE);
    }

    private final class Ask {
        private long id = ++lastId * 1_000;
        private Purpose purpose = Purpose.SERVE;
        private long target = SITE;
        private List<Charge> charges = List.of();
        private List<Candidate> candidates = List.of(free(0));
        private @Nullable SessionClaim session;
        private int count = 1;
        private long ttl = MINUTE;
        private long maxWait = 0;
        private long ticket = 0;

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
                    id, purpose, CHAIN, target, charges, candidates, session, count, ttl, maxWait, ticket)));
        }

        Admitted.Granted granted() {
            Admitted answer = answer();
            assertThat(answer).isInstanceOf(Admitted.Granted.class);
            return (Admitted.Granted) answer;
        }

        /** The id of the one lease granted. */
        LeaseId lease() {
            Admitted.Grant grant = granted().grants().get(0);
            return new LeaseId(grant.leaseId(), CHAIN, grant.slot(), target, grant.expiresAtMicros());
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
            SessionClaim sliding = new SessionClaim(1, 10_000_000, true, 10, 10, 2 * MINUTE);
            SessionClaim fixed = new SessionClaim(2, 10_000_000, false, 10, 10, 2 * MINUTE);
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
            SessionClaim exclusive = new SessionClaim(1, MINUTE, true, 1, 1, 2 * MINUTE);
            LeaseId first = ask().in(exclusive).of(new Candidate(0, 1, 1)).lease();

            assertThat(ask().in(exclusive).of(free(1)).answer()).isInstanceOf(Admitted.SessionBusy.class);
            succeed(first);
            assertThat(ask().in(exclusive).of(free(1)).lease().slot()).isZero();
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
}
