package io.paceline.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Address;
import io.paceline.health.ProbeSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who is probed and when, as a view hands it out. */
class ProbePlanTest {
    private static final long SECOND = 1_000_000;

    private static boolean notMetered(Address address) {
        return !address.metered();
    }

    private static PoolSettings settings(double perSecond) {
        return PoolFixture.settings(Strategy.WEIGHTED, 10)
                .withProbe(new ProbeSettings(
                        List.of("http://198.51.100.1/ok", "http://203.0.113.9/ok"),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(60),
                        perSecond));
    }

    private static List<DueProbe> due(PoolFixture pool) {
        return pool.view.probesDue(ProbePlanTest::notMetered, Integer.MAX_VALUE, pool.now, pool.random);
    }

    /** Second by second; every probe passes at once. */
    private static List<Integer> probedWithin(PoolFixture pool, int seconds) {
        List<Integer> probed = new ArrayList<>();
        for (int i = 0; i < seconds; i++) {
            pool.now += SECOND;
            for (DueProbe probe : due(pool)) {
                probed.add(probe.slot());
                pool.view.probed(probe, true, 80_000, pool.now, pool.random);
            }
        }
        return probed;
    }

    @Test
    void an_idle_address_is_probed_every_half_minute_to_minute() {
        PoolFixture pool = new PoolFixture(settings(10), 1);
        assertThat(probedWithin(pool, 600)).hasSizeBetween(10, 20);
        assertThat(pool.view.addresses().get(0).checkedMicros()).isBetween(pool.now - 60 * SECOND, pool.now);
        assertThat(pool.view.addresses().get(0).checkLatencyMicros()).isEqualTo(80_000);
    }

    @Test
    void a_used_address_is_never_probed() {
        PoolFixture pool = new PoolFixture(settings(10), 2);
        due(pool);
        List<Integer> probed = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            pool.granted(0);
            probed.addAll(probedWithin(pool, 5));
            pool.ended(0);
            probed.addAll(probedWithin(pool, 5));
        }
        assertThat(probed).isNotEmpty().containsOnly(1);
    }

    @Test
    void the_rate_is_bounded_and_nobody_is_forgotten() {
        PoolFixture pool = new PoolFixture(settings(10), 1_000);
        due(pool);
        List<Integer> probed = new ArrayList<>();
        for (int second = 0; second < 200; second++) {
            List<Integer> now = probedWithin(pool, 1);
            assertThat(now).hasSizeLessThanOrEqualTo(10);
            probed.addAll(now);
        }
        assertThat(probed.stream().distinct().count()).isEqualTo(1_000);
    }

    @Test
    void the_first_probes_of_a_pool_are_spread() {
        PoolFixture pool = new PoolFixture(settings(1_000), 600);
        due(pool);
        for (int second = 0; second < 30; second++) {
            assertThat(probedWithin(pool, 1)).hasSizeLessThan(50);
        }
    }

    @Test
    void a_half_open_address_is_probed_about_every_second_and_before_idle_ones() {
        PoolFixture pool = new PoolFixture(settings(1), 50);
        due(pool);
        pool.now += 120 * SECOND;
        pool.stands(7, pool.halfOpen());
        pool.view.controlled(true);
        probedWithin(pool, 2);
        assertThat(probedWithin(pool, 20)).filteredOn(slot -> slot == 7).hasSizeBetween(15, 20);
    }

    @Test
    void half_open_addresses_are_left_to_probes_while_a_control_url_is_alive() {
        PoolFixture pool = new PoolFixture(settings(10), 3);
        due(pool);
        pool.stands(1, pool.halfOpen());
        pool.view.controlled(true);
        assertThat(liveProbes(pool)).isEmpty();
        pool.view.controlled(false);
        assertThat(liveProbes(pool)).containsOnly(1);
    }

    @Test
    void a_half_open_address_about_which_probes_prove_nothing_is_left_to_live_leases() {
        PoolFixture pool = new PoolFixture(settings(10), 3);
        due(pool);
        pool.stands(1, pool.halfOpen());
        pool.view.controlled(true);
        int probes = 0;
        for (int i = 0; i < 20; i++) {
            pool.now += SECOND;
            for (DueProbe probe : due(pool)) {
                probes += probe.slot() == 1 ? 1 : 0;
                pool.view.probed(probe, false, -1, pool.now, pool.random);
            }
        }
        assertThat(probes).isEqualTo(3);
        assertThat(liveProbes(pool)).containsOnly(1);
    }

    /** Q-S28: checks must not eat a paid quota. */
    @Test
    void a_thousand_metered_addresses_are_never_probed_and_keep_their_live_tests() {
        List<Address> metered = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            Address usual = PoolFixture.address("a" + i, Map.of(), 1);
            metered.add(new Address(usual.id(), usual.endpoint(), usual.tags(), 1, true));
        }
        PoolFixture pool = new PoolFixture(settings(10), metered);
        pool.stands(5, pool.halfOpen());
        pool.view.controlled(true);
        assertThat(probedWithin(pool, 300)).isEmpty();
        assertThat(liveProbes(pool)).containsOnly(5);
    }

    @Test
    void a_probe_says_nothing_about_another_epoch() {
        PoolFixture pool = new PoolFixture(settings(10), 2);
        due(pool);
        pool.stands(1, pool.halfOpen());
        due(pool);
        pool.now += 2 * SECOND;
        DueProbe probe =
                due(pool).stream().filter(one -> one.slot() == 1).findFirst().orElseThrow();
        pool.stands(1, pool.slowStart());
        assertThat(pool.view.probed(probe, true, 1, pool.now, pool.random)).isFalse();
    }

    @Test
    void a_probe_that_is_under_way_is_not_handed_out_again() {
        PoolFixture pool = new PoolFixture(settings(10), 1);
        due(pool);
        pool.stands(0, pool.halfOpen());
        due(pool);
        pool.now += 2 * SECOND;
        assertThat(due(pool)).hasSize(1);
        pool.now += 30 * SECOND;
        assertThat(due(pool)).isEmpty();
    }

    private static List<Integer> liveProbes(PoolFixture pool) {
        List<Integer> slots = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            var candidate = pool.view.probe(PoolFixture.query(Strategy.WEIGHTED), pool.now);
            if (candidate != null) {
                slots.add(candidate.slot());
            }
        }
        return slots;
    }
}
