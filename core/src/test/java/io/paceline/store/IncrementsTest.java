package io.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.paceline.testkit.VirtualTime;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Increments of an embedded store, over random histories that go on while they are read. */
class IncrementsTest {
    private final VirtualTime time = new VirtualTime();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void an_increment_is_the_store_at_the_instant_it_began_whatever_happens_while_it_is_read(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RandomHistory history = new RandomHistory(seed, time);
        MemoryStore store = new MemoryStore(time);
        StoreImage image = new StoreImage();
        for (int round = 0; round < 250; round++) {
            for (int i = random.nextInt(20); i >= 0; i--) {
                history.step(store);
            }
            StoreSnapshot then = store.snapshot();
            boolean whole = random.nextInt(20) == 0;
            if (whole) {
                image = new StoreImage();
            }
            long now = store.beginIncrement(whole);
            for (List<StoreChange> some = store.nextChanges(3); !some.isEmpty(); some = store.nextChanges(3)) {
                some.forEach(image::apply);
                if (random.nextBoolean()) {
                    history.step(store);
                }
            }

            assertThat(image.snapshot(now)).as("round %s", round).isEqualTo(then);
        }
    }

    @Test
    void what_has_not_changed_is_not_told_again() {
        RandomHistory history = new RandomHistory(1, time);
        MemoryStore store = new MemoryStore(time);
        for (int i = 0; i < 500; i++) {
            history.step(store);
        }
        store.beginIncrement(false);
        while (!store.nextChanges(100).isEmpty()) {}

        store.beginIncrement(false);

        assertThat(store.nextChanges(100)).isEmpty();
    }

    @Test
    void a_lease_that_came_and_went_between_two_increments_leaves_no_trace() {
        RandomHistory history = new RandomHistory(1, time);
        MemoryStore store = new MemoryStore(time);
        store.beginIncrement(false);
        while (!store.nextChanges(100).isEmpty()) {}
        for (int i = 0; i < 2_000; i++) {
            history.step(store);
        }
        int live = store.snapshot().leases().size();

        store.beginIncrement(false);
        List<StoreChange> changes = store.nextChanges(1_000_000);

        assertThat(changes.stream().filter(StoreChange.OfLease.class::isInstance))
                .hasSize(live);
        assertThat(changes)
                .noneMatch(change -> change instanceof StoreChange.Gone gone && gone.kind() == StoreChange.Kind.LEASE);
    }

    @Test
    void one_increment_is_read_to_its_end_before_the_next() {
        RandomHistory history = new RandomHistory(1, time);
        MemoryStore store = new MemoryStore(time);
        history.step(store);
        store.beginIncrement(true);
        store.nextChanges(1);

        assertThatThrownBy(() -> store.beginIncrement(false)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void of_increments_with_a_gap_what_refers_to_nothing_is_left_out() {
        RandomHistory history = new RandomHistory(3, time);
        SplittableRandom random = new SplittableRandom(3);
        MemoryStore store = new MemoryStore(time);
        StoreImage image = new StoreImage();
        long now = 0;
        for (int round = 0; round < 200; round++) {
            history.step(store);
            now = store.beginIncrement(false);
            for (List<StoreChange> some = store.nextChanges(5); !some.isEmpty(); some = store.nextChanges(5)) {
                if (random.nextInt(3) > 0) {
                    some.forEach(image::apply);
                }
            }
        }

        MemoryStore restored = MemoryStore.restore(time, image.snapshot(now));

        for (int i = 0; i < 500; i++) {
            history.step(restored);
        }
    }
}
