package io.paceline.redis;

import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import io.paceline.store.StateStore;
import io.paceline.store.StateStoreContract;
import io.paceline.testkit.VirtualTime;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The store's contract in virtual time, on whatever Redis is reached by the link. */
abstract class ContractOnRedis extends StateStoreContract {
    private final Link link;
    private final RedisClusterCommands<byte[], byte[]> commands;
    private @Nullable StoreInVirtualTime store;

    ContractOnRedis(Link link, RedisClusterCommands<byte[], byte[]> commands) {
        this.link = link;
        this.commands = commands;
    }

    @Override
    protected StateStore emptyStore() {
        commands.flushall();
        store = new StoreInVirtualTime(link, commands, "contract", new VirtualTime());
        return store.store;
    }

    @Override
    protected void pass(Duration by) {
        Objects.requireNonNull(store).pass(by);
    }
}
