package io.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The store's own map against the one of the library. */
class LongMapTest {
    /** Odd, and its product with the multiplier of the hash is 1: {@code i * INVERSE} has the home that i's high bits name. */
    private static final long INVERSE = inverse(0x9E3779B97F4A7C15L);

    private static long inverse(long odd) {
        long x = odd;
        for (int i = 0; i < 6; i++) {
            x *= 2 - odd * x;
        }
        return x;
    }

    /** A key whose home in a table of up to 2^20 places is the one given; {@code low} tells such keys apart. */
    private static long keyAtHome(int home, int low) {
        return (((long) home << 32) | low) * INVERSE;
    }

    @SeededTest(seeds = 60)
    void agrees_with_a_hash_map_whatever_is_put_and_removed(long seed) {
        RandomGenerator random = Seeds.random(seed);
        LongMap<Integer> ours = new LongMap<>();
        Map<Long, Integer> theirs = new HashMap<>();
        int homes = 1 + random.nextInt(24);
        int growth = 40 + random.nextInt(45);
        for (int i = 0; i < 4_000; i++) {
            // Few homes: most keys collide, and runs wrap around the end of the table.
            long key = random.nextInt(4) == 0
                    ? random.nextInt(300)
                    : keyAtHome((random.nextInt(homes) - homes / 2) & 0xFFFFF, random.nextInt(12));
            boolean grow = random.nextInt(100) < (i % 1_000 < 500 ? growth : 100 - growth);
            if (grow) {
                ours.put(key, i);
                theirs.put(key, i);
            } else {
                assertThat(ours.remove(key)).isEqualTo(theirs.remove(key));
            }
            assertThat(ours.size()).isEqualTo(theirs.size());
            assertThat(ours.get(key)).isEqualTo(theirs.get(key));
            if (i % 97 == 0) {
                assertThat(contents(ours)).isEqualTo(theirs);
                theirs.forEach((k, v) -> assertThat(ours.get(k)).isEqualTo(v));
            }
        }
        ours.clear();
        assertThat(contents(ours)).isEmpty();
        assertThat(ours.size()).isZero();
    }

    private static Map<Long, Integer> contents(LongMap<Integer> map) {
        Map<Long, Integer> contents = new HashMap<>();
        map.forEach((value, key) -> assertThat(contents.put(key, value)).isNull());
        return contents;
    }

    @SeededTest(seeds = 200)
    void a_walk_over_a_table_at_rest_meets_every_entry(long seed) {
        RandomGenerator random = Seeds.random(seed);
        LongMap<Integer> map = new LongMap<>();
        Set<Long> keys = new HashSet<>();
        int size = 1 + random.nextInt(40);
        for (int i = 0; i < size; i++) {
            long key = random.nextLong();
            map.put(key, i);
            keys.add(key);
        }
        Set<Long> met = new HashSet<>();
        int place = random.nextInt(1_000);
        for (int i = 0; i < 256; i++) {
            place = map.visitNext(place, (value, key) -> met.add(key));
        }
        assertThat(met).isEqualTo(keys);
    }

    @Test
    void a_walk_that_removes_what_it_meets_empties_the_map() {
        LongMap<Integer> map = new LongMap<>();
        for (int i = 0; i < 1_000; i++) {
            map.put(i, i);
        }
        int place = 0;
        for (int i = 0; i < 20_000 && map.size() > 0; i++) {
            place = map.visitNext(place, (value, key) -> map.remove(key));
        }
        assertThat(map.size()).isZero();
    }
}
