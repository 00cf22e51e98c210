package io.paceline.redis.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.testkit.Seeds;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class BreakerTest {
    private final RandomGenerator random = Seeds.random(1);

    @Test
    void threeFailuresInARowOpenIt() {
        Breaker twice = Breaker.CLOSED.failed(0, random).failed(0, random);

        assertThat(twice.isClosed()).isTrue();
        assertThat(twice.failed(0, random).isClosed()).isFalse();
    }

    @Test
    void triesAreMadeAtGrowingRandomIntervalsUpToASecond() {
        Breaker breaker = Breaker.CLOSED.opened(0, random);
        for (int i = 0; i < 20; i++) {
            long longest = Math.min(Breaker.LONGEST_WAIT_MICROS, Breaker.FIRST_WAIT_MICROS << Math.min(i, 10));
            assertThat(breaker.retryAtMicros()).isBetween(longest / 2, longest);
            assertThat(breaker.mayTry(breaker.retryAtMicros() - 1)).isFalse();
            assertThat(breaker.mayTry(breaker.retryAtMicros())).isTrue();
            breaker = breaker.failed(0, random);
        }
    }
}
