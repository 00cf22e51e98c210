package io.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HintClockTest {
    private static final LimitSpec SPEC = new LimitSpec.Gcra(1_000, 1);

    @Test
    void the_first_is_told_exactly_and_each_further_one_an_interval_later() {
        long state = HintClock.next(HintClock.FRESH, 50_000, SPEC);
        assertThat(state).isEqualTo(50_000);
        Set<Long> told = new HashSet<>();
        for (int i = 1; i <= 1_000; i++) {
            state = HintClock.next(state, 50_000, SPEC);
            assertThat(state).isEqualTo(50_000 + i * 1_000L);
            assertThat(told.add(state)).isTrue();
        }
        assertThat(HintClock.next(state, 5_000_000, SPEC)).isEqualTo(5_000_000);
    }

    @Test
    void who_never_waits_does_not_push_the_hints_away_for_ever() {
        long state = HintClock.FRESH;
        for (int i = 0; i < 100_000; i++) {
            state = HintClock.next(state, 50_000, SPEC);
            assertThat(state).isBetween(50_000L, 50_000L + HintClock.MAX_AHEAD * 1_000L);
        }
    }

    @Test
    void an_interval_is_the_mean_distance_of_permits() {
        assertThat(HintClock.intervalMicros(new LimitSpec.Window(50, 60_000_000)))
                .isEqualTo(1_200_000);
        assertThat(HintClock.intervalMicros(new LimitSpec.Window(1_000, 10))).isEqualTo(1);
        assertThat(HintClock.intervalMicros(new LimitSpec.Concurrency(4))).isEqualTo(250_000);
    }
}
