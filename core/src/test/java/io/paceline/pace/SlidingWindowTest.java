package io.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlidingWindowTest {
    private static final long NOW = 1_772_366_400_000_000L;
    private static final long W = 60_000_000;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64, 65, 1_000})
    void the_whole_limit_goes_at_once_and_the_next_waits_for_the_window(int limit) {
        SlidingWindow window = SlidingWindow.of(new LimitSpec.Window(limit, W));
        assertThat(window.idleAt()).isEqualTo(Long.MIN_VALUE);
        assertThat(window.freeNow(NOW)).isEqualTo(limit);
        assertThat(window.startAt(NOW, limit)).isEqualTo(NOW);
        for (int i = 0; i < limit; i++) {
            assertThat(window.startAt(NOW, 1)).isEqualTo(NOW);
            window.take(NOW, 1);
        }
        assertThat(window.freeNow(NOW)).isZero();
        assertThat(window.startAt(NOW, 1)).isBetween(NOW + W, NOW + W + W / 63 + 1);
        assertThat(window.startAt(NOW, limit + 1)).isEqualTo(LimitSpec.NEVER);
        assertThatIllegalStateException().isThrownBy(() -> window.take(NOW, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> window.startAt(NOW, 0));

        assertThat(window.idleAt()).isBetween(NOW + W, NOW + W + W / 63 + 1);
        assertThat(window.freeNow(window.idleAt())).isEqualTo(limit);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 100})
    void a_start_is_given_back_only_where_nobody_reserved_behind_it(int limit) {
        SlidingWindow window = SlidingWindow.of(new LimitSpec.Window(limit, W));
        window.take(NOW, limit - 1);
        window.take(NOW, 1);
        long reserved = window.startAt(NOW + 5, 1);
        window.take(reserved, 1);
        assertThat(window.giveBack(NOW, 1)).isFalse();
        assertThat(window.giveBack(reserved, 1)).isTrue();
        assertThat(window.startAt(NOW + 6, 1)).isEqualTo(reserved);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 100})
    void after_a_clock_was_set_back_nobody_waits_for_the_old_time(int limit) {
        SlidingWindow window = SlidingWindow.of(new LimitSpec.Window(limit, W));
        window.take(NOW, limit);
        long earlier = NOW - 3_600_000_000L;
        window.clamp(earlier, 1_000_000);
        assertThat(window.startAt(earlier, 1)).isBetween(earlier + W, earlier + W + W / 63 + 1_000_001);
        assertThat(window.idleAt()).isLessThan(earlier + 2 * W);
    }

    @Test
    void a_ring_stays_small_while_starts_are_rare() {
        StartRing ring = new StartRing(new LimitSpec.Window(64, W));
        for (int i = 0; i < 1_000; i++) {
            long at = ring.startAt(NOW + i * W, 1);
            ring.take(at, 1);
        }
        assertThat(ring.capacity()).isEqualTo(2);
    }

    private record Permit(long at, int cost) {}

    @SeededTest(seeds = 500)
    void no_window_ever_holds_more_than_the_limit(long seed) {
        RandomGenerator random = Seeds.random(seed);
        int limit = random.nextBoolean() ? 1 + random.nextInt(64) : 65 + random.nextInt(300);
        long width = 1_000 + random.nextLong(5_000_000);
        long maxWait = random.nextBoolean() ? 0 : random.nextLong(3 * width);
        SlidingWindow window = SlidingWindow.of(new LimitSpec.Window(limit, width));
        Starts starts = new Starts();
        List<Permit> live = new ArrayList<>();
        long now = NOW;
        long step = Math.max(1, 2 * width / limit);
        for (int i = 0; i < 1_500; i++) {
            now += random.nextInt(3) == 0 ? 0 : random.nextLong(step);
            if (random.nextInt(100) == 0) {
                now += random.nextLong(2 * width);
            }
            // A clock may also stand still or fall back a little between two readers.
            long read = random.nextInt(10) == 0 ? now - random.nextLong(step) : now;
            if (random.nextInt(5) == 0 && !live.isEmpty()) {
                Permit permit = live.remove(live.size() - 1 - random.nextInt(Math.min(3, live.size())));
                if (window.giveBack(permit.at, permit.cost)) {
                    starts.remove(permit.at, permit.cost);
                }
                continue;
            }
            int cost = random.nextInt(4) == 0 ? 1 + random.nextInt(limit) : 1;
            long at = window.startAt(read, cost);
            assertThat(at).isGreaterThanOrEqualTo(read);
            assertThat(window.startAt(at, cost)).as("at the time told").isEqualTo(at);
            assertThat(window.freeNow(read) >= cost).isEqualTo(at == read);
            if (at - read <= maxWait) {
                window.take(at, cost);
                starts.add(at, cost);
                live.add(new Permit(at, cost));
            }
        }
        starts.assertNeverMoreThan(limit, width);
    }

    @SeededTest(seeds = 300)
    void up_to_64_every_answer_is_that_of_a_plain_log(long seed) {
        RandomGenerator random = Seeds.random(seed);
        int limit = 1 + random.nextInt(random.nextBoolean() ? 4 : 64);
        long width = 1_000 + random.nextLong(1_000_000);
        SlidingWindow window = SlidingWindow.of(new LimitSpec.Window(limit, width));
        boolean costs = random.nextBoolean();
        List<Long> log = new ArrayList<>();
        long now = NOW;
        for (int i = 0; i < 1_000; i++) {
            now += random.nextInt(3) == 0 ? 0 : random.nextLong(2 * width / limit + 1);
            if (!costs && random.nextInt(4) == 0 && !log.isEmpty()) {
                long newest = log.remove(log.size() - 1);
                boolean givenBack = window.giveBack(newest, 1);
                // What has left the window is forgotten, and giving it back would change nothing.
                assertThat(givenBack || newest + width <= now).isTrue();
                continue;
            }
            int cost = costs ? 1 + random.nextInt(limit) : 1;
            long at = window.startAt(now, cost);
            assertThat(at).isEqualTo(plainStartAt(log, now, cost, limit, width));
            if (random.nextInt(3) > 0) {
                window.take(at, cost);
                for (int unit = 0; unit < cost; unit++) {
                    log.add(at);
                }
            }
        }
    }

    private static long plainStartAt(List<Long> log, long now, int cost, int limit, long width) {
        long at = log.isEmpty() ? now : Math.max(now, log.get(log.size() - 1));
        // The start that must have left the window: all after it and this one are at most the limit.
        int leaving = log.size() + cost - limit - 1;
        return leaving < 0 ? at : Math.max(at, log.get(leaving) + width);
    }

    @SeededTest(seeds = 50)
    void above_64_at_most_two_percent_stay_unused(long seed) {
        RandomGenerator random = Seeds.random(seed);
        int limit = 65 + random.nextInt(2_000);
        long width = 1_000_000 + random.nextLong(100_000_000);
        SlidingWindow window = SlidingWindow.of(new LimitSpec.Window(limit, width));
        int windows = 20;
        long now = NOW + random.nextLong(width);
        long end = now + windows * width;
        long taken = 0;
        boolean evenly = random.nextBoolean();
        while (true) {
            now = window.startAt(now, 1);
            if (now >= end) {
                break;
            }
            window.take(now, 1);
            taken++;
            now += evenly ? width / limit : 0;
        }
        assertThat(taken).isGreaterThanOrEqualTo((long) (0.98 * limit * windows));
    }
}
