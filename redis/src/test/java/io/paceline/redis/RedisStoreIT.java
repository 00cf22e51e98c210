package io.paceline.redis;

import io.lettuce.core.api.sync.RedisCommands;
import io.paceline.store.StateStore;
import io.paceline.store.StateStoreContract;
import io.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The store's contract, on one Redis. */
class RedisStoreIT extends StateStoreContract {
    private static final TestRedis REDIS = TestRedis.shared();
    private static final RedisCommands<byte[], byte[]> COMMANDS = REDIS.commands();
    private static final Link LINK = LettuceLink.connect(
            new RedisSettings(REDIS.uri(), "contract", Duration.ofSeconds(10), RedisSettings.DEFAULT_QUEUE));

    private @Nullable StoreInVirtualTime store;

    @Override
    protected StateStore emptyStore() {
        COMMANDS.flushall();
        store = new StoreInVirtualTime(LINK, COMMANDS, "contract", new VirtualTime());
        return store.store;
    }

    @Override
    protected void pass(Duration by) {
        Objects.requireNonNull(store).pass(by);
    }
}
