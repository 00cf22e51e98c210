package io.paceline.pool;

import static io.paceline.pool.PoolFixture.OTHER_SITE;
import static io.paceline.pool.PoolFixture.SITE;
import static io.paceline.pool.PoolFixture.START;
import static io.paceline.pool.PoolFixture.address;
import static io.paceline.pool.PoolFixture.query;
import static io.paceline.pool.PoolFixture.settings;
import static io.paceline.pool.PoolFixture.tagged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.paceline.Address;
import io.paceline.health.Standing;
import io.paceline.health.State;
import io.paceline.health.SubjectRow;
import io.paceline.store.Admitted.CandidateRow;
import io.paceline.store.Candidate;
import io.paceline.store.Changes;
import io.paceline.store.Enrolled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PoolViewTest {
    private static final long SECOND = 1_000_000;
    private static final PoolSettings TEN = settings(Strategy.WEIGHTED, 10);
    private static final PoolSettings ONE = settings(Strategy.LEAST_LEASES, 1);

    private static AddressStatus status(PoolFixture pool, int slot) {
        return pool.view.addresses().get(slot);
    }

    private static SubjectRow row(Standing standing, int live, int revision) {
        return new SubjectRow(standing, 0, 0, 0, 0, 0, 0, live, revision);
    }

    // ---- configuration

    @Test
    void who_stays_keeps_what_is_known_of_it() {
        PoolFixture pool = new PoolFixture(TEN, 3);
        pool.granted(1);
        pool.granted(1);
        pool.stands(2, pool.degraded());
        pool.grow(TEN);
        assertThat(status(pool, 1).live()).isEqualTo(2);
        assertThat(status(pool, 1).uses()).isEqualTo(2);
        assertThat(status(pool, 1).lastUsedMicros()).isEqualTo(START);
        assertThat(status(pool, 2).standing().state()).isEqualTo(State.DEGRADED);
        assertThat(status(pool, 2).weight()).isEqualTo(0.5, within(1e-9));
        assertThat(pool.view.size()).isEqualTo(4);
        assertThat(pool.view.slotOf("a3")).isEqualTo(3);
        assertThat(pool.view.slotOf("nobody")).isEqualTo(-1);
    }

    @Test
    void new_settings_weights_and_tags_hold_at_once() {
        PoolFixture pool = new PoolFixture(TEN, 2);
        pool.granted(0);
        List<Address> heavier = List.of(address("a0", Map.of("country", "de"), 4), address("a1", Map.of(), 1));
        pool.view.configure(ONE, heavier, new Enrolled(List.of(0, 1), List.of(pool.row(0), pool.row(1)), 2, 0), START);
        assertThat(status(pool, 0).weight()).isEqualTo(4, within(1e-9));
        assertThat(status(pool, 0).cap()).isEqualTo(1);
        assertThat(pool.propose(query(Strategy.LEAST_LEASES), 5))
                .as("a0 is at its new cap")
                .containsExactly(1);
        assertThat(pool.propose(tagged(Strategy.HASH, 1, Map.of("country", "de")), 5))
                .containsExactly(0);
    }

    @Test
    void new_settings_hold_at_once_where_an_outcome_has_overtaken_the_enrolment() {
        PoolFixture pool = new PoolFixture(TEN, 1);
        pool.view.shifted(0, 0, row(pool.halfOpen(), 0, 7), START);
        Enrolled older = new Enrolled(List.of(0), List.of(row(pool.quarantined(), 3, 6)), 1, 0);
        pool.view.configure(ONE, List.of(address("a0", Map.of(), 1)), older, START);
        assertThat(status(pool, 0).cap()).isEqualTo(1);
        assertThat(status(pool, 0).live()).isZero();
        long probes = IntStream.range(0, 200)
                .filter(i -> pool.view.probe(query(Strategy.RANDOM), START) != null)
                .count();
        assertThat(probes).as("it is still tested").isPositive();
    }

    @Test
    void a_new_owner_of_a_slot_inherits_nothing_not_even_cells() {
        PoolFixture pool = new PoolFixture(TEN, 2);
        pool.granted(0);
        pool.cellStands(0, SITE, pool.quarantined(), 4);
        pool.cellStands(1, SITE, pool.halfOpen(), 4);
        List<Address> other = List.of(address("b0", Map.of(), 1), address("b1", Map.of(), 1));
        SubjectRow fresh = PoolFixture.fresh();
        pool.view.configure(TEN, other, new Enrolled(List.of(0, 1), List.of(fresh, fresh), 2, 0), START);
        assertThat(status(pool, 0).live()).isZero();
        assertThat(status(pool, 0).uses()).isZero();
        assertThat(status(pool, 0).cellsOut()).isZero();
        assertThat(pool.propose(query(Strategy.RANDOM), 5)).containsExactlyInAnyOrder(0, 1);
        for (int i = 0; i < 20; i++) {
            assertThat(pool.view.probe(query(Strategy.RANDOM), START)).isNull();
        }
    }

    // ---- answers that overtake each other

    @Test
    void an_older_row_that_comes_late_changes_nothing() {
        PoolFixture pool = new PoolFixture(TEN, 2);
        pool.view.shifted(0, 0, row(pool.quarantined(), 3, 7), START);
        pool.view.granted(0, 9, 5, START);
        pool.view.shifted(0, 0, row(pool.healthy(), 1, 6), START);
        pool.view.expired(0, SITE, 0, 6);
        assertThat(status(pool, 0).live()).isEqualTo(3);
        assertThat(status(pool, 0).standing().state()).isEqualTo(State.QUARANTINED);
        pool.view.expired(0, SITE, 2, 8);
        assertThat(status(pool, 0).live()).isEqualTo(2);
    }

    @Test
    void an_older_row_of_a_cell_that_comes_late_changes_nothing() {
        PoolFixture pool = new PoolFixture(TEN, 2);
        pool.cellStands(0, SITE, pool.quarantined(), 7);
        pool.cellStands(0, SITE, pool.healthy(), 6);
        assertThat(pool.propose(query(Strategy.RANDOM), 5)).containsExactly(1);
        pool.cellStands(0, SITE, pool.healthy(), 8);
        assertThat(pool.propose(query(Strategy.RANDOM), 5)).containsExactlyInAnyOrder(0, 1);
    }

    @Test
    void a_cell_of_which_the_store_has_no_row_is_fresh_whatever_was_known() {
        PoolFixture pool = new PoolFixture(TEN, 2);
        pool.cellStands(0, SITE, pool.quarantined(), 7);
        pool.cellStands(0, SITE, Standing.fresh(0, START), 0);
        assertThat(pool.propose(query(Strategy.RANDOM), 5)).containsExactlyInAnyOrder(0, 1);
    }

    @Test
    void a_reset_of_the_feed_forgets_the_cells_that_it_does_not_name() {
        PoolFixture pool = new PoolFixture(TEN, 3);
        pool.cellStands(0, SITE, pool.quarantined(), 1);
        pool.cellStands(1, SITE, pool.halfOpen(), 1);
        Changes.Change out = new Changes.Change(2, SITE, false, row(pool.quarantined(), 0, 1));
        pool.view.apply(new Changes(9, true, List.of(out)), START);
        assertThat(pool.propose(query(Strategy.RANDOM), 5)).containsExactlyInAnyOrder(0, 1);
        for (int i = 0; i < 20; i++) {
            assertThat(pool.view.probe(query(Strategy.RANDOM), START)).isNull();
        }
    }

    // ---- doubt

    @Test
    void what_another_instance_was_found_to_hold_is_passed_over_for_a_second() {
        PoolFixture pool = new PoolFixture(ONE, 2);
        refuse(pool, 0, 1, pool.row(0).standing(), 0);
        assertThat(pool.propose(query(Strategy.LEAST_LEASES), 5)).containsExactly(1);
        assertThat(pool.view.tick(START + SECOND - 1)).isEqualTo(START + SECOND);
        assertThat(pool.propose(query(Strategy.LEAST_LEASES), 5)).containsExactly(1);
        pool.view.tick(START + SECOND);
        assertThat(pool.propose(query(Strategy.LEAST_LEASES), 5)).containsExactly(0, 1);
        assertThat(pool.view.tick(START + SECOND)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void a_newer_row_ends_the_doubt_before_its_time() {
        PoolFixture pool = new PoolFixture(ONE, 2);
        refuse(pool, 0, 1, pool.row(0).standing(), 0);
        pool.view.expired(0, SITE, 0, 2);
        assertThat(pool.propose(query(Strategy.LEAST_LEASES), 5)).containsExactly(0, 1);
    }

    @Test
    void a_cell_at_its_cap_is_passed_over_on_its_target_for_a_second() {
        PoolFixture pool = new PoolFixture(TEN, 2);
        refuse(pool, 0, 2, pool.row(0).standing(), 10);
        assertThat(pool.propose(query(Strategy.RANDOM), 5)).containsExactly(1);
        Query elsewhere = new Query(Strategy.RANDOM, Map.of(), OTHER_SITE, 0, java.util.Set.of(), false, 1);
        assertThat(pool.propose(elsewhere, 5)).hasSize(2);
        pool.now += SECOND;
        pool.view.tick(pool.now);
        assertThat(pool.propose(query(Strategy.RANDOM), 5)).hasSize(2);
    }

    /** The store said: not free, it has so many leases, of which so many on the target. */
    private static void refuse(PoolFixture pool, int slot, int live, Standing standing, int cellLive) {
        SubjectRow cell = row(Standing.fresh(0, START), cellLive, 1);
        pool.view.refused(
                SITE, List.of(new CandidateRow(slot, row(standing, live, 1), cell, live, cell.live())), pool.now);
    }

    // ---- slow start

    @Test
    void a_slow_start_is_a_staircase_of_weight_and_cap() {
        PoolFixture pool = new PoolFixture(settings(Strategy.WEIGHTED, 20), 2);
        pool.stands(0, pool.slowStart());
        assertThat(status(pool, 0).cap()).isEqualTo(1);
        assertThat(status(pool, 0).weight()).isEqualTo(0.05, within(1e-9));
        List<Integer> caps = new ArrayList<>();
        long next = pool.view.tick(pool.now);
        for (int step = 1; step <= 20; step++) {
            assertThat(next - pool.now).isEqualTo(3 * SECOND);
            pool.now = next;
            next = pool.view.tick(pool.now);
            caps.add(status(pool, 0).cap());
            assertThat(status(pool, 0).weight()).isEqualTo(0.05 + 0.95 * step / 20, within(1e-6));
        }
        assertThat(caps).isSorted().startsWith(1, 2).endsWith(20);
        pool.stands(0, pool.healthy());
        assertThat(pool.view.tick(pool.now)).isEqualTo(Long.MAX_VALUE);
        assertThat(status(pool, 0).weight()).isEqualTo(1, within(1e-9));
    }

    @Test
    void while_its_cap_is_one_a_slow_start_gets_one_lease() {
        PoolFixture pool = new PoolFixture(settings(Strategy.LEAST_LEASES, 20), 1);
        pool.stands(0, pool.slowStart());
        assertThat(pool.propose(query(Strategy.LEAST_LEASES), 2)).containsExactly(0);
        pool.granted(0);
        assertThat(pool.propose(query(Strategy.LEAST_LEASES), 2)).isEmpty();
    }

    // ---- weights

    @Test
    void the_weight_is_static_weight_times_success_over_normalised_latency() {
        PoolFixture pool = new PoolFixture(TEN, 2);
        SubjectRow cell = row(Standing.fresh(0, START), 0, 1);
        SubjectRow slow = new SubjectRow(Standing.fresh(1, START), 50, 24, 0, 0, 0, 400_000, 0, 1);
        pool.view.settled(0, SITE, slow, cell, START);
        assertThat(status(pool, 0).weight()).as("it is the mean").isEqualTo(0.5, within(1e-6));
        SubjectRow quick = new SubjectRow(Standing.fresh(1, START), 50, 50, 0, 0, 0, 1_000, 0, 1);
        pool.view.settled(1, SITE, quick, cell, START);
        assertThat(status(pool, 1).weight()).as("at most four times").isEqualTo(4, within(1e-6));
    }

    // ---- probes

    @Test
    void every_fourth_request_that_may_tests_what_is_half_open() {
        PoolFixture pool = new PoolFixture(TEN, 3);
        assertThat(pool.view.probe(query(Strategy.WEIGHTED), START)).isNull();
        pool.stands(1, pool.halfOpen());
        List<Integer> tested = new ArrayList<>();
        for (int i = 1; i <= 12; i++) {
            Candidate probe = pool.view.probe(query(Strategy.WEIGHTED), START);
            if (probe != null) {
                assertThat(probe.slot()).isEqualTo(1);
                tested.add(i);
            }
        }
        assertThat(tested).containsExactly(4, 8, 12);
    }

    @Test
    void nothing_is_tested_that_is_being_tested_excluded_or_tagged_otherwise() {
        PoolFixture pool = new PoolFixture(TEN, 3);
        pool.stands(1, pool.halfOpen());
        assertThat(probes(pool, PoolFixture.excluding(Strategy.RANDOM, "a1"))).isZero();
        assertThat(probes(pool, tagged(Strategy.RANDOM, 0, Map.of("country", "de"))))
                .isZero();
        pool.granted(1);
        assertThat(probes(pool, query(Strategy.RANDOM))).isZero();
        pool.ended(1);
        assertThat(probes(pool, query(Strategy.RANDOM))).isEqualTo(5);
    }

    @Test
    void a_half_open_cell_is_tested_by_requests_for_its_target_until_one_is_under_way() {
        PoolFixture pool = new PoolFixture(TEN, 3);
        pool.cellStands(1, SITE, pool.halfOpen(), 3);
        pool.cellStands(2, OTHER_SITE, pool.halfOpen(), 3);
        assertThat(probes(pool, query(Strategy.RANDOM))).isEqualTo(5);
        SubjectRow testing = row(pool.halfOpen(), 1, 4);
        pool.view.refused(SITE, List.of(new CandidateRow(1, pool.row(1), testing, 0, testing.live())), START);
        assertThat(probes(pool, query(Strategy.RANDOM)))
                .as("another one is under way")
                .isZero();
        pool.view.settled(1, SITE, pool.row(1), row(pool.halfOpen(), 0, 5), START);
        assertThat(probes(pool, query(Strategy.RANDOM))).isEqualTo(5);
        pool.cellStands(1, SITE, pool.slowStart(), 6);
        assertThat(probes(pool, query(Strategy.RANDOM))).isZero();
        assertThat(pool.propose(query(Strategy.RANDOM), 5)).hasSize(3);
    }

    private static int probes(PoolFixture pool, Query query) {
        int probes = 0;
        for (int i = 0; i < 20; i++) {
            probes += pool.view.probe(query, pool.now) == null ? 0 : 1;
        }
        return probes;
    }

    // ---- groups

    @Test
    void groups_beyond_the_bound_are_built_anew_and_answer_as_before() {
        List<Address> addresses = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            addresses.add(address("a" + i, Map.of("city", "c" + i, "country", "de"), 1));
        }
        PoolFixture pool = new PoolFixture(ONE, addresses);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 300; i++) {
                assertThat(pool.propose(tagged(Strategy.LEAST_LEASES, 0, Map.of("city", "c" + i)), 5))
                        .containsExactly(i);
            }
        }
        pool.granted(0);
        assertThat(pool.propose(tagged(Strategy.LEAST_LEASES, 0, Map.of("city", "c0")), 5))
                .isEmpty();
        pool.ended(0);
        assertThat(pool.propose(tagged(Strategy.LEAST_LEASES, 0, Map.of("city", "c0")), 5))
                .containsExactly(0);
    }

    // ---- for people

    @Test
    void states_leases_and_the_first_return_are_counted() {
        PoolFixture pool = new PoolFixture(TEN, 4);
        assertThat(pool.view.firstReturnMicros()).isEmpty();
        pool.granted(0);
        pool.granted(0);
        pool.stands(1, pool.quarantined());
        pool.now += SECOND;
        pool.stands(2, pool.quarantined());
        pool.cellStands(3, SITE, pool.quarantined(), 1);
        assertThat(pool.view.states()).containsEntry(State.HEALTHY, 2).containsEntry(State.QUARANTINED, 2);
        assertThat(pool.view.live()).isEqualTo(2);
        assertThat(pool.view.firstReturnMicros())
                .as("somebody serves: a lease may end at any moment")
                .isEmpty();
        pool.stands(0, pool.quarantined());
        pool.stands(3, pool.quarantined());
        assertThat(pool.view.firstReturnMicros()).contains(START + 60 * SECOND);
        assertThat(status(pool, 3).cellsOut()).isEqualTo(1);
    }

    // ---- a share of its own

    @Test
    void where_another_instance_was_met_addresses_of_the_own_share_come_first_for_a_while() {
        PoolFixture pool = new PoolFixture(ONE, 6);
        pool.view.home(address -> address.id().compareTo("a3") >= 0);
        assertThat(pool.propose(query(Strategy.LEAST_LEASES), 6))
                .as("nobody was met: the whole pool serves")
                .containsExactly(0, 1, 2, 3, 4, 5);

        SubjectRow taken = row(pool.row(0).standing(), 1, 9);
        pool.view.refused(
                SITE, List.of(new CandidateRow(0, taken, row(pool.row(0).standing(), 1, 9), 1, 1)), START);
        assertThat(pool.propose(query(Strategy.LEAST_LEASES), 6)).containsExactly(3, 4, 5, 1, 2);

        pool.now = START + 11 * SECOND;
        pool.view.tick(pool.now);
        assertThat(pool.propose(query(Strategy.LEAST_LEASES), 6)).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void what_is_preferred_comes_before_the_own_share() {
        List<Address> members = List.of(
                address("a0", Map.of("country", "de"), 1), address("a1", Map.of(), 1), address("a2", Map.of(), 1));
        PoolFixture pool = new PoolFixture(ONE, members);
        pool.view.home(address -> address.id().equals("a2"));
        SubjectRow taken = row(pool.row(1).standing(), 1, 9);
        pool.view.refused(
                SITE, List.of(new CandidateRow(1, taken, row(pool.row(1).standing(), 1, 9), 1, 1)), START);

        Query query = new Query(
                Strategy.LEAST_LEASES, Map.of(), List.of(Map.of("country", "de")), SITE, 0, Set.of(), false, 1);
        assertThat(pool.propose(query, 3)).containsExactly(0, 2);
    }
}
