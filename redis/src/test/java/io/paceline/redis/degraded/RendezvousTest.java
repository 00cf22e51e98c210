package io.paceline.redis.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

class RendezvousTest {
    private static final int KEYS = 3_000;

    private static List<Long> instances(int count, RandomGenerator random) {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(random.nextLong());
        }
        return ids;
    }

    @SeededTest(seeds = 20)
    void everyKeyHasOneOwnerWhateverTheOrderAndSharesAreEven(long seed) {
        List<Long> ids = instances(4, Seeds.random(seed));
        List<Long> shuffled = new ArrayList<>(ids);
        Collections.shuffle(shuffled, new Random(seed));
        int[] owned = new int[4];
        for (long key = 0; key < KEYS; key++) {
            long owner = Rendezvous.owner(ids, key);
            assertThat(Rendezvous.owner(shuffled, key)).isEqualTo(owner);
            assertThat(Rendezvous.rank(ids, owner, key)).isZero();
            owned[ids.indexOf(owner)]++;
        }
        for (int count : owned) {
            assertThat(count).isBetween(KEYS / 4 - 200, KEYS / 4 + 200);
        }
    }

    @SeededTest(seeds = 20)
    void whoGoesMovesHisOwnKeysOnly(long seed) {
        List<Long> ids = instances(5, Seeds.random(seed));
        List<Long> left = ids.subList(0, 4);
        for (long key = 0; key < KEYS; key++) {
            long owner = Rendezvous.owner(ids, key);
            if (owner != ids.get(4)) {
                assertThat(Rendezvous.owner(left, key)).isEqualTo(owner);
            }
        }
    }

    @SeededTest(seeds = 20)
    void twoThatKnowEachOtherNeverOwnTheSameKeyWhoeverElseTheyKnow(long seed) {
        RandomGenerator random = Seeds.random(seed);
        List<Long> both = instances(2, random);
        List<Long> one = new ArrayList<>(both);
        one.addAll(instances(random.nextInt(3), random));
        List<Long> other = new ArrayList<>(both);
        other.addAll(instances(random.nextInt(3), random));
        for (long key = 0; key < KEYS; key++) {
            boolean first = Rendezvous.owner(one, key) == both.get(0);
            boolean second = Rendezvous.owner(other, key) == both.get(1);
            assertThat(first && second).isFalse();
        }
    }
}
