package io.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.LeaseId;
import io.paceline.SettleResult;
import io.paceline.health.Budget;
import io.paceline.health.Standing;
import io.paceline.health.State;
import io.paceline.health.SubjectRow;
import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.store.Admission.Purpose;
import io.paceline.store.SessionClaim.Caps;
import io.paceline.store.Settlement.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Members, standings, feed and waits of a chain, through the embedded store's public door. */
class ChainTableTest {
    private static final int CHAIN = 7;
    private static final long SITE = 101;
    private static final long OTHER_SITE = 202;
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final Budget USUAL = new Budget(0.3, 2);

    private long now = 1_772_366_400_000_000L;
    private final MemoryStore store = new MemoryStore(() -> now);
    private long nextId = 1_000;

    // ---- enrolment

    @Test
    void who_stays_keeps_slot_row_and_leases() {
        enrol(11, 12, 13);
        long lease = lease(1);
        Standing degraded = row(2).standing().inState(State.DEGRADED, now);
        shift(2, 0, degraded, USUAL);
        Enrolled again = enrol(13, 14, 12);
        assertThat(again.slots()).containsExactly(2, 0, 1);
        assertThat(again.tableSize()).as("the tombstone of 11 serves 14").isEqualTo(3);
        assertThat(again.rows().get(0).standing()).isEqualTo(degraded);
        assertThat(again.rows().get(2).live()).isEqualTo(1);
        assertThat(settle(lease, 1).result()).isEqualTo(SettleResult.RELEASED);
    }

    @Test
    void who_returns_finds_slot_standing_and_leases_again() {
        enrol(11, 12, 13, 14);
        long lease = lease(1);
        Standing out = quarantined(1, 0, MINUTE);
        assertThat(shift(1, 0, out, USUAL)).isInstanceOf(Shifted.Applied.class);
        enrol(11, 13, 14);
        assertThat(admit(1)).isInstanceOf(Admitted.Busy.class);
        Enrolled back = enrol(14, 13, 12, 11);
        assertThat(back.slots()).containsExactly(3, 2, 1, 0);
        assertThat(back.rows().get(2).standing()).isEqualTo(out);
        assertThat(back.rows().get(2).live()).isEqualTo(1);
        assertThat(settle(lease, 1).result()).isEqualTo(SettleResult.RELEASED);
    }

    @Test
    void a_new_owner_does_not_take_the_slot_of_one_that_the_same_list_brings_back() {
        enrol(11, 12, 13, 14);
        Standing out = quarantined(0, 0, MINUTE);
        shift(0, 0, out, USUAL);
        enrol(12, 13, 14);
        Enrolled back = enrol(99, 11, 12, 13, 14);
        assertThat(back.slots()).containsExactly(4, 0, 1, 2, 3);
        assertThat(back.rows().get(1).standing()).isEqualTo(out);
    }

    @Test
    void a_tombstone_with_live_leases_is_nobody_elses_slot() {
        enrol(11, 12);
        long lease = lease(0);
        enrol(12, 13);
        assertThat(enrol(12, 13).slots()).containsExactly(1, 2);
        settle(lease, 0);
        assertThat(enrol(12, 13, 14).slots()).as("now it is free").containsExactly(1, 2, 0);
    }

    @Test
    void a_slot_with_a_new_owner_has_a_new_epoch_and_no_cells() {
        enrol(11, 12, 13, 14);
        int before = row(0).standing().epoch();
        shift(0, SITE, quarantined(0, SITE, 10 * MINUTE), USUAL);
        assertThat(admit(0)).isInstanceOf(Admitted.Busy.class);
        enrol(21, 12, 13, 14);
        assertThat(row(0).standing().epoch()).isGreaterThan(before);
        assertThat(row(0).standing().state()).isEqualTo(State.HEALTHY);
        assertThat(admit(0)).isInstanceOf(Admitted.Granted.class);
        Changes all = get(store.changes(CHAIN, -1, 100));
        assertThat(all.reset()).isTrue();
        assertThat(all.changes()).extracting(Changes.Change::target).containsOnly(0L);
    }

