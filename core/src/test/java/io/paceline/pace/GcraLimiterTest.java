package io.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GcraLimiterTest {
    private static final long T = 1_000;
    private static final int THREADS = 8;

    @ParameterizedTest
    @ValueSource(longs = {1_772_366_400_000_000L, 0, -9_000_000_000_000_000L})
    void a_burst_goes_at_once_and_the_rest_waits_whatever_the_origin_of_the_clock(long now) {
        GcraLimiter limiter = new GcraLimiter(new LimitSpec.Gcra(T, 3));

        assertThat(limiter.freeNow(now)).isEqualTo(3);
        assertThat(limiter.tryTake(now, 2)).isZero();
        assertThat(limiter.tryTake(now, 1)).isZero();
        assertThat(limiter.tryTake(now, 1)).isEqualTo(T);
        assertThat(limiter.tryTake(now + 1, 2)).isEqualTo(2 * T - 1);
        assertThat(limiter.tryTake(now + 2 * T, 2)).isZero();
        assertThat(limiter.freeNow(now + 2 * T)).isZero();
    }

    @Test
    void what_costs_more_than_the_burst_never_starts_and_a_cost_below_one_is_an_error() {
        GcraLimiter limiter = new GcraLimiter(new LimitSpec.Gcra(T, 3));

        assertThat(limiter.tryTake(5, 4)).isEqualTo(LimitSpec.NEVER);
        assertThatThrownBy(() -> limiter.tryTake(5, 0)).hasMessage("cost 0 is not at least 1");
        assertThat(limiter.freeNow(5)).isEqualTo(3);
    }

    @SeededTest
    void it_says_what_the_arithmetic_says(long seed) {
        RandomGenerator random = Seeds.random(seed);
        LimitSpec.Gcra spec = new LimitSpec.Gcra(1 + random.nextInt(5_000), 1 + random.nextInt(20));
        GcraLimiter limiter = new GcraLimiter(spec);
        long tat = Gcra.FRESH;
        long now = 1_000_000;
        for (int i = 0; i < 1_000; i++) {
            now += random.nextInt(3_000);
            int cost = 1 + random.nextInt(spec.burst());
            long at = Gcra.startAt(tat, now, spec, cost);
            assertThat(limiter.tryTake(now, cost)).isEqualTo(at - now);
            tat = at == now ? Gcra.advance(tat, now, spec, cost) : tat;
        }
    }

    @Test
    void threads_together_never_get_more_than_the_limit_lets_through_and_lose_nothing() throws Exception {
        int rounds = 300;
        GcraLimiter limiter = new GcraLimiter(new LimitSpec.Gcra(T, 5));
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (int round = 0; round < rounds; round++) {
                // One interval a round: the whole burst first, then one permit, whoever is faster.
                long now = 1_000_000 + round * T;
                assertThat(taken(threads, () -> limiter.tryTake(now, 1) == 0)).isEqualTo(round == 0 ? 5 : 1);
            }
        } finally {
            threads.shutdown();
        }
    }

    private static long taken(ExecutorService threads, Callable<Boolean> take)
            throws InterruptedException, ExecutionException {
        List<Callable<Boolean>> calls = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            calls.add(take);
        }
        long taken = 0;
        for (Future<Boolean> answer : threads.invokeAll(calls)) {
            taken += answer.get() ? 1 : 0;
        }
        return taken;
    }
}
