package io.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.pace.LimitSpec;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of a bucket's state when its rule is reloaded with other numbers. */
class LimitTest {
    private static final long NOW = 1_772_366_400_000_000L;
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;

    private static LimitSpec.Window window(int limit, long micros) {
        return new LimitSpec.Window(limit, micros);
    }

    private static LimitSpec.Gcra gcra(int limit, long micros, int burst) {
        return new LimitSpec.Gcra(micros / (limit - burst + 1), burst);
    }

    private static void take(Limit limit, LimitSpec spec, long at, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(limit.startAt(at, spec, 1)).isEqualTo(at);
            limit.take(at, spec, 1);
        }
    }

    /** Starts that a caller who never rests gets in the time given. */
    private static int starts(Limit limit, LimitSpec spec, long from, long until) {
        int starts = 0;
        for (long at = limit.startAt(from, spec, 1); at < until; at = limit.startAt(at, spec, 1)) {
            limit.take(at, spec, 1);
            starts++;
        }
        return starts;
    }

    @Test
    void a_raised_limit_holds_for_the_next_request_without_a_second_full_burst() {
        // Case Q-S22: 5 per minute, then 10 per minute.
        Limit five = Limit.fresh(window(5, MINUTE));
        take(five, window(5, MINUTE), NOW, 5);
        LimitSpec ten = window(10, MINUTE);
        assertThat(five.counts(ten)).isFalse();
        Limit next = Limit.succeeding(five, ten, NOW + 10 * SECOND);
        assertThat(starts(next, ten, NOW + 10 * SECOND, NOW + MINUTE)).isEqualTo(5);
    }

    @Test
    void a_lowered_limit_is_full_where_the_old_window_holds_more() {
        Limit ten = Limit.fresh(window(10, MINUTE));
        take(ten, window(10, MINUTE), NOW, 8);
        LimitSpec five = window(5, MINUTE);
        Limit next = Limit.succeeding(ten, five, NOW + SECOND);
        assertThat(next.startAt(NOW + SECOND, five, 1)).isEqualTo(NOW + SECOND + MINUTE);
    }

    static Stream<Arguments> reloads() {
        LimitSpec[] specs = {
            window(10, MINUTE),
            window(3, SECOND),
            window(500, MINUTE),
            window(12, MINUTE),
            gcra(10, MINUTE, 4),
            gcra(10, MINUTE, 10),
            gcra(30, MINUTE, 1)
        };
        return Stream.of(specs)
                .flatMap(before -> Stream.of(specs)
                        .filter(after -> !(before.equals(after)
                                || (before instanceof LimitSpec.Gcra && after instanceof LimitSpec.Gcra)))
                        .map(after -> Arguments.of(before, after)));
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @MethodSource("reloads")
    void a_bucket_that_is_full_gives_no_burst_under_another_algorithm_or_window(LimitSpec before, LimitSpec after) {
        Limit old = Limit.fresh(before);
        int used = 0;
        while (old.startAt(NOW, before, 1) == NOW) {
            old.take(NOW, before, 1);
            used++;
        }
        assertThat(old.used(NOW)).isEqualTo(used);
        Limit next = Limit.succeeding(old, after, NOW);
        int most = after instanceof LimitSpec.Window w ? w.limit() : ((LimitSpec.Gcra) after).burst();
        int now = 0;
        while (next.startAt(NOW, after, 1) == NOW) {
            next.take(NOW, after, 1);
            now++;
        }
        assertThat(now).isEqualTo(Math.max(0, most - used));
    }

    @Test
    void an_idle_bucket_passes_nothing_on() {
        Limit old = Limit.fresh(gcra(10, MINUTE, 4));
        take(old, gcra(10, MINUTE, 4), NOW, 4);
        long later = NOW + 2 * MINUTE;
        assertThat(old.idle(later)).isTrue();
        Limit next = Limit.succeeding(old, window(10, MINUTE), later);
        assertThat(next.idle(later)).isTrue();
        assertThat(starts(next, window(10, MINUTE), later, later + 1)).isEqualTo(10);
    }

    @Test
    void a_rate_goes_on_under_new_numbers_and_what_is_live_under_a_new_maximum() {
        Limit rate = Limit.fresh(gcra(10, MINUTE, 10));
        assertThat(rate.counts(gcra(60, MINUTE, 1))).isTrue();
        Limit live = Limit.fresh(new LimitSpec.Concurrency(2));
        take(live, new LimitSpec.Concurrency(2), NOW, 2);
        assertThat(live.startAt(NOW, new LimitSpec.Concurrency(2), 1)).isEqualTo(Limit.UNKNOWN);
        assertThat(live.counts(new LimitSpec.Concurrency(3))).isTrue();
        assertThat(live.startAt(NOW, new LimitSpec.Concurrency(3), 1)).isEqualTo(NOW);
        assertThat(live.startAt(NOW, new LimitSpec.Concurrency(1), 1)).isEqualTo(Limit.UNKNOWN);
        live.giveBack(0, new LimitSpec.Concurrency(1), 1);
        assertThat(live.startAt(NOW, new LimitSpec.Concurrency(1), 1)).isEqualTo(Limit.UNKNOWN);
        live.giveBack(0, new LimitSpec.Concurrency(1), 1);
        assertThat(live.idle(NOW)).isTrue();
        live.giveBack(0, new LimitSpec.Concurrency(1), 1);
        take(live, new LimitSpec.Concurrency(1), NOW, 1);
        assertThat(live.startAt(NOW, new LimitSpec.Concurrency(1), 1))
                .as("never below nothing")
                .isEqualTo(Limit.UNKNOWN);
    }

    @Test
    void hints_are_an_interval_apart() {
        LimitSpec spec = gcra(10, MINUTE, 4);
        Limit limit = Limit.fresh(spec);
        long interval = ((LimitSpec.Gcra) spec).intervalMicros();
        assertThat(limit.hint(NOW, spec)).isEqualTo(NOW);
        assertThat(limit.hint(NOW, spec)).isEqualTo(NOW + interval);
        assertThat(limit.hint(NOW, spec)).isEqualTo(NOW + 2 * interval);
    }
}