    @Test
    void a_session_ends_with_its_address_though_its_slot_has_another_owner() {
        enrol(11, 12);
        SessionClaim claim = new SessionClaim(
                CHAIN, 5, 15 * MINUTE, true, OnAddressDeath.END, 2 * MINUTE, List.of(new Caps(CHAIN, 10, 10)));
        assertThat(granted(admit(claim, 0)).slot()).isZero();
        settle(nextId - 1, 0);
        enrol(21, 12);
        assertThat(admit(claim, 0, 1)).isInstanceOf(Admitted.SessionEnded.class);
        enrol(11, 12, 21);
        assertThat(admit(claim, 0, 1)).as("stays ended").isInstanceOf(Admitted.SessionEnded.class);
        assertThat(get(store.endSession(CHAIN, 5))).isTrue();
        assertThat(admit(claim, 0, 1)).isInstanceOf(Admitted.Granted.class);
    }

    @Test
    void a_session_whose_address_and_cell_are_both_out_ends_with_the_first_that_is_out_for_too_long() {
        enrol(11, 12, 13, 14);
        SessionClaim claim = new SessionClaim(
                CHAIN, 5, 15 * MINUTE, true, OnAddressDeath.END, 2 * MINUTE, List.of(new Caps(CHAIN, 10, 10)));
        admit(claim, 0);
        settle(nextId - 1, 0);
        shift(0, SITE, quarantined(0, SITE, 10 * MINUTE), USUAL);
        now += 100 * SECOND;
        shift(0, 0, quarantined(0, 0, MINUTE), USUAL);
        assertThat(admit(claim)).isInstanceOf(Admitted.SessionPaused.class);
        now += 30 * SECOND;
        assertThat(admit(claim)).isInstanceOf(Admitted.SessionEnded.class);
    }

    // ---- feed

    @Test
    void the_feed_tells_what_changed_since_and_resets_who_has_missed_too_much() {
        long version = enrol(11, 12, 13, 14).version();
        assertThat(get(store.changes(CHAIN, version, 10)).changes()).isEmpty();
        shift(1, 0, row(1).standing().inState(State.DEGRADED, now), USUAL);
        shift(2, SITE, quarantined(2, SITE, MINUTE), USUAL);
        Changes first = get(store.changes(CHAIN, version, 1));
        assertThat(first.reset()).isFalse();
        assertThat(first.changes()).extracting(Changes.Change::slot).containsExactly(1);
        Changes second = get(store.changes(CHAIN, first.version(), 10));
        assertThat(second.changes()).extracting(Changes.Change::target).containsExactly(SITE);
        assertThat(get(store.changes(CHAIN, second.version(), 10)).changes()).isEmpty();
        for (int i = 0; i < 5_000; i++) {
            State next = i % 2 == 0 ? State.HEALTHY : State.DEGRADED;
            shift(1, 0, row(1).standing().inState(next, now), USUAL);
        }
        Changes all = get(store.changes(CHAIN, version, 10));
        assertThat(all.reset()).isTrue();
        assertThat(all.changes()).hasSize(5);
        assertThat(get(store.changes(CHAIN, all.version() + 1, 10)).reset())
                .as("a version from the future is of another life of the store")
                .isTrue();
        assertThat(get(store.changes(CHAIN, all.version() - 4_095, 10)).reset()).isFalse();
    }

    @Test
    void a_removed_address_is_told_as_removed() {
        long version = enrol(11, 12).version();
        enrol(12);
        Changes changes = get(store.changes(CHAIN, version, 10));
        assertThat(changes.changes()).singleElement().satisfies(change -> {
            assertThat(change.slot()).isZero();
            assertThat(change.removed()).isTrue();
        });
    }

    // ---- waits

