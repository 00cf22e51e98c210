package io.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdaptivePaceTest {
    private static final LimitSpec.Pace WIDE = new LimitSpec.Pace(0.01, 1_000);

    private static PaceRow row(double peak, double growthSeconds) {
        return new PaceRow(1, 0, 0, 1, 0, 0, peak, (long) (growthSeconds * 1e6));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.2, 2, 20})
    void a_refused_pace_falls_to_seven_tenths_and_is_back_after_a_cycle_whatever_its_size(double peak) {
        assertThat(AdaptivePace.rate(row(peak, 0), WIDE)).isEqualTo(0.7 * peak, within(1e-9));
        assertThat(AdaptivePace.rate(row(peak, 300), WIDE)).isEqualTo(peak, within(1e-9));
        assertThat(AdaptivePace.rate(row(peak, 750), WIDE)).isGreaterThan(2 * peak);
        assertThat(AdaptivePace.rate(row(peak, 1_240), WIDE)).isGreaterThan(10 * peak);
    }

    @Test
    void it_begins_at_the_floor_and_doubles() {
        LimitSpec.Pace spec = new LimitSpec.Pace(0.1, 5);
        assertThat(AdaptivePace.rate(PaceRow.FRESH, spec)).isEqualTo(0.1);
        PaceRow later = PaceRow.FRESH.counting(0, (long) (AdaptivePace.DOUBLING_SECONDS * 1e6));
        assertThat(AdaptivePace.rate(later, spec)).isEqualTo(0.2, within(1e-9));
        assertThat(AdaptivePace.rate(PaceRow.FRESH.counting(0, Long.MAX_VALUE / 2), spec))
                .isEqualTo(5);
    }

    @Test
    void a_refusal_steps_once_for_all_that_was_granted_before_it() {
        PaceRow row = PaceRow.FRESH.counting(0, 120_000_000);
        SplittableRandom random = new SplittableRandom(1);
        PaceRow first = Pauses.afterRefusal(row, WIDE, 5, 1_000, -1, random).orElseThrow();
        assertThat(first.peak()).isEqualTo(AdaptivePace.rate(row, WIDE));
        assertThat(first.growthMicros()).isZero();
        assertThat(Pauses.afterRefusal(first, WIDE, 1_000, 2_000, -1, random)).isEmpty();
        PaceRow second =
                Pauses.afterRefusal(first, WIDE, 1_001, 20_000_000, -1, random).orElseThrow();
        assertThat(second.step()).isEqualTo(2);
        assertThat(second.peak()).isEqualTo(0.7 * first.peak(), within(1e-9));
    }

    @Test
    void a_slow_down_and_a_pause_do_not_touch_each_other() {
        PaceRow slowed = PaceRow.FRESH.slowedTo(10_000_000);
        PaceRow both = Pauses.afterRefusal(
                        slowed, LimitSpec.Pace.NOT_ADAPTIVE, 1, 10, 60_000_000, new SplittableRandom(1))
                .orElseThrow();
        assertThat(both.slowIntervalMicros()).isEqualTo(10_000_000);
        assertThat(both.slowedTo(0).blockedUntilMicros()).isEqualTo(60_000_010);
    }
}
