package io.paceline.sim.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.LeaseId;
import io.paceline.health.Budget;
import io.paceline.health.Hold;
import io.paceline.health.Standing;
import io.paceline.health.State;
import io.paceline.pool.PoolSettings;
import io.paceline.store.Admission;
import io.paceline.store.Admission.Purpose;
import io.paceline.store.Admitted;
import io.paceline.store.Candidate;
import io.paceline.store.Enrolled;
import io.paceline.store.Enrollee;
import io.paceline.store.MemoryStore;
import io.paceline.store.OnAddressDeath;
import io.paceline.store.SessionClaim;
import io.paceline.store.Settlement;
import io.paceline.store.Settlement.Evidence;
import io.paceline.store.Shift;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The books notice what a store lets through when it is asked for what must never be. */
class AuditorTest {
    private static final int CHAIN = 1;
    private static final long SITE = 77;

    private long now = Time.START;
    private final PoolSettings settings = PoolSettings.defaults("default");
    private final Auditor auditor = new Auditor(new MemoryStore(() -> now), settings, () -> now);
    private long lastId;

    private Enrolled enrol(int members) {
        return auditor.enrol(
                        CHAIN,
                        Enrollee.plain(LongStream.range(0, members).boxed().toList()))
                .toCompletableFuture()
                .join();
    }

    /** The candidate's own cap is far above the configured one. */
    private Admitted.Granted lease() {
        return (Admitted.Granted)
                auditor.admit(admission(Purpose.SERVE)).toCompletableFuture().join();
    }

    private Admission admission(Purpose purpose) {
        return new Admission(
                ++lastId * 1_000,
                purpose,
                CHAIN,
                SITE,
                List.of(),
                List.of(new Candidate(0, 100, 100)),
                null,
                1,
                60_000_000,
                0,
                0);
    }

    private void quarantine(int slot, Standing from) {
        Standing to = new Standing(State.QUARANTINED, from.epoch() + 1, now, now + 60_000_000, 60_000_000, 1, 0, now);
        auditor.shift(new Shift(CHAIN, slot, 0, from, to, Budget.NONE));
    }

    @Test
    void aLeaseBeyondTheCapIsNoticedAndAnEndedOneCountsNoMore() {
        enrol(1);
        List<Admitted.Granted> grants = new ArrayList<>();
        for (int i = 0; i < settings.maxLeases(); i++) {
            grants.add(lease());
        }
        assertThat(auditor.violations()).isEmpty();

        Admitted.Grant first = grants.get(0).grants().get(0);
        LeaseId id = new LeaseId(first.leaseId(), CHAIN, 0, SITE, first.expiresAtMicros());
        auditor.settle(new Settlement(id, Evidence.SUCCESS, Evidence.SUCCESS, 1, true, false));
        lease();
        assertThat(auditor.violations()).isEmpty();

        lease();
        assertThat(auditor.violations().get(0)).contains("leases on slot 0, its cap is 10");
    }

    @Test
    void expiredLeasesCountNoMore() {
        enrol(1);
        for (int i = 0; i < settings.maxLeases(); i++) {
            lease();
        }
        now += 61_000_000;
        lease();

        assertThat(auditor.violations()).isEmpty();
    }

    @Test
    void moreOutThanTheShareAllowsIsNoticed() {
        Enrolled enrolled = enrol(10);
        for (int slot = 0; slot < 3; slot++) {
            quarantine(slot, enrolled.rows().get(slot).standing());
        }
        assertThat(auditor.violations()).isEmpty();

        quarantine(3, enrolled.rows().get(3).standing());
        assertThat(auditor.violations()).hasSize(1).first().asString().contains("4 of 10 addresses out, at most 3");
    }

    @Test
    void fewerInServiceThanTheFloorIsNoticed() {
        Enrolled enrolled = enrol(3);
        quarantine(0, enrolled.rows().get(0).standing());
        quarantine(1, enrolled.rows().get(1).standing());

        assertThat(auditor.violations()).anyMatch(line -> line.contains("the floor is 2"));
    }

