package io.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class GcraTest {
    private static final long T = 1_000;
    private static final LimitSpec.Gcra SPEC = new LimitSpec.Gcra(T, 3);
    private static final long NOW = 1_772_366_400_000_000L;

    @Test
    void a_burst_goes_at_once_and_the_rest_an_interval_apart() {
        long tat = Gcra.FRESH;
        long[] expected = {0, 0, 0, T, 2 * T, 3 * T};
        for (long wait : expected) {
            long at = Gcra.startAt(tat, NOW, SPEC, 1);
            assertThat(at - NOW).isEqualTo(wait);
            tat = Gcra.advance(tat, at, SPEC, 1);
        }
        assertThat(Gcra.freeNow(tat, NOW, SPEC)).isZero();
        assertThat(Gcra.freeNow(tat, NOW + 4 * T, SPEC)).isEqualTo(1);
        assertThat(Gcra.freeNow(tat, NOW + 4 * T - 1, SPEC)).isZero();
        assertThat(Gcra.freeNow(Gcra.FRESH, NOW, SPEC)).isEqualTo(3);
    }

    @Test
    void what_costs_more_than_the_burst_never_starts() {
        assertThat(Gcra.startAt(Gcra.FRESH, NOW, SPEC, 4)).isEqualTo(LimitSpec.NEVER);
    }

    @Test
    void a_permit_is_given_back_only_where_nobody_reserved_behind_it() {
        long first = Gcra.advance(Gcra.FRESH, NOW, SPEC, 1);
        assertThat(Gcra.giveBack(first, first, SPEC, 1)).isEqualTo(NOW);
        long second = Gcra.advance(first, NOW, SPEC, 1);
        assertThat(Gcra.giveBack(second, first, SPEC, 1)).isEqualTo(second);
    }

    @Test
    void a_state_from_a_clock_that_was_set_back_is_clamped() {
        long far = NOW + Duration.ofDays(1).toMillis() * 1_000;
        long clamped = Gcra.clamp(far, NOW, SPEC, 5 * T);
        assertThat(Gcra.startAt(clamped, NOW, SPEC, 1)).isEqualTo(NOW + 6 * T);
        assertThat(Gcra.clamp(NOW + T, NOW, SPEC, 0)).isEqualTo(NOW + T);
    }

    @Test
    void the_largest_rate_that_a_rule_allows_stays_within_a_long() {
        LimitSpec.Gcra spec = (LimitSpec.Gcra)
                Rate.of(Rate.MAX_LIMIT, Duration.ofDays(31), Rate.MAX_LIMIT).spec();
        long tat = Gcra.advance(Gcra.FRESH, NOW, spec, Rate.MAX_LIMIT);
        assertThat(tat).isPositive();
        assertThat(Gcra.startAt(tat, NOW, spec, Rate.MAX_LIMIT)).isBetween(NOW + 1, LimitSpec.NEVER - 1);
        assertThat(Gcra.freeNow(tat, NOW, spec)).isZero();
        assertThat(Gcra.clamp(tat, NOW, spec, 0)).isEqualTo(tat);
    }

    private record Permit(long at, int cost, long tatLeft) {}

    @SeededTest(seeds = 500)
    void no_window_ever_holds_more_than_the_limit_and_every_wait_is_exact(long seed) {
        RandomGenerator random = Seeds.random(seed);
        int limit = 1 + random.nextInt(random.nextBoolean() ? 5 : 120);
        int burst = 1 + random.nextInt(limit);
        Duration window = Duration.ofMillis(1 + random.nextInt(5_000));
        LimitSpec.Gcra spec = (LimitSpec.Gcra) Rate.of(limit, window, burst).spec();
        long maxWait = random.nextBoolean() ? 0 : random.nextLong(10 * spec.intervalMicros());

        Starts starts = new Starts();
        List<Permit> live = new ArrayList<>();
        long now = NOW;
        long tat = Gcra.FRESH;
        for (int step = 0; step < 500; step++) {
            now += random.nextInt(3) == 0 ? 0 : random.nextLong(2 * spec.intervalMicros());
            if (random.nextInt(50) == 0) {
                now += random.nextLong(3 * window.toMillis() * 1_000);
            }
            if (random.nextInt(5) == 0 && !live.isEmpty()) {
                Permit permit = live.remove(live.size() - 1 - random.nextInt(Math.min(3, live.size())));
                long after = Gcra.giveBack(tat, permit.tatLeft, spec, permit.cost);
                if (after != tat) {
                    starts.remove(permit.at, permit.cost);
                }
                tat = after;
                continue;
            }
            int cost = random.nextInt(4) == 0 ? 1 + random.nextInt(burst) : 1;
            long at = Gcra.startAt(tat, now, spec, cost);
            if (at > now) {
                assertThat(Gcra.startAt(tat, at - 1, spec, cost))
                        .as("a micro earlier")
                        .isEqualTo(at);
            }
            assertThat(Gcra.startAt(tat, at, spec, cost)).as("at the time told").isEqualTo(at);
            assertThat(Gcra.freeNow(tat, now, spec) >= cost).isEqualTo(at == now);
            if (at - now <= maxWait) {
                tat = Gcra.advance(tat, at, spec, cost);
                starts.add(at, cost);
                live.add(new Permit(at, cost, tat));
            }
            assertThat(Gcra.clamp(tat, now, spec, maxWait))
                    .as("an honest clock is never clamped")
                    .isEqualTo(tat);
        }
        starts.assertNeverMoreThan(limit, window.toMillis() * 1_000);
    }
}
