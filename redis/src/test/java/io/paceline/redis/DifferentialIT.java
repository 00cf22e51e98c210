package io.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.api.sync.RedisCommands;
import io.paceline.store.MemoryStore;
import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import io.paceline.testkit.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;

/**
 * The whole port on the embedded store and on Redis, with one history: whatever is asked, both give one answer. Histories are
 * random, and the same for the same seed; see {@link StoreHistory}.
 */
class DifferentialIT {
    private static final int STEPS = 400;
    /** What is told of a history that ends in a difference. */
    private static final int TOLD = 12;

    private static final TestRedis REDIS = TestRedis.shared();
    private static final RedisCommands<byte[], byte[]> COMMANDS = REDIS.commands();
    private static final Link LINK = LettuceLink.connect(
            new RedisSettings(REDIS.uri(), "differential", Duration.ofSeconds(10), RedisSettings.DEFAULT_QUEUE));

    @SeededTest(seeds = 40)
    void bothStoresGiveOneAnswer(long seed) {
        COMMANDS.flushall();
        RandomGenerator random = Seeds.random(seed);
        VirtualTime time = new VirtualTime();
        StoreInVirtualTime redis = new StoreInVirtualTime(LINK, COMMANDS, "differential", time);
        StoreHistory history = new StoreHistory(new MemoryStore(time), redis.store, random);
        Deque<String> last = new ArrayDeque<>();
        for (int step = 0; step < STEPS; step++) {
            if (random.nextInt(3) == 0) {
                redis.pass(Duration.ofNanos(1_000 * history.pause()));
            }
            StoreHistory.Step next = history.next();
            last.addLast(next.toString());
            if (last.size() > TOLD) {
                last.removeFirst();
            }
            assertThat(next.onRedis())
                    .as("seed %d, step %d, after%n%s", seed, step, String.join("\n", last))
                    .isEqualTo(next.inMemory());
        }
        assertThat(COMMANDS.keys("*"))
                .as("keys that do not end by themselves")
                .filteredOn(key -> COMMANDS.pttl(key) < 0)
                .extracting(key -> new String(key, StandardCharsets.ISO_8859_1))
                .allMatch(name -> name.endsWith(":now"));
    }
}
