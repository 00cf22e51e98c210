package io.paceline.redis;

import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;

/** The store's contract, on one Redis. */
class RedisStoreIT extends ContractOnRedis {
    private static final TestRedis REDIS = TestRedis.shared();
    private static final RedisCommands<byte[], byte[]> COMMANDS = REDIS.commands();
    private static final Link LINK = LettuceLink.connect(
            new RedisSettings(REDIS.uri(), "contract", Duration.ofSeconds(10), RedisSettings.DEFAULT_QUEUE));

    RedisStoreIT() {
        super(LINK, COMMANDS);
    }
}
