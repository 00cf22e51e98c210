package io.paceline.redis.degraded;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.pace.Gcra;
import io.paceline.pace.LimitSpec;
import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SharesTest {

    @Test
    void theSharesOfAWindowAddUpToTheLimit() {
        for (int limit = 1; limit < 50; limit++) {
            for (int n = 1; n <= 8; n++) {
                LimitSpec.Window whole = new LimitSpec.Window(limit, 1_000_000);
                int instances = n;
                int sum = IntStream.range(0, n)
                        .mapToObj(rank -> Shares.of(whole, instances, rank))
                        .mapToInt(own -> own == null ? 0 : ((LimitSpec.Window) own).limit())
                        .sum();
                assertThat(sum).isEqualTo(limit);
            }
        }
    }

    @Test
    void whereThereAreMoreInstancesThanPlacesTheLastHaveNone() {
        assertThat(Shares.of(new LimitSpec.Concurrency(2), 3, 1)).isEqualTo(new LimitSpec.Concurrency(1));
        assertThat(Shares.of(new LimitSpec.Concurrency(2), 3, 2)).isNull();
        assertThat(Shares.of(new LimitSpec.Gcra(1_000_000, 1), 3, 0)).isEqualTo(new LimitSpec.Gcra(1_000_000, 1));
        assertThat(Shares.of(new LimitSpec.Gcra(1_000_000, 1), 3, 1)).isNull();
    }

    /** All start whenever their share lets them, from times of their own on. */
    @SeededTest(seeds = 50)
    void smoothSharesTogetherNeverPassTheLimitInAnyWindow(long seed) {
        RandomGenerator random = Seeds.random(seed);
        int limit = 2 + random.nextInt(60);
        int burst = 1 + random.nextInt(limit);
        long window = 60_000_000;
        LimitSpec.Gcra whole = new LimitSpec.Gcra((window + limit - burst) / (limit - burst + 1), burst);
        int instances = 2 + random.nextInt(5);
        List<Long> starts = new ArrayList<>();
        for (int rank = 0; rank < instances; rank++) {
            LimitSpec own = Shares.of(whole, instances, rank);
            if (own instanceof LimitSpec.Gcra gcra) {
                long tat = 0;
                long now = random.nextLong(2 * window);
                while (now < 5 * window) {
                    now = Gcra.startAt(tat, now, gcra, 1);
                    tat = Gcra.advance(tat, now, gcra, 1);
                    starts.add(now);
                    now += random.nextInt(10) == 0 ? random.nextLong(window) : 0;
                }
            }
        }
        Collections.sort(starts);
        int first = 0;
        for (int last = 0; last < starts.size(); last++) {
            while (starts.get(first) <= starts.get(last) - window) {
                first++;
            }
            assertThat(last - first + 1).isLessThanOrEqualTo(limit);
        }
    }
}
