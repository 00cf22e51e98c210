package io.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.health.Sign;
import io.paceline.health.Standing;
import org.junit.jupiter.api.Test;

/** Tallies are forgotten where nobody asks for them. */
class TalliesTest {
    private static final long HOUR = 3_600_000_000L;

    @Test
    void targets_that_nobody_has_used_for_a_day_are_forgotten() {
        Tallies tallies = new Tallies(1, ChangeLog.off());
        AddressRow address = new AddressRow(0, Standing.fresh(1, 0), 0);
        for (int target = 1; target <= 100; target++) {
            tallies.add(Sign.SUCCESS, address, target, true, HOUR);
        }
        for (int target = 101; target <= 1_000; target++) {
            tallies.add(Sign.SUCCESS, address, target, true, 30 * HOUR);
        }
        assertThat(tallies.save()).extracting(StoreSnapshot.TallyState::id).noneMatch(id -> id >= 1 && id <= 100);
        assertThat(tallies.save()).extracting(StoreSnapshot.TallyState::id).contains(StateStore.POOL, 1_000L);
    }
}
