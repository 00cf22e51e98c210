package io.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.health.Standing;
import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The timing wheel against a list that is searched from end to end. */
class LeaseWheelTest {
    private static final long START = 1_772_366_400_000_000L;
    private static final long TURN = 512L << 17;

    private final ChainTable chain = new ChainTable(1);
    private final AddressRow address = new AddressRow(0, Standing.fresh(0, START), START);
    private final CellRow cell = new CellRow(0, 7, Standing.fresh(0, START), START);

    private LeaseEntry lease(long id, long expiresAtMicros) {
        return new LeaseEntry(id, chain, address, cell, true, START, expiresAtMicros, List.of(), new long[0], null);
    }

    @SeededTest(seeds = 60)
    void agrees_with_a_list_whatever_is_added_removed_and_renewed_and_however_the_clock_jumps(long seed) {
        RandomGenerator random = Seeds.random(seed);
        LeaseWheel wheel = new LeaseWheel(START);
        List<LeaseEntry> list = new ArrayList<>();
        long now = START;
        for (int i = 0; i < 3_000; i++) {
            int what = random.nextInt(10);
            if (what < 5) {
                LeaseEntry lease = lease(i, now + length(random));
                wheel.add(lease);
                list.add(lease);
            } else if (what < 6 && !list.isEmpty()) {
                LeaseEntry settled = list.remove(random.nextInt(list.size()));
                wheel.remove(settled);
            } else if (what < 7 && !list.isEmpty()) {
                LeaseEntry renewed = list.get(random.nextInt(list.size()));
                wheel.remove(renewed);
                renewed.expiresAtMicros = Math.max(renewed.expiresAtMicros, now + length(random));
                wheel.add(renewed);
            } else {
                now += step(random);
                long at = now;
                List<LeaseEntry> due = list.stream()
                        .filter(lease -> lease.expiresAtMicros <= at)
                        .toList();
                List<LeaseEntry> met = new ArrayList<>();
                wheel.advance(now, met::add);
                assertThat(met).containsExactlyInAnyOrderElementsOf(due);
                list.removeAll(due);
            }
            assertThat(wheel.size()).isEqualTo(list.size());
            assertNeverLate(wheel, list);
        }
    }

    private static long length(RandomGenerator random) {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextInt(3); // ends at once
            case 1 -> random.nextInt(1 << 17); // in the hand's own bucket, perhaps
            case 2 -> TURN - 3 + random.nextInt(6); // about one turn
            case 3 -> random.nextLong(5 * TURN); // several turns
            default -> random.nextLong(60_000_000);
        };
    }

    private static long step(RandomGenerator random) {
        return switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> random.nextLong(3 * TURN); // a machine that slept
            case 2 -> TURN;
            default -> random.nextLong(400_000);
        };
    }

    private static void assertNeverLate(LeaseWheel wheel, List<LeaseEntry> list) {
        long earliest =
                list.stream().mapToLong(lease -> lease.expiresAtMicros).min().orElse(Long.MAX_VALUE);
        if (list.isEmpty()) {
            assertThat(wheel.nextMicros()).isEqualTo(Long.MAX_VALUE);
        } else {
            assertThat(wheel.nextMicros()).isLessThanOrEqualTo(earliest);
        }
    }

    @Test
    void whoever_comes_when_told_meets_each_lease_at_its_own_microsecond() {
        LeaseWheel wheel = new LeaseWheel(START);
        List<Long> ends = List.of(START + 1, START + 77_000, START + TURN, START + TURN + 5, START + 7 * TURN + 123);
        for (int i = 0; i < ends.size(); i++) {
            wheel.add(lease(i, ends.get(i)));
        }
        List<Long> met = new ArrayList<>();
        int calls = 0;
        while (wheel.size() > 0) {
            long next = wheel.nextMicros();
            wheel.advance(next, lease -> {
                assertThat(next).isEqualTo(lease.expiresAtMicros);
                met.add(next);
            });
            calls++;
        }
        assertThat(met).isEqualTo(ends);
        assertThat(calls).as("about once a lease and once a turn").isLessThan(20);
    }
}
