package io.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.store.Enrolled;
import io.paceline.store.Enrollee;
import io.paceline.store.MemoryStore;
import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import io.paceline.testkit.VirtualTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Long lists are enrolled part by part, under the usual time-out, and as the embedded store enrols them at once. */
class EnrolmentIT {
    private static final int CHAIN = 3;
    private static final int MANY = 20_000;

    private final RedisStore store =
            RedisStore.connect(RedisSettings.of(TestRedis.shared().uri()));

    @BeforeEach
    void empty() {
        TestRedis.shared().commands().flushall();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static List<Long> identities(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    private Enrolled enrol(List<Long> identities) {
        return now(store.enrol(CHAIN, Enrollee.plain(identities)));
    }

    @Test
    void twentyThousandAddressesAreEnrolledUnderTheUsualTimeOut() {
        Enrolled first = enrol(identities(0, MANY));
        assertThat(first.tableSize()).isEqualTo(MANY);
        assertThat(first.slots())
                .isEqualTo(LongStream.range(0, MANY).mapToObj(i -> (int) i).toList());

        List<Long> shuffled = new ArrayList<>(identities(0, MANY));
        Collections.shuffle(shuffled, new Random(1));
        assertThat(enrol(shuffled).slots())
                .isEqualTo(shuffled.stream().map(Long::intValue).toList());
    }

    @Test
    void whoReturnsHasHisSlotAgainHoweverManyNewOnesComeBeforeHim() {
        enrol(identities(0, 3_000));
        enrol(identities(2_000, 3_000));

        List<Long> list = new ArrayList<>(identities(10_000, 13_000));
        list.addAll(identities(0, 1_000));
        Enrolled enrolled = enrol(list);

        assertThat(enrolled.slots().subList(3_000, 4_000))
                .isEqualTo(identities(0, 1_000).stream().map(Long::intValue).toList());
        assertThat(new HashSet<>(enrolled.slots())).hasSize(4_000);
        assertThat(enrolled.tableSize()).isEqualTo(4_000);
    }

    @Test
    void anEmptyListLetsAllGo() {
        enrol(identities(0, 1_200));
        enrol(List.of());

        assertThat(enrol(List.of(5L)).slots()).containsExactly(5);
        assertThat(enrol(List.of(5_000L)).slots()).containsExactly(0);
    }

    @SeededTest
    void inPartsOfAFewAllHaveTheSlotsThatTheEmbeddedStoreGivesThem(long seed) {
        RandomGenerator random = Seeds.random(seed);
        MemoryStore memory = new MemoryStore(new VirtualTime());
        for (int round = 0; round < 8; round++) {
            List<Long> list = new ArrayList<>();
            for (long identity = 0; identity < 60; identity++) {
                if (random.nextInt(3) > 0) {
                    list.add(identity + 20L * random.nextInt(1 + round) * 60);
                }
            }
            Collections.shuffle(list, new Random(random.nextLong()));
            List<Enrollee> members = Enrollee.plain(list.stream().distinct().toList());

            Enrolled parts = now(store.enrol(CHAIN, members, 1 + random.nextInt(7)));
            Enrolled whole = now(memory.enrol(CHAIN, members));

            assertThat(parts.slots()).isEqualTo(whole.slots());
            assertThat(parts.tableSize()).isEqualTo(whole.tableSize());
        }
    }
}
