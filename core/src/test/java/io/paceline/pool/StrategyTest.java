package io.paceline.pool;

import static io.paceline.pool.PoolFixture.OTHER_SITE;
import static io.paceline.pool.PoolFixture.SITE;
import static io.paceline.pool.PoolFixture.address;
import static io.paceline.pool.PoolFixture.excluding;
import static io.paceline.pool.PoolFixture.query;
import static io.paceline.pool.PoolFixture.settings;
import static io.paceline.pool.PoolFixture.tagged;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each strategy's order, and what all of them keep to. */
class StrategyTest {

    private static List<Integer> leases(PoolFixture pool, Strategy strategy, int times) {
        List<Integer> slots = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            slots.add(pool.lease(query(strategy)));
        }
        return slots;
    }

    // ---- round-robin

    @Test
    void round_robin_takes_exact_turns() {
        PoolFixture pool = new PoolFixture(settings(Strategy.ROUND_ROBIN, 10), 3);
        assertThat(leases(pool, Strategy.ROUND_ROBIN, 7)).containsExactly(0, 1, 2, 0, 1, 2, 0);
    }

    @Test
    void round_robin_passes_a_degraded_one_over_every_second_turn() {
        PoolFixture pool = new PoolFixture(settings(Strategy.ROUND_ROBIN, 10), 3);
        pool.stands(1, pool.degraded());
        assertThat(leases(pool, Strategy.ROUND_ROBIN, 10)).containsExactly(0, 2, 0, 1, 2, 0, 2, 0, 1, 2);
    }

    @Test
    void round_robin_among_degraded_ones_alone_still_takes_turns() {
        PoolFixture pool = new PoolFixture(settings(Strategy.ROUND_ROBIN, 100), 2);
        pool.stands(0, pool.degraded());
        pool.stands(1, pool.degraded());
        assertThat(leases(pool, Strategy.ROUND_ROBIN, 40))
                .doesNotContain(-1)
                .satisfies(slots ->
                        assertThat(slots.stream().filter(slot -> slot == 0)).hasSize(20));
    }

    @Test
    void round_robin_goes_on_behind_the_last_turn_though_that_one_has_left() {
        PoolFixture pool = new PoolFixture(settings(Strategy.ROUND_ROBIN, 10), 4);
        assertThat(leases(pool, Strategy.ROUND_ROBIN, 2)).containsExactly(0, 1);
        pool.stands(1, pool.quarantined());
        assertThat(leases(pool, Strategy.ROUND_ROBIN, 3)).containsExactly(2, 3, 0);
        pool.stands(1, pool.healthy());
        assertThat(leases(pool, Strategy.ROUND_ROBIN, 2)).containsExactly(1, 2);
    }

    // ---- ranked

    @Test
    void least_leases_takes_the_fewest_then_the_longest_unused() {
        PoolFixture pool = new PoolFixture(settings(Strategy.LEAST_LEASES, 10), 3);
        assertThat(leases(pool, Strategy.LEAST_LEASES, 4)).containsExactly(0, 1, 2, 0);
        pool.ended(2);
        assertThat(leases(pool, Strategy.LEAST_LEASES, 3)).containsExactly(2, 1, 2);
    }

    @Test
    void least_recently_used_goes_by_the_last_use_alone() {
        PoolFixture pool = new PoolFixture(settings(Strategy.LEAST_RECENTLY_USED, 10), 3);
        assertThat(leases(pool, Strategy.LEAST_RECENTLY_USED, 3)).containsExactly(0, 1, 2);
        pool.ended(2);
        assertThat(leases(pool, Strategy.LEAST_RECENTLY_USED, 3)).containsExactly(0, 1, 2);
        pool.now += 1;
        pool.granted(0);
        assertThat(leases(pool, Strategy.LEAST_RECENTLY_USED, 3)).containsExactly(1, 2, 0);
    }

    // ---- drawn

    @Test
    void weighted_follows_the_static_weights_and_halves_what_is_degraded() {
        PoolFixture pool = new PoolFixture(
                settings(Strategy.WEIGHTED, 10),
                List.of(address("a", Map.of(), 1), address("b", Map.of(), 3), address("c", Map.of(), 8)));
        pool.stands(2, pool.degraded());
        assertShares(pool, Strategy.WEIGHTED, 1 / 8.0, 3 / 8.0, 4 / 8.0);
    }

    @Test
    void random_gives_equal_chances_whatever_the_weights() {
        PoolFixture pool = new PoolFixture(
                settings(Strategy.RANDOM, 10),
                List.of(address("a", Map.of(), 1), address("b", Map.of(), 3), address("c", Map.of(), 8)));
        assertShares(pool, Strategy.RANDOM, 1 / 3.0, 1 / 3.0, 1 / 3.0);
    }

    private static void assertShares(PoolFixture pool, Strategy strategy, double... shares) {
        int[] count = new int[shares.length];
        for (int i = 0; i < 40_000; i++) {
            count[pool.first(query(strategy))]++;
        }
        for (int slot = 0; slot < shares.length; slot++) {
            double deviation = Math.sqrt(40_000 * shares[slot] * (1 - shares[slot]));
            assertThat(count[slot] - 40_000 * shares[slot]).isBetween(-4 * deviation, 4 * deviation);
        }
    }

    @Test
    void of_two_draws_the_one_with_the_smaller_share_of_its_cap_comes_first() {
        PoolFixture pool = new PoolFixture(settings(Strategy.WEIGHTED, 10), 2);
        pool.granted(0);
        int both = 0;
        for (int i = 0; i < 200; i++) {
            // Eight draws find the other one too, but for one time in 128.
            List<Integer> found = pool.propose(query(Strategy.WEIGHTED), 2);
            assertThat(found).isIn(List.of(1, 0), List.of(1), List.of(0));
            both += found.size() - 1;
        }
        assertThat(both).isGreaterThan(190);
    }

    @Test
    void two_choices_keep_the_fullest_near_the_mean() {
        PoolFixture two = new PoolFixture(settings(Strategy.WEIGHTED, 1_000), 100);
        PoolFixture one = new PoolFixture(settings(Strategy.RANDOM, 1_000), 100);
        leases(two, Strategy.WEIGHTED, 1_000);
        leases(one, Strategy.RANDOM, 1_000);
        assertThat(fullest(two)).isLessThanOrEqualTo(13);
        assertThat(fullest(one)).isGreaterThan(fullest(two));
    }

    private static int fullest(PoolFixture pool) {
        return pool.view.addresses().stream()
                .mapToInt(AddressStatus::live)
                .max()
                .orElseThrow();
    }

    @Test
    void where_draws_find_nothing_that_fits_a_walk_does() {
        PoolFixture pool = new PoolFixture(settings(Strategy.WEIGHTED, 10), 500);
        for (int slot = 0; slot < 500; slot++) {
            if (slot != 123) {
                pool.cellStands(slot, SITE, pool.quarantined(), 1);
            }
        }
        for (int i = 0; i < 20; i++) {
            assertThat(pool.first(query(Strategy.WEIGHTED))).isEqualTo(123);
        }
    }

    // ---- what all keep to

    @ParameterizedTest
    @EnumSource(Strategy.class)
    void nobody_proposes_what_is_out_half_open_excluded_or_out_on_the_target(Strategy strategy) {
        PoolFixture pool = new PoolFixture(settings(strategy, 10), 6);
        pool.stands(0, pool.quarantined());
        pool.stands(1, pool.halfOpen());
        pool.cellStands(2, SITE, pool.quarantined(), 1);
        pool.cellStands(3, OTHER_SITE, pool.quarantined(), 1);
        for (int i = 0; i < 50; i++) {
            assertThat(pool.propose(excluding(strategy, "a4"), 6)).isNotEmpty().isSubsetOf(3, 5);
            pool.propose(query(strategy, Affinity.mix(i)), 2)
                    .forEach(slot -> assertThat(slot).isIn(3, 4, 5));
        }
        assertThat(pool.propose(excluding(strategy, "a3", "a4", "a5"), 6)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Strategy.class)
    void tags_choose_and_none_fits_an_unknown_one(Strategy strategy) {
        List<io.paceline.Address> addresses = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            addresses.add(address("a" + i, Map.of("country", i % 3 == 0 ? "de" : "fr", "kind", "own"), 1));
        }
        PoolFixture pool = new PoolFixture(settings(strategy, 10), addresses);
        for (int i = 0; i < 30; i++) {
            Query de = tagged(strategy, Affinity.mix(i), Map.of("country", "de", "kind", "own"));
            assertThat(pool.propose(de, 4)).isNotEmpty().allMatch(slot -> slot % 3 == 0);
        }
        assertThat(pool.propose(tagged(strategy, 1, Map.of("country", "xx")), 4))
                .isEmpty();
        assertThat(pool.view.anyFor(tagged(strategy, 1, Map.of("country", "xx"))))
                .isFalse();
        assertThat(pool.view.anyFor(tagged(strategy, 1, Map.of("country", "fr"))))
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = Strategy.class,
            names = {"HASH", "HASH_LEAST_LEASES"},
            mode = EnumSource.Mode.EXCLUDE)
    void one_at_its_cap_is_left_out_until_a_lease_ends(Strategy strategy) {
        PoolFixture pool = new PoolFixture(settings(strategy, 1), 2);
        pool.granted(0);
        assertThat(pool.propose(query(strategy), 5)).containsExactly(1);
        pool.granted(1);
        assertThat(pool.propose(query(strategy), 5)).isEmpty();
        pool.ended(0);
        assertThat(pool.propose(query(strategy), 5)).containsExactly(0);
    }

    @ParameterizedTest
    @EnumSource(Strategy.class)
    void no_address_is_proposed_twice_and_an_empty_pool_proposes_none(Strategy strategy) {
        PoolFixture pool = new PoolFixture(settings(strategy, 10), 5);
        for (int i = 0; i < 50; i++) {
            assertThat(pool.propose(query(strategy, i), 32)).doesNotHaveDuplicates();
        }
        assertThat(new PoolFixture(settings(strategy, 10), 0).propose(query(strategy), 2))
                .isEmpty();
    }

    @Test
    void strategies_of_different_tasks_share_one_pool_and_its_counts() {
        PoolFixture pool = new PoolFixture(settings(Strategy.WEIGHTED, 10), 3);
        assertThat(leases(pool, Strategy.ROUND_ROBIN, 2)).containsExactly(0, 1);
        assertThat(pool.first(query(Strategy.LEAST_LEASES))).isEqualTo(2);
        pool.stands(2, pool.quarantined());
        assertThat(pool.first(query(Strategy.LEAST_LEASES))).isZero();
        assertThat(pool.first(query(Strategy.ROUND_ROBIN))).isZero();
        assertThat(pool.propose(query(Strategy.RANDOM), 5)).containsExactlyInAnyOrder(0, 1);
    }

    @ParameterizedTest
    @EnumSource(Strategy.class)
    void a_strategy_is_found_by_its_word(Strategy strategy) {
        assertThat(Strategy.ofWord(strategy.word())).contains(strategy);
        assertThat(Set.of(
                        "round-robin",
                        "weighted",
                        "least-leases",
                        "hash",
                        "least-recently-used",
                        "random",
                        "hash+least-leases"))
                .contains(strategy.word());
        assertThat(Strategy.ofWord("fastest")).isEmpty();
    }
}
