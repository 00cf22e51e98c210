package io.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.health.Standing;
import io.paceline.health.State;
import io.paceline.health.SubjectRow;
import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RowTest {
    private static final long START = 1_772_366_400_000_000L;
    private static final long INSTANT = MemoryStore.INSTANT_MICROS;

    private final AddressRow row = new AddressRow(3, Standing.fresh(1, START), START);

    @SeededTest(seeds = 40)
    void the_window_holds_the_last_fifty_outcomes(long seed) {
        RandomGenerator random = Seeds.random(seed);
        Deque<Boolean> last = new ArrayDeque<>();
        long now = START;
        int fails = 0;
        int wins = 0;
        for (int i = 0; i < 300; i++) {
            now += INSTANT;
            boolean good = random.nextInt(4) > 0;
            if (good) {
                row.success(7, 1_000);
            } else {
                row.fault(7, false, now, INSTANT);
            }
            fails = good ? 0 : fails + 1;
            wins = good ? wins + 1 : 0;
            last.addLast(good);
            if (last.size() > SubjectRow.WINDOW) {
                last.removeFirst();
            }
            SubjectRow seen = row.snapshot();
            assertThat(seen.outcomes()).isEqualTo(last.size());
            assertThat(seen.successes())
                    .isEqualTo((int) last.stream().filter(ok -> ok).count());
            assertThat(seen.failStreak()).isEqualTo(fails);
            assertThat(seen.winStreak()).isEqualTo(wins);
        }
    }

    @Test
    void a_burst_of_parallel_failures_inside_one_instant_is_one_signal() {
        for (int i = 0; i < 20; i++) {
            row.fault(7, false, START + i * 10_000L, INSTANT);
        }
        assertThat(row.snapshot().failStreak()).isEqualTo(1);
        row.fault(7, false, START + INSTANT - 1, INSTANT);
        assertThat(row.snapshot().failStreak()).isEqualTo(1);
        row.fault(7, false, START + INSTANT, INSTANT);
        assertThat(row.snapshot().failStreak()).isEqualTo(2);
        assertThat(row.snapshot().outcomes()).isEqualTo(2);
    }

    @Test
    void counters_begin_anew_where_the_epoch_changes_and_only_there() {
        row.success(7, 5_000);
        row.fault(7, false, START, INSTANT);
        Standing before = row.standing;
        row.shift(before.inState(State.DEGRADED, START));
        assertThat(row.snapshot().failStreak())
                .as("or the failures in flight that should eject would be lost")
                .isEqualTo(1);
        assertThat(row.snapshot().latencyMicros()).isEqualTo(5_000);
        row.shift(new Standing(State.QUARANTINED, 2, START, START + 60, 60, 1, 0, START));
        SubjectRow out = row.snapshot();
        assertThat(out.outcomes()).isZero();
        assertThat(out.failStreak()).isZero();
        assertThat(out.winStreak()).isZero();
        assertThat(out.latencyMicros()).isZero();
        row.fault(7, false, START + 1, INSTANT);
        assertThat(row.snapshot().failStreak())
                .as("the instant of the old epoch is over")
                .isEqualTo(1);
    }

    @Test
    void latency_is_an_average_of_successes_in_which_the_newest_weighs_two_in_51() {
        row.success(7, 100_000);
        row.success(7, 151_000);
        assertThat(row.snapshot().latencyMicros()).isEqualTo(102_000);
        row.success(7, -1);
        assertThat(row.snapshot().latencyMicros()).as("unknown changes nothing").isEqualTo(102_000);
        for (int i = 0; i < 500; i++) {
            row.success(7, 40_000);
        }
        assertThat(row.snapshot().latencyMicros()).isBetween(39_900L, 40_100L);
    }

    @Test
    void every_change_raises_the_revision() {
        int revision = row.revision();
        row.occupy(START);
        assertThat(row.revision()).isGreaterThan(revision);
        revision = row.revision();
        row.success(7, 1);
        assertThat(row.revision()).isGreaterThan(revision);
        revision = row.revision();
        row.fault(7, false, START, INSTANT);
        assertThat(row.revision()).isGreaterThan(revision);
        revision = row.revision();
        row.vacate();
        assertThat(row.revision()).isGreaterThan(revision);
        revision = row.revision();
        row.shift(row.standing.inState(State.DEGRADED, START));
        assertThat(row.revision()).isGreaterThan(revision);
    }

    @Test
    void a_cell_is_forgettable_when_idle_in_service_unused_and_without_a_past() {
        long hour = 3_600_000_000L;
        CellRow cell = new CellRow(3, 7, Standing.fresh(1, START), START);
        cell.occupy(START);
        assertThat(cell.forgettable(START + 2 * hour, hour)).as("live").isFalse();
        cell.vacate();
        assertThat(cell.forgettable(START + hour, hour))
                .as("not idle for long enough")
                .isFalse();
        assertThat(cell.forgettable(START + hour + 1, hour)).isTrue();
        cell.shift(new Standing(State.QUARANTINED, 2, START, START + 60, 60, 1, 0, START));
        assertThat(cell.forgettable(START + 2 * hour, hour)).as("out").isFalse();
        cell.shift(new Standing(State.HEALTHY, 3, START, 0, 60, 1, 0, 0));
        assertThat(cell.forgettable(START + 2 * hour, hour))
                .as("relapses remembered")
                .isFalse();
    }
}
