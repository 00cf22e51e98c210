package io.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The token bucket is GCRA with another interval: what it promises, and bucket4j as a judge from outside. */
class TokenBucketTest {
    private static final long NOW = 1_772_366_400_000_000L;

    @Test
    void it_may_pass_limit_and_burst_in_one_window_and_says_so() {
        Rate rate = Rate.tokenBucket(10, Duration.ofSeconds(1), 5);
        assertThat(rate.worstCase()).isEqualTo(14);
        assertThat(Sustained.of(rate).sentence())
                .isEqualTo("token-bucket: 5 at once, then one every 100 ms (10/s sustained), but up to 14 in any 1 s");
        LimitSpec.Gcra spec = (LimitSpec.Gcra) rate.spec();
        long tat = Gcra.FRESH;
        int started = 0;
        for (long at = Gcra.startAt(tat, NOW, spec, 1); at < NOW + 1_000_000; at = Gcra.startAt(tat, at, spec, 1)) {
            tat = Gcra.advance(tat, at, spec, 1);
            started++;
        }
        assertThat(started).isEqualTo(14);
    }

    @SeededTest(seeds = 300)
    void no_window_holds_more_than_its_stated_worst_case(long seed) {
        RandomGenerator random = Seeds.random(seed);
        int limit = 1 + random.nextInt(60);
        int burst = 1 + random.nextInt(random.nextBoolean() ? limit : 120);
        Duration window = Duration.ofMillis(1 + random.nextInt(5_000));
        Rate rate = Rate.tokenBucket(limit, window, burst);
        LimitSpec.Gcra spec = (LimitSpec.Gcra) rate.spec();
        Starts starts = new Starts();
        long now = NOW;
        long tat = Gcra.FRESH;
        for (int step = 0; step < 600; step++) {
            now += random.nextInt(3) == 0 ? 0 : random.nextLong(2 * spec.intervalMicros());
            now += random.nextInt(60) == 0 ? random.nextLong(burst * spec.intervalMicros()) : 0;
            int cost = random.nextInt(4) == 0 ? 1 + random.nextInt(burst) : 1;
            long at = Gcra.startAt(tat, now, spec, cost);
            tat = Gcra.advance(tat, at, spec, cost);
            starts.add(at, cost);
        }
        starts.assertNeverMoreThan(rate.worstCase(), window.toMillis() * 1_000);
    }

    /** A clock for bucket4j that stands where the history is. */
    private static final class Hand implements TimeMeter {
        private long nanos;

        @Override
        public long currentTimeNanos() {
            return nanos;
        }

        @Override
        public boolean isWallClockBased() {
            return false;
        }
    }

    @SeededTest(seeds = 300)
    void it_admits_exactly_what_bucket4j_admits_and_names_the_same_wait(long seed) {
        RandomGenerator random = Seeds.random(seed);
        int limit = 1 + random.nextInt(100);
        int burst = 1 + random.nextInt(200);
        long interval = 1 + random.nextLong(2_000_000);
        Duration window = Duration.ofNanos(limit * interval * 1_000); // no remainder: both count exactly
        LimitSpec.Gcra spec = new LimitSpec.Gcra(interval, burst);
        Hand hand = new Hand();
        Bucket rival = Bucket.builder()
                .addLimit(bandwidth -> bandwidth.capacity(burst).refillGreedy(limit, window))
                .withCustomTimePrecision(hand)
                .build();
        long now = NOW;
        long tat = Gcra.FRESH;
        for (int step = 0; step < 1_000; step++) {
            now += random.nextInt(3) == 0 ? 0 : random.nextLong(3 * interval);
            now += random.nextInt(100) == 0 ? random.nextLong(2L * burst * interval) : 0;
            hand.nanos = (now - NOW) * 1_000;
            int cost = random.nextInt(4) == 0 ? 1 + random.nextInt(burst) : 1;
            long waitMicros = Gcra.startAt(tat, now, spec, cost) - now;
            assertThat(rival.estimateAbilityToConsume(cost).getNanosToWaitForRefill())
                    .as("step %d, cost %d", step, cost)
                    .isEqualTo(waitMicros * 1_000);
            assertThat(rival.tryConsume(cost)).isEqualTo(waitMicros == 0);
            if (waitMicros == 0) {
                tat = Gcra.advance(tat, now, spec, cost);
            }
            assertThat(Gcra.freeNow(tat, now, spec)).isEqualTo((int) rival.getAvailableTokens());
        }
    }
}
