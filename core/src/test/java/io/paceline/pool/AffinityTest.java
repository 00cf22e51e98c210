package io.paceline.pool;

import static io.paceline.pool.PoolFixture.query;
import static io.paceline.pool.PoolFixture.session;
import static io.paceline.pool.PoolFixture.settings;
import static io.paceline.pool.PoolFixture.tagged;
import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Address;
import io.paceline.health.Standing;
import io.paceline.health.SubjectRow;
import io.paceline.store.Admitted.CandidateRow;
import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code hash}: a key keeps its address, whatever happens to the others. */
class AffinityTest {
    private static final int KEYS = 8_000;
    private static final PoolSettings HASH = settings(Strategy.HASH, 10);

    private static long key(int i) {
        return Affinity.mix(i * 0x9E3779B97F4A7C15L);
    }

    private static int[] mapping(PoolFixture pool, Map<String, String> tags, int keys) {
        int[] slots = new int[keys];
        for (int i = 0; i < keys; i++) {
            slots[i] = pool.first(tagged(Strategy.HASH, key(i), tags));
        }
        return slots;
    }

    private static int[] mapping(PoolFixture pool) {
        return mapping(pool, Map.of(), KEYS);
    }

    private static int moved(int[] before, int[] after) {
        int moved = 0;
        for (int i = 0; i < before.length; i++) {
            moved += before[i] == after[i] ? 0 : 1;
        }
        return moved;
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 10, 30, 100, 300, 1_000})
    void one_more_address_takes_about_its_share_of_the_keys_and_moves_no_other(int n) {
        int keys = 200 * Math.max(n, 50);
        PoolFixture pool = new PoolFixture(HASH, n);
        int[] before = mapping(pool, Map.of(), keys);
        pool.grow(HASH);
        int[] after = mapping(pool, Map.of(), keys);
        assertThat((double) moved(before, after) / keys).isBetween(0.7 / n, 1.3 / n);
        for (int i = 0; i < keys; i++) {
            assertThat(after[i] == before[i] || after[i] == n).as("key %d", i).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 10, 30, 100, 300, 1_000})
    void one_less_moves_its_own_keys_alone_and_all_come_back(int n) {
        int keys = 200 * Math.max(n, 50);
        PoolFixture pool = new PoolFixture(HASH, n);
        int[] before = mapping(pool, Map.of(), keys);
        int out = Math.min(3, n - 1);
        pool.stands(out, pool.quarantined());
        int[] without = mapping(pool, Map.of(), keys);
        assertThat((double) moved(before, without) / keys).isLessThan(1.3 / n);
        for (int i = 0; i < keys; i++) {
            assertThat(without[i]).isNotEqualTo(out);
            assertThat(before[i] == without[i] || before[i] == out)
                    .as("key %d", i)
                    .isTrue();
        }
        pool.stands(out, pool.healthy());
        assertThat(mapping(pool, Map.of(), keys)).isEqualTo(before);
    }

    @Test
    void each_address_has_about_its_share() {
        PoolFixture pool = new PoolFixture(HASH, 100);
        int[] count = new int[100];
        for (int slot : mapping(pool)) {
            count[slot]++;
        }
        for (int c : count) {
            assertThat(c).isBetween(45, 120);
        }
    }

    @SeededTest(seeds = 5)
    void with_half_of_the_slots_out_nobody_elses_key_moves(long seed) {
        RandomGenerator random = Seeds.random(seed);
        PoolFixture pool = new PoolFixture(HASH, 200);
        int[] before = mapping(pool);
        BitSet out = new BitSet();
        for (int i = 0; i < 100; i++) {
            int slot = random.nextInt(200);
            out.set(slot);
            pool.stands(slot, pool.quarantined());
        }
        int[] without = mapping(pool);
        for (int i = 0; i < KEYS; i++) {
            assertThat(out.get(without[i])).isFalse();
            assertThat(before[i] == without[i] || out.get(before[i])).isTrue();
        }
        int back = out.nextSetBit(0);
        pool.stands(back, pool.healthy());
        int[] one = mapping(pool);
        for (int i = 0; i < KEYS; i++) {
            assertThat(one[i] == without[i] || one[i] == back).isTrue();
            assertThat(before[i] != back || one[i] == back)
                    .as("its own keys are back")
                    .isTrue();
        }
        out.stream().forEach(slot -> pool.stands(slot, pool.healthy()));
        assertThat(mapping(pool)).isEqualTo(before);
    }

    @Test
    void degraded_slow_starting_and_full_members_keep_their_keys() {
        PoolFixture pool = new PoolFixture(settings(Strategy.HASH, 1), 20);
        int[] before = mapping(pool);
        pool.stands(1, pool.degraded());
        pool.stands(2, pool.slowStart());
        pool.granted(3);
        assertThat(mapping(pool)).isEqualTo(before);
    }

    @Test
    void a_cell_at_its_cap_keeps_its_keys_and_one_that_is_out_does_not() {
        PoolFixture pool = new PoolFixture(settings(Strategy.HASH, 1), 20);
        int[] before = mapping(pool);
        SubjectRow busy = new SubjectRow(Standing.fresh(0, pool.now), 0, 0, 0, 0, 0, 0, 1, 1);
        pool.view.refused(PoolFixture.SITE, List.of(new CandidateRow(4, pool.row(4), busy, 0, busy.live())), pool.now);
        assertThat(mapping(pool)).isEqualTo(before);
        pool.cellStands(4, PoolFixture.SITE, pool.quarantined(), 2);
        int[] after = mapping(pool);
        for (int i = 0; i < KEYS; i++) {
            assertThat(before[i] == 4 ? after[i] != 4 : after[i] == before[i]).isTrue();
        }
    }

    @SeededTest(seeds = 2)
    void a_filter_that_leaves_few_of_many_keeps_the_same_property(long seed) {
        RandomGenerator random = Seeds.random(seed);
        Map<String, String> de = Map.of("country", "de");
        Set<Integer> few = new HashSet<>();
        while (few.size() < 5) {
            few.add(random.nextInt(1_000));
        }
        List<Address> addresses = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            addresses.add(PoolFixture.address("a" + i, few.contains(i) ? de : Map.of(), 1));
        }
        PoolFixture pool = new PoolFixture(HASH, addresses);
        int[] before = mapping(pool, de, KEYS);
        for (int out : few) {
            pool.stands(out, pool.quarantined());
            int[] without = mapping(pool, de, KEYS);
            assertThat(moved(before, without) / (double) KEYS).isBetween(0.1, 0.3);
            for (int i = 0; i < KEYS; i++) {
                assertThat(few.contains(without[i])).isTrue();
                assertThat(before[i] == without[i] || before[i] == out).isTrue();
            }
            pool.stands(out, pool.healthy());
            assertThat(mapping(pool, de, KEYS)).isEqualTo(before);
        }
    }

    @Test
    void a_key_of_few_finds_them_all_where_its_first_ones_cannot_serve() {
        Map<String, String> de = Map.of("country", "de");
        List<Address> addresses = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            addresses.add(PoolFixture.address("a" + i, i % 250 == 7 ? de : Map.of(), 1));
        }
        PoolFixture pool = new PoolFixture(HASH, addresses);
        for (int i = 0; i < 200; i++) {
            Query begins = new Query(Strategy.WEIGHTED, de, PoolFixture.SITE, key(i), Set.of(), true, 1);
            assertThat(pool.propose(begins, 32)).containsExactlyInAnyOrder(7, 257, 507, 757);
            Query spread = tagged(Strategy.HASH_LEAST_LEASES, key(i), de);
            assertThat(pool.propose(spread, 2)).containsExactlyInAnyOrder(7, 257, 507, 757);
        }
    }

    @Test
    void a_session_begins_at_the_first_of_its_own_whose_load_is_within_the_bound() {
        PoolFixture pool = new PoolFixture(settings(Strategy.WEIGHTED, 1_000), 10);
        for (int i = 0; i < 2_000; i++) {
            pool.lease(session(key(i)));
        }
        for (AddressStatus status : pool.view.addresses()) {
            assertThat(status.live()).isLessThanOrEqualTo((int) Math.ceil(1.25 * 2_000 / 10));
        }
    }

    @Test
    void an_even_load_leaves_each_session_its_favourite() {
        PoolFixture pool = new PoolFixture(settings(Strategy.WEIGHTED, 1_000), 10);
        int favourite = pool.first(session(key(1)));
        assertThat(favourite).isEqualTo(pool.first(query(Strategy.HASH, key(1))));
        pool.granted(favourite);
        pool.granted(favourite);
        pool.granted(favourite);
        assertThat(pool.first(session(key(1)))).as("three times the mean").isNotEqualTo(favourite);
        assertThat(pool.first(query(Strategy.HASH, key(1))))
                .as("a plain key stays")
                .isEqualTo(favourite);
    }

    @Test
    void hash_and_least_leases_takes_the_least_loaded_of_the_keys_own_four() {
        PoolFixture pool = new PoolFixture(settings(Strategy.HASH_LEAST_LEASES, 100), 50);
        Query mine = query(Strategy.HASH_LEAST_LEASES, key(9));
        Set<Integer> own = new HashSet<>(pool.propose(mine, 2));
        assertThat(own).hasSize(4);
        int[] count = new int[50];
        for (int i = 0; i < 80; i++) {
            count[pool.lease(mine)]++;
        }
        own.forEach(slot -> assertThat(count[slot]).isEqualTo(20));
    }

    @Test
    void hash_and_least_leases_asks_those_with_room_first() {
        PoolFixture pool = new PoolFixture(settings(Strategy.HASH_LEAST_LEASES, 20), 50);
        Query mine = query(Strategy.HASH_LEAST_LEASES, key(9));
        List<Integer> own = pool.propose(mine, 2);
        own.forEach(slot -> {
            pool.granted(slot);
            pool.granted(slot);
        });
        int slow = own.get(0);
        pool.ended(slow);
        pool.stands(slow, pool.slowStart());
        assertThat(pool.propose(mine, 2)).hasSize(4);
        assertThat(pool.propose(mine, 2).get(3)).as("at its cap of one").isEqualTo(slow);
    }
}
