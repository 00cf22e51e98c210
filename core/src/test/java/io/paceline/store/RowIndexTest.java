package io.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.health.Standing;
import io.paceline.store.AddressRow.Groups;
import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/** The index of rows against a map. */
class RowIndexTest {
    @SeededTest(seeds = 40)
    void agrees_with_a_map_whatever_is_put_and_removed(long seed) {
        RandomGenerator random = Seeds.random(seed);
        RowIndex index = new RowIndex();
        Map<Long, AddressRow> map = new HashMap<>();
        for (int i = 0; i < 4_000; i++) {
            // Few identities, and in runs: they meet in the table.
            long identity = random.nextInt(300);
            if (random.nextInt(5) < 3) {
                AddressRow row = new AddressRow(i, Standing.fresh(0, 0), 0);
                row.ownedBy(identity, Groups.NONE);
                index.put(row);
                map.put(identity, row);
            } else {
                index.remove(identity);
                map.remove(identity);
            }
            long asked = random.nextInt(300);
            assertThat(index.get(asked)).isSameAs(map.get(asked));
        }
        for (long identity = 0; identity < 300; identity++) {
            assertThat(index.get(identity)).isSameAs(map.get(identity));
        }
    }
}