    @Test
    void a_wait_that_is_over_is_handed_to_one_caller_and_again_only_if_nobody_acts() {
        enrol(11, 12, 13, 14);
        shift(0, 0, quarantined(0, 0, MINUTE), USUAL);
        Due early = get(store.due(CHAIN, 10));
        assertThat(early.waits()).isEmpty();
        assertThat(early.nextMicros()).isEqualTo(now + MINUTE);
        now += MINUTE;
        assertThat(get(store.due(CHAIN, 10)).waits()).hasSize(1);
        assertThat(get(store.due(CHAIN, 10)).waits()).as("claimed").isEmpty();
        now += 5 * SECOND;
        assertThat(get(store.due(CHAIN, 10)).waits()).as("the claim has lapsed").hasSize(1);
        shift(0, 0, halfOpen(row(0).standing()), USUAL);
        now += 5 * SECOND;
        Due after = get(store.due(CHAIN, 10));
        assertThat(after.waits()).isEmpty();
        assertThat(after.nextMicros()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void the_wait_of_an_address_that_is_removed_meanwhile_is_over_when_it_returns() {
        enrol(11, 12, 13, 14);
        shift(0, 0, quarantined(0, 0, MINUTE), USUAL);
        enrol(12, 13, 14);
        now += 2 * MINUTE;
        assertThat(get(store.due(CHAIN, 10)).waits())
                .as("nobody's business now")
                .isEmpty();
        enrol(11, 12, 13, 14);
        now += 5 * SECOND;
        assertThat(get(store.due(CHAIN, 10)).waits()).extracting(Due.Wait::slot).containsExactly(0);
    }

    @Test
    void the_wait_of_a_cell_is_over_too_when_its_address_returns() {
        enrol(11, 12, 13, 14);
        shift(0, SITE, quarantined(0, SITE, MINUTE), USUAL);
        enrol(12, 13, 14);
        now += 2 * MINUTE;
        assertThat(get(store.due(CHAIN, 10)).waits()).isEmpty();
        enrol(11, 12, 13, 14);
        now += 5 * SECOND;
        assertThat(get(store.due(CHAIN, 10)).waits())
                .extracting(Due.Wait::target)
                .containsExactly(SITE);
    }

    @Test
    void due_hands_out_no_more_than_asked_for() {
        enrol(LongStream.range(0, 100).toArray());
        for (int slot = 0; slot < 20; slot++) {
            shift(slot, 0, quarantined(slot, 0, MINUTE), USUAL);
        }
        now += MINUTE;
        assertThat(get(store.due(CHAIN, 15)).waits()).hasSize(15);
        assertThat(get(store.due(CHAIN, 15)).waits()).hasSize(5);
    }

    // ---- compare-and-set and budgets

    @Test
    void a_shift_from_any_other_standing_is_stale_and_one_of_an_empty_slot_gone() {
        enrol(11, 12, 13, 14);
        Standing fresh = row(0).standing();
        Standing degraded = fresh.inState(State.DEGRADED, now);
        shift(0, 0, degraded, USUAL);
        Shifted stale = get(store.shift(new Shift(CHAIN, 0, 0, fresh, degraded, USUAL)));
        assertThat(stale)
                .isInstanceOfSatisfying(
                        Shifted.Stale.class, s -> assertThat(s.row().standing()).isEqualTo(degraded));
        assertThat(get(store.shift(new Shift(CHAIN, 9, 0, fresh, degraded, USUAL))))
                .isInstanceOf(Shifted.Gone.class);
        enrol(12, 13, 14);
        assertThat(get(store.shift(new Shift(CHAIN, 0, 0, degraded, fresh, USUAL))))
                .isInstanceOf(Shifted.Gone.class);
    }

    @Test
    void the_share_is_counted_after_the_step_and_frees_with_each_return() {
        enrol(LongStream.range(0, 10).toArray());
        for (int slot = 0; slot < 3; slot++) {
            assertThat(shift(slot, 0, quarantined(slot, 0, MINUTE), USUAL)).isInstanceOf(Shifted.Applied.class);
        }
        assertThat(shift(3, 0, quarantined(3, 0, MINUTE), USUAL)).isInstanceOf(Shifted.Capped.class);
        shift(0, 0, halfOpen(row(0).standing()), Budget.NONE);
        assertThat(shift(3, 0, quarantined(3, 0, MINUTE), USUAL))
                .as("half-open is out still")
                .isInstanceOf(Shifted.Capped.class);
        shift(0, 0, new Standing(State.HEALTHY, 9, now, 0, 0, 0, 0, 0), Budget.NONE);
        assertThat(shift(3, 0, quarantined(3, 0, MINUTE), USUAL)).isInstanceOf(Shifted.Applied.class);
    }

    @Test
    void a_relapse_of_what_is_out_already_needs_no_budget() {
        enrol(11, 12, 13);
        shift(0, 0, quarantined(0, 0, MINUTE), USUAL);
        shift(0, 0, halfOpen(row(0).standing()), Budget.NONE);
        assertThat(shift(0, 0, quarantined(0, 0, 2 * MINUTE), USUAL)).isInstanceOf(Shifted.Applied.class);
    }

    @Test
    void removing_and_returning_addresses_keeps_the_count_of_who_is_out() {
        enrol(LongStream.range(0, 10).toArray());
        for (int slot = 0; slot < 3; slot++) {
            shift(slot, 0, quarantined(slot, 0, MINUTE), USUAL);
        }
        enrol(LongStream.range(3, 10).toArray());
        assertThat(shift(3, 0, quarantined(3, 0, MINUTE), USUAL)).isInstanceOf(Shifted.Applied.class);
        assertThat(shift(4, 0, quarantined(4, 0, MINUTE), USUAL)).isInstanceOf(Shifted.Applied.class);
        assertThat(shift(5, 0, quarantined(5, 0, MINUTE), USUAL))
                .as("2 of 7 are 29 %, 3 would be 43 %")
                .isInstanceOf(Shifted.Capped.class);
        enrol(LongStream.range(0, 20).toArray());
        assertThat(shift(5, 0, quarantined(5, 0, MINUTE), USUAL))
                .as("5 of 20, the sixth makes 30 %")
                .isInstanceOf(Shifted.Applied.class);
        assertThat(shift(6, 0, quarantined(6, 0, MINUTE), USUAL)).isInstanceOf(Shifted.Capped.class);
    }

    @Test
    void the_share_of_cells_is_each_targets_own() {
        enrol(LongStream.range(0, 10).toArray());
        for (int slot = 0; slot < 3; slot++) {
            assertThat(shift(slot, SITE, quarantined(slot, SITE, MINUTE), USUAL))
                    .isInstanceOf(Shifted.Applied.class);
        }
        assertThat(shift(3, SITE, quarantined(3, SITE, MINUTE), USUAL)).isInstanceOf(Shifted.Capped.class);
        assertThat(shift(3, OTHER_SITE, quarantined(3, OTHER_SITE, MINUTE), USUAL))
                .isInstanceOf(Shifted.Applied.class);
    }

    @Test
    void the_floor_counts_what_is_really_left_for_the_target_that_is_worst_off() {
        Budget floorOnly = new Budget(1, 2);
        enrol(11, 12, 13, 14);
        shift(0, SITE, quarantined(0, SITE, MINUTE), floorOnly);
        assertThat(shift(1, 0, quarantined(1, 0, MINUTE), floorOnly)).isInstanceOf(Shifted.Applied.class);
        assertThat(shift(2, 0, quarantined(2, 0, MINUTE), floorOnly))
                .as("the site would be left with 14 alone")
                .isInstanceOf(Shifted.Capped.class);
        assertThat(shift(2, SITE, quarantined(2, SITE, MINUTE), floorOnly)).isInstanceOf(Shifted.Capped.class);
        assertThat(shift(0, 0, quarantined(0, 0, MINUTE), floorOnly))
                .as("the site has lost 11 already")
                .isInstanceOf(Shifted.Applied.class);
        assertThat(shift(1, SITE, quarantined(1, SITE, MINUTE), floorOnly))
                .as("the site has lost 12 already")
                .isInstanceOf(Shifted.Applied.class);
    }

    // ---- rules that change under a ticket

    @Test
    void a_ticket_is_redeemed_under_rules_that_were_reloaded_meanwhile() {
        enrol(11, 12);
        Charge slow = Charge.of("slow", "slow", new LimitSpec.Gcra(SECOND, 1), MINUTE, false);
        Charge live = Charge.of("live", "live", new LimitSpec.Concurrency(1), MINUTE, false);
        Charge added = Charge.of("added", "added", new LimitSpec.Window(1, MINUTE), 0, false);
        admit(List.of(slow), 0);
        long first = reserved(List.of(slow));
        long second = reserved(List.of(slow));
        long third = reserved(List.of(slow));
        now += 4 * SECOND;
        assertThat(redeem(first, List.of())).as("no rule is left").isInstanceOf(Admitted.Granted.class);
        assertThat(redeem(second, List.of(live, added, slow)))
                .as("two were added")
                .isInstanceOf(Admitted.Granted.class);
        assertThat(redeem(third, List.of(added, slow)))
                .as("what was added is paid for, and has no room")
                .isInstanceOfSatisfying(
                        Admitted.Full.class, full -> assertThat(full.binding()).isEqualTo(added));
        assertThat(admit(List.of(live), 1)).as("the lease counts").isInstanceOf(Admitted.Full.class);
    }

    private long reserved(List<Charge> charges) {
        Admitted answer = admit(charges, 0);
        assertThat(answer).isInstanceOf(Admitted.Reserved.class);
        return ((Admitted.Reserved) answer).ticket();
    }

    private Admitted redeem(long ticket, List<Charge> charges) {
        return get(store.admit(new Admission(
                nextId++, Purpose.SERVE, CHAIN, SITE, charges, candidates(0, 1), null, 1, MINUTE, MINUTE, ticket)));
    }

    // ---- words of the timelines

    private Enrolled enrol(long... identities) {
        return get(store.enrol(
                CHAIN, Enrollee.plain(LongStream.of(identities).boxed().toList())));
    }

    private SubjectRow row(int slot) {
        return Objects.requireNonNull(
                get(store.observe(CHAIN, slot, 0, Evidence.NONE, Evidence.NONE)).address());
    }

    private Standing standing(int slot, long target) {
        Evidence onCell = target == 0 ? Evidence.NONE : Evidence.SUCCESS;
        Settled seen = get(store.observe(CHAIN, slot, target, Evidence.NONE, onCell));
        SubjectRow row = target == 0 ? seen.address() : seen.cell();
        return Objects.requireNonNull(row).standing();
    }

    private Standing quarantined(int slot, long target, long wait) {
        Standing from = standing(slot, target);
        return new Standing(State.QUARANTINED, from.epoch() + 1, now, now + wait, wait, from.relapses() + 1, 0, now);
    }

    private Standing halfOpen(Standing from) {
        return new Standing(
                State.PROBING, from.epoch(), now, 0, from.waitMicros(), from.relapses(), 0, from.outSinceMicros());
    }

    private Shifted shift(int slot, long target, Standing to, Budget budget) {
        return get(store.shift(new Shift(CHAIN, slot, target, standing(slot, target), to, budget)));
    }

    private static List<Candidate> candidates(int... slots) {
        List<Candidate> candidates = new ArrayList<>();
        for (int slot : slots) {
            candidates.add(new Candidate(slot, 10, 10));
        }
        return candidates;
    }

    private Admitted admit(int... slots) {
        return admit(null, List.of(), slots);
    }

    private Admitted admit(SessionClaim claim, int... slots) {
        return admit(claim, List.of(), slots);
    }

    private Admitted admit(List<Charge> charges, int... slots) {
        return admit(null, charges, slots);
    }

    private Admitted admit(@Nullable SessionClaim claim, List<Charge> charges, int... slots) {
        return get(store.admit(new Admission(
                nextId++, Purpose.SERVE, CHAIN, SITE, charges, candidates(slots), claim, 1, 10 * MINUTE, MINUTE, 0)));
    }

    private long lease(int slot) {
        assertThat(granted(admit(slot)).slot()).isEqualTo(slot);
        return nextId - 1;
    }

    private static Admitted.Grant granted(Admitted answer) {
        assertThat(answer).isInstanceOf(Admitted.Granted.class);
        return ((Admitted.Granted) answer).grants().get(0);
    }

    private Settled settle(long lease, int slot) {
        LeaseId id = new LeaseId(lease, CHAIN, slot, SITE, now + MINUTE);
        return get(store.settle(new Settlement(id, Evidence.SUCCESS, Evidence.SUCCESS, 1_000, true, false)));
    }

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    @Test
    void sessions_that_are_over_do_not_pile_up() {
        ChainTable chain = new ChainTable(CHAIN);
        chain.enrol(Enrollee.plain(List.of(11L)), now);
        AddressRow address = Objects.requireNonNull(chain.row(0));
        for (int i = 0; i < 100_000; i++) {
            now += 1_000;
            long key = new SplittableRandom(i).nextLong();
            SessionClaim claim = new SessionClaim(
                    CHAIN, key, SECOND, true, OnAddressDeath.END, 2 * MINUTE, List.of(new Caps(CHAIN, 10, 10)));
            chain.sessions.bind(claim, chain, address, null, now).confirmed = true;
        }
        assertThat(chain.sessions.size())
                .as("a thousand live ones, and what the walk has not come to yet")
                .isLessThan(20_000);
    }
}
