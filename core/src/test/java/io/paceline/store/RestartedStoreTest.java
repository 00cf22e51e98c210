package io.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.testkit.VirtualTime;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;

/** The store's contract, kept by a store that is written down and begun anew before every single step of a request. */
class RestartedStoreTest extends StateStoreContract {
    /** A restart frees claims, and empties the feed of changes: once somebody goes by these, the process stays up. */
    private static final Set<String> FOLLOWED = Set.of("due", "changes", "claimProbe");

    private final VirtualTime time = new VirtualTime();
    private MemoryStore store = new MemoryStore(time);
    private boolean followed;

    @Override
    protected StateStore emptyStore() {
        store = new MemoryStore(time);
        return (StateStore) Proxy.newProxyInstance(
                StateStore.class.getClassLoader(), new Class<?>[] {StateStore.class}, (proxy, method, arguments) -> {
                    followed |= FOLLOWED.contains(method.getName());
                    if (!followed) {
                        store = MemoryStore.restore(time, store.snapshot());
                    }
                    return method.invoke(store, arguments);
                });
    }

    @Override
    protected void pass(Duration by) {
        time.advance(by);
    }

    @AfterEach
    void nothing_is_lost_or_added_by_a_restart() {
        StoreSnapshot before = store.snapshot();

        assertThat(MemoryStore.restore(time, before).snapshot()).isEqualTo(before);
    }
}
