package io.paceline.service.journal;

import io.paceline.store.MemoryStore;
import io.paceline.store.StateStore;
import io.paceline.store.StateStoreContract;
import io.paceline.testkit.VirtualTime;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The store's contract, kept by a store that is killed after a flush, and begun anew from its files, before every step of a request. */
class JournalledStoreTest extends StateStoreContract {
    /** A restart frees claims, and empties the feed of changes: once somebody goes by these, the process stays up. */
    private static final Set<String> FOLLOWED = Set.of("due", "changes", "claimProbe");

    private final VirtualTime time = new VirtualTime();

    @TempDir
    private Path data;

    private @Nullable Kept kept;
    private boolean followed;

    @Override
    protected StateStore emptyStore() {
        kept = Kept.open(data, time);
        return (StateStore) Proxy.newProxyInstance(
                StateStore.class.getClassLoader(), new Class<?>[] {StateStore.class}, (proxy, method, arguments) -> {
                    followed |= FOLLOWED.contains(method.getName());
                    return method.invoke(followed && kept != null ? kept.store : begunAnew(), arguments);
                });
    }

    private MemoryStore begunAnew() {
        if (kept != null) {
            kept.journal.flush();
            kept.kill();
        }
        Kept next = Kept.open(data, time);
        kept = next;
        return next.store;
    }

    @Override
    protected void pass(Duration by) {
        time.advance(by);
    }

    @AfterEach
    void end() {
        if (kept != null) {
            kept.close();
        }
    }
}
