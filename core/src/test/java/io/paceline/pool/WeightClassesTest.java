package io.paceline.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.health.Standing;
import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class WeightClassesTest {
    private final Group group = Group.of(Strategy.WEIGHTED, Map.of(), new Affinity());

    private Seat seat(int slot) {
        Member member = new Member(slot, PoolFixture.address("a" + slot, Map.of(), 1), Standing.fresh(1, 0));
        return new Seat(member, group, null);
    }

    @SeededTest(seeds = 10)
    void draws_follow_the_weights_through_re_weighting_and_churn(long seed) {
        RandomGenerator random = Seeds.random(seed);
        WeightClasses classes = new WeightClasses();
        List<Seat> present = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            int what = random.nextInt(3);
            if (what == 0 || present.size() < 12) {
                Seat seat = seat(i);
                add(classes, seat, weight(random));
                present.add(seat);
            } else if (what == 1 && present.size() > 20) {
                classes.remove(present.remove(random.nextInt(present.size())));
            } else {
                Seat seat = present.get(random.nextInt(present.size()));
                seat.member.weight = weight(random);
                classes.reweigh(seat, seat.member.weight);
            }
            assertThat(classes.size()).isEqualTo(present.size());
        }
        assertFits(classes, present, random);
    }

    private static void add(WeightClasses classes, Seat seat, double weight) {
        seat.member.weight = weight;
        classes.add(seat, weight);
    }

    private static double weight(RandomGenerator random) {
        return Math.pow(2, random.nextInt(5) - 2) * (0.5 + random.nextDouble());
    }

    /** Chi-square against the weights: with fixed seeds the test never flickers. */
    private static void assertFits(WeightClasses classes, List<Seat> present, RandomGenerator random) {
        int draws = 100_000;
        int[] drawn = new int[1_000];
        for (int i = 0; i < draws; i++) {
            Member member = classes.draw(random);
            assertThat(member).isNotNull();
            drawn[java.util.Objects.requireNonNull(member).slot]++;
        }
        double total = present.stream().mapToDouble(seat -> seat.member.weight).sum();
        double chi = 0;
        for (Seat seat : present) {
            double expected = draws * seat.member.weight / total;
            chi += Math.pow(drawn[seat.member.slot] - expected, 2) / expected;
        }
        double freedom = present.size() - 1.0;
        // Mean f, variance 2f: four standard deviations are one in about 10,000.
        assertThat(chi).isLessThan(freedom + 4 * Math.sqrt(2 * freedom));
    }

    @Test
    void weights_just_below_and_at_a_power_of_two_are_drawn_alike() {
        WeightClasses classes = new WeightClasses();
        List<Seat> present = new ArrayList<>();
        double[] weights = {1, Math.nextDown(1.0), 2, Math.nextDown(2.0), 0.5, 4, 1.5, 0.75};
        for (int i = 0; i < weights.length; i++) {
            present.add(seat(i));
            add(classes, present.get(i), weights[i]);
        }
        assertFits(classes, present, Seeds.random(3));
    }

    @Test
    void far_apart_weights_keep_their_proportion() {
        WeightClasses classes = new WeightClasses();
        classes.add(seat(0), 1_000);
        classes.add(seat(1), 1);
        RandomGenerator random = Seeds.random(5);
        int light = 0;
        for (int i = 0; i < 1_000_000; i++) {
            light += java.util.Objects.requireNonNull(classes.draw(random)).slot;
        }
        assertThat(light).isBetween(870, 1_130);
    }

    @Test
    void the_smallest_and_the_largest_weights_are_drawn_too() {
        WeightClasses classes = new WeightClasses();
        Seat tiny = seat(0);
        classes.add(tiny, Double.MIN_VALUE);
        assertThat(classes.draw(Seeds.random(1))).isSameAs(tiny.member);
        classes.reweigh(tiny, Double.MAX_VALUE);
        assertThat(classes.draw(Seeds.random(1))).isSameAs(tiny.member);
        classes.remove(tiny);
        assertThat(classes.draw(Seeds.random(1))).isNull();
    }

    @Test
    void a_walk_from_any_place_meets_everybody_once() {
        WeightClasses classes = new WeightClasses();
        for (int i = 0; i < 50; i++) {
            classes.add(seat(i), weight(Seeds.random(i)));
        }
        for (int start : new int[] {0, 7, 49}) {
            Set<Seat> met = new HashSet<>();
            for (int i = 0; i < 50; i++) {
                met.add(classes.at(start + i));
            }
            assertThat(met).hasSize(50);
        }
    }
}
