package io.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FixedWindowTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final List<String> ZONES = List.of(
            "UTC",
            "Europe/Berlin",
            "America/New_York",
            "Asia/Kolkata",
            "America/Sao_Paulo",
            "Pacific/Apia",
            "Asia/Tokyo");
    private static final List<Duration> WINDOWS = List.of(
            Duration.ofMillis(100),
            Duration.ofMinutes(1),
            Duration.ofMinutes(30),
            Duration.ofHours(2),
            Duration.ofHours(6),
            Duration.ofHours(12),
            Duration.ofDays(1),
            Duration.ofDays(7));

    @ParameterizedTest
    @CsvSource({
        // Berlin is an hour ahead in winter, two in summer; 2026-03-29 has 23 hours, 2026-10-25 has 25.
        "PT24H, 2026-03-01T12:00:00Z, 2026-02-28T23:00:00Z, 2026-03-01T23:00:00Z",
        "PT24H, 2026-03-29T12:00:00Z, 2026-03-28T23:00:00Z, 2026-03-29T22:00:00Z",
        "PT24H, 2026-10-25T12:00:00Z, 2026-10-24T22:00:00Z, 2026-10-25T23:00:00Z",
        "PT168H, 2026-03-01T12:00:00Z, 2026-02-22T23:00:00Z, 2026-03-01T23:00:00Z",
        "PT6H, 2026-03-29T00:30:00Z, 2026-03-28T23:00:00Z, 2026-03-29T04:00:00Z",
        "PT2H, 2026-03-29T01:30:00Z, 2026-03-29T01:00:00Z, 2026-03-29T02:00:00Z",
        "PT2H, 2026-10-25T01:30:00Z, 2026-10-25T00:00:00Z, 2026-10-25T03:00:00Z",
        "PT1M, 2026-10-25T01:30:10Z, 2026-10-25T01:30:00Z, 2026-10-25T01:31:00Z",
    })
    void a_window_is_the_one_on_the_wall(Duration length, Instant now, Instant begin, Instant end) {
        LimitSpec.Calendar spec = new LimitSpec.Calendar(1, length.toNanos() / 1_000, BERLIN);
        assertThat(CalendarWindow.begin(micros(now), spec)).isEqualTo(micros(begin));
        assertThat(CalendarWindow.end(micros(now), spec)).isEqualTo(micros(end));
    }

    @SeededTest(seeds = 300)
    void windows_follow_each_other_without_gap_or_overlap(long seed) {
        RandomGenerator random = Seeds.random(seed);
        ZoneId zone = ZoneId.of(ZONES.get(random.nextInt(ZONES.size())));
        Duration length = WINDOWS.get(random.nextInt(WINDOWS.size()));
        LimitSpec.Calendar spec = new LimitSpec.Calendar(1, length.toNanos() / 1_000, zone);
        // Near a change of clocks, which is where it could go wrong; 2005 has such nights in most of these zones.
        var change = zone.getRules().nextTransition(Instant.parse("2005-01-01T00:00:00Z"));
        long around = change == null ? micros(Instant.parse("2005-06-01T00:00:00Z")) : micros(change.getInstant());
        long now = around - 3 * spec.windowMicros() + random.nextLong(3 * spec.windowMicros());
        for (int i = 0; i < 20; i++) {
            long begin = CalendarWindow.begin(now, spec);
            long end = CalendarWindow.end(now, spec);
            assertThat(now).isBetween(begin, end - 1);
            long inside = begin + random.nextLong(end - begin);
            assertThat(CalendarWindow.begin(inside, spec)).isEqualTo(begin);
            assertThat(CalendarWindow.end(inside, spec)).isEqualTo(end);
            assertThat(CalendarWindow.begin(end, spec)).isEqualTo(end);
            now = end;
        }
    }

    @Test
    void the_quota_is_whole_again_at_midnight_and_what_is_over_it_is_told_that() {
        long noon = micros(Instant.parse("2026-03-01T12:00:00Z"));
        long midnight = micros(ZonedDateTime.of(2026, 3, 2, 0, 0, 0, 0, BERLIN).toInstant());
        FixedWindow window = new FixedWindow(spec(3, Duration.ofDays(1), BERLIN));
        assertThat(window.startAt(noon, 4)).isEqualTo(LimitSpec.NEVER);
        window.take(noon, 2);
        assertThat(window.startAt(noon + 1, 1)).isEqualTo(noon + 1);
        window.take(noon + 1, 1);
        assertThat(window.freeNow(noon + 1)).isZero();
        assertThat(window.startAt(noon + 2, 1)).isEqualTo(midnight);
        assertThatIllegalStateException().isThrownBy(() -> window.take(noon + 2, 1));
        assertThat(window.idleAt()).isEqualTo(midnight);

        assertThat(window.giveBack(noon, 1)).as("the window is open still").isTrue();
        assertThat(window.startAt(noon + 3, 1)).isEqualTo(noon + 3);

        window.take(window.startAt(midnight, 3), 3);
        assertThat(window.giveBack(noon + 1, 1)).as("its window is over").isFalse();
        assertThat(window.freeNow(midnight)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT7M", "PT48H", "PT5H", "PT744H"})
    void a_window_that_no_calendar_has_is_refused(Duration window) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rate.fixedWindow(10, window, ZoneOffset.UTC))
                .withMessageContaining("is none of the calendar")
                .withMessageContaining("1d");
    }

    @Test
    void what_it_gives_is_said_with_the_zone_and_the_worst_case() {
        assertThat(Sustained.of(Rate.fixedWindow(1_000, Duration.ofDays(1), BERLIN))
                        .sentence())
                .isEqualTo("fixed-window: up to 1000 in each day of the calendar (Europe/Berlin), but up to 2000 in"
                        + " any 86400 s across a boundary");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Rate(5, Duration.ofDays(1), null, Algorithm.SLIDING_WINDOW, BERLIN))
                .withMessageContaining("zone Europe/Berlin means nothing");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Rate(5, Duration.ofDays(1), 2, Algorithm.FIXED_WINDOW, null))
                .withMessageContaining("burst 2 means nothing to a fixed-window");
    }

    private record Permit(long at, int cost) {}

    @SeededTest(seeds = 300)
    void no_calendar_window_holds_more_than_the_limit_and_none_across_two_more_than_twice(long seed) {
        RandomGenerator random = Seeds.random(seed);
        int limit = 1 + random.nextInt(40);
        LimitSpec.Calendar spec = spec(limit, Duration.ofMinutes(10), ZoneId.of("Asia/Kolkata"));
        FixedWindow window = new FixedWindow(spec);
        long maxWait = random.nextBoolean() ? 0 : random.nextLong(2 * spec.windowMicros());
        Starts starts = new Starts();
        Map<Long, Integer> perWindow = new HashMap<>();
        List<Permit> live = new ArrayList<>();
        long now = micros(Instant.parse("2026-03-01T12:00:00Z"));
        for (int step = 0; step < 1_000; step++) {
            now += random.nextInt(3) == 0 ? 0 : random.nextLong(2 * spec.windowMicros() / limit);
            if (random.nextInt(5) == 0 && !live.isEmpty()) {
                Permit permit = live.remove(random.nextInt(live.size()));
                if (window.giveBack(permit.at, permit.cost)) {
                    starts.remove(permit.at, permit.cost);
                    perWindow.merge(CalendarWindow.begin(permit.at, spec), -permit.cost, Integer::sum);
                }
                continue;
            }
            int cost = random.nextInt(4) == 0 ? 1 + random.nextInt(limit) : 1;
            long at = window.startAt(now, cost);
            assertThat(window.startAt(at, cost)).as("at the time told").isEqualTo(at);
            assertThat(window.freeNow(now) >= cost).isEqualTo(at == now);
            if (at - now <= maxWait) {
                window.take(at, cost);
                starts.add(at, cost);
                live.add(new Permit(at, cost));
                perWindow.merge(CalendarWindow.begin(at, spec), cost, Integer::sum);
            }
        }
        assertThat(perWindow.values()).allMatch(count -> count <= limit);
        starts.assertNeverMoreThan(2 * limit, spec.windowMicros());
    }

    private static LimitSpec.Calendar spec(int limit, Duration window, ZoneId zone) {
        return new LimitSpec.Calendar(limit, window.toNanos() / 1_000, zone);
    }

    private static long micros(Instant instant) {
        return instant.toEpochMilli() * 1_000;
    }
}