    private void hold(int slot, Standing from, Hold hold) {
        auditor.shift(new Shift(CHAIN, slot, 0, from, from.under(hold), Budget.NONE));
    }

    @Test
    void whatPeopleHoldIsNoMemberOfWhatTheShareIsTakenOf() {
        Enrolled enrolled = enrol(10);
        for (int slot = 0; slot < 5; slot++) {
            hold(slot, enrolled.rows().get(slot).standing(), Hold.NONE.withFrozen(true));
        }
        quarantine(5, enrolled.rows().get(5).standing());
        assertThat(auditor.violations())
                .as("orders need no budget, and one of five may go")
                .isEmpty();

        quarantine(6, enrolled.rows().get(6).standing());
        assertThat(auditor.violations()).first().asString().contains("2 of 5 addresses out, at most 1");
    }

    @Test
    void aPanicLeaseWithoutPanicIsNoticed() {
        Enrolled enrolled = enrol(1);
        quarantine(0, enrolled.rows().get(0).standing());
        auditor.admit(admission(Purpose.PANIC));

        assertThat(auditor.violations()).anyMatch(line -> line.contains("a panic lease on slot 0"));
    }

    @Test
    void aRefusalBesideAFreeAddressIsNoticed() {
        enrol(2);
        auditor.refusedForWantOfAddress(SITE);
        assertThat(auditor.violations()).as("free for an instant only").isEmpty();

        now += 2_000_000;
        auditor.refusedForWantOfAddress(SITE);
        assertThat(auditor.violations()).first().asString().contains("though slot 0 was free");
    }

    private static SessionClaim session(OnAddressDeath death) {
        return new SessionClaim(
                CHAIN, 5, 900_000_000, true, death, 120_000_000, List.of(new SessionClaim.Caps(CHAIN, 10, 10)));
    }

    /** A lease of the session on the slot, which ends well unless it is to stay. */
    private void visit(OnAddressDeath death, int slot, boolean stays) {
        Admission admission = new Admission(
                ++lastId * 1_000,
                Purpose.SERVE,
                CHAIN,
                SITE,
                List.of(),
                List.of(new Candidate(slot, 10, 10)),
                session(death),
                1,
                60_000_000,
                0,
                0);
        Admitted.Granted granted = (Admitted.Granted)
                auditor.admit(admission).toCompletableFuture().join();
        Admitted.Grant grant = granted.grants().get(0);
        if (!stays) {
            LeaseId id = new LeaseId(grant.leaseId(), CHAIN, grant.slot(), SITE, grant.expiresAtMicros());
            auditor.settle(new Settlement(id, Evidence.SUCCESS, Evidence.SUCCESS, 1, true, false));
        }
    }

    @Test
    void aSessionMayLeaveAnAddressThatIsLostWhereItIsConfiguredTo() {
        enrol(2);
        visit(OnAddressDeath.MIGRATE, 0, false);
        auditor.enrol(CHAIN, Enrollee.plain(List.of(1L)));
        visit(OnAddressDeath.MIGRATE, 1, false);

        assertThat(auditor.violations()).isEmpty();
        assertThat(auditor.moves()).isEqualTo(1);
    }

    @Test
    void aSessionMayLeaveWhenAPersonAsksForIt() {
        enrol(2);
        visit(OnAddressDeath.END, 0, false);
        auditor.repinSession(CHAIN, 5);
        visit(OnAddressDeath.END, 1, false);

        assertThat(auditor.violations()).isEmpty();
    }

    @Test
    void oneStartTooManyInsideAWindowIsNoticed() {
        Starts starts = new Starts(3, 100);

        assertThat(starts.add(0)).isTrue();
        assertThat(starts.add(10)).isTrue();
        assertThat(starts.add(20)).isTrue();
        assertThat(starts.add(100)).isTrue();
        assertThat(starts.add(109)).isFalse();
        starts.remove(109);
        starts.remove(100);
        assertThat(starts.add(120)).isTrue();
    }
}
