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
    void a_refused_pace_falls_to_three_quarters_and_is_back_after_a_cycle_whatever_its_size(double peak) {
        assertThat(AdaptivePace.rate(row(peak, 0), WIDE)).isEqualTo(0.75 * peak, within(1e-9));
        assertThat(AdaptivePace.rate(row(peak, 300), WIDE)).isEqualTo(peak, within(1e-9));
        assertThat(AdaptivePace.rate(row(peak, 645), WIDE)).isGreaterThan(2 * peak);
        assertThat(AdaptivePace.rate(row(peak, 1_000), WIDE)).isGreaterThan(10 * peak);
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
        assertThat(second.peak()).isEqualTo(0.75 * 0.875 * first.peak(), within(1e-9));
    }

    @Test
    void whoever_is_refused_again_before_he_is_half_way_back_looks_no_longer_for_the_old_peak() {
        SplittableRandom random = new SplittableRandom(1);
        PaceRow early =
                Pauses.afterRefusal(row(1, 149), WIDE, 5, 1_000, -1, random).orElseThrow();
        PaceRow late =
                Pauses.afterRefusal(row(1, 151), WIDE, 5, 1_000, -1, random).orElseThrow();
        assertThat(early.peak()).isLessThan(0.9 * late.peak());
    }

    @Test
    void a_target_that_becomes_slow_lowers_the_pace_and_pauses_nothing() {
        PaceRow slower = Pauses.afterSlowness(row(2, 300), WIDE);
        assertThat(AdaptivePace.rate(slower, WIDE)).isEqualTo(1.5, within(1e-9));
        assertThat(slower.blockedUntilMicros()).isZero();
        assertThat(slower.step()).isEqualTo(1);
    }

    @Test
    void twice_the_usual_latency_is_too_fast_once_and_again_after_a_while() {
        LatencyWatch watch = LatencyWatch.NEW;
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 5_000; i++) {
            // One answer in a hundred takes fifty times as long: that happens to healthy sites.
            watch = watch.after((random.nextInt(100) == 0 ? 50L : 1L) * (150_000 + random.nextInt(100_000)));
            assertThat(watch.tooFast()).as("outcome %d", i).isFalse();
        }
        int falls = 0;
        for (int i = 0; i < 120; i++) {
            watch = watch.after(600_000);
            falls += watch.tooFast() ? 1 : 0;
        }
        assertThat(falls).isEqualTo(3);
        assertThat(watch.normMicros())
                .as("what is slow does not become the norm")
                .isLessThan(350_000);
        for (int i = 0; i < 60; i++) {
            watch = watch.after(200_000);
        }
        assertThat(watch.slowFor()).isZero();
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
