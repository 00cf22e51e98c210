package io.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.testkit.VirtualTime;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;

/**
 * The store's contract, kept by a store whose increments are read after every step, and which every third step is begun anew
 * from all of them.
 */
class IncrementedStoreTest extends StateStoreContract {
    private static final Set<String> FOLLOWED = Set.of("due", "changes", "claimProbe");
    private static final int STEPS_A_LIFE = 3;

    private final VirtualTime time = new VirtualTime();
    private MemoryStore store = new MemoryStore(time);
    private StoreImage image = new StoreImage();
    private boolean followed;
    private int steps;

    @Override
    protected StateStore emptyStore() {
        store = new MemoryStore(time);
        return (StateStore) Proxy.newProxyInstance(
                StateStore.class.getClassLoader(), new Class<?>[] {StateStore.class}, (proxy, method, arguments) -> {
                    followed |= FOLLOWED.contains(method.getName());
                    long now = increment();
                    if (!followed && ++steps % STEPS_A_LIFE == 0) {
                        store = MemoryStore.restore(time, image.snapshot(now));
                        image = new StoreImage();
                        increment();
                    }
                    return method.invoke(store, arguments);
                });
    }

    private long increment() {
        long now = store.beginIncrement(false);
        for (List<StoreChange> some = store.nextChanges(2); !some.isEmpty(); some = store.nextChanges(2)) {
            some.forEach(image::apply);
        }
        return now;
    }

    @Override
    protected void pass(Duration by) {
        time.advance(by);
    }

    @AfterEach
    void the_increments_together_are_the_whole_store() {
        long now = increment();

        assertThat(image.snapshot(now)).isEqualTo(store.snapshot());
    }
}
