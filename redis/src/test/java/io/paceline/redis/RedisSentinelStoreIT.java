package io.paceline.redis;

import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The store's contract, on the master that a Sentinel names. */
class RedisSentinelStoreIT extends ContractOnRedis {
    private static final TestRedis REDIS = TestRedis.shared();
    private static final RedisCommands<byte[], byte[]> COMMANDS = REDIS.commands();
    static final TestRedis SENTINEL = sentinel();
    private static final Link LINK = LettuceLink.connect(new RedisSettings(
            "redis-sentinel://127.0.0.1:" + SENTINEL.port() + "/0#mymaster",
            "contract",
            Duration.ofSeconds(10),
            RedisSettings.DEFAULT_QUEUE));

    RedisSentinelStoreIT() {
        super(LINK, COMMANDS);
    }

    private static TestRedis sentinel() {
        try {
            Path file = Files.createTempDirectory("paceline-sentinel").resolve("sentinel.conf");
            Files.writeString(file, "sentinel monitor mymaster 127.0.0.1 " + REDIS.port() + " 1\n");
            TestRedis sentinel = TestRedis.start(file.toString(), "--sentinel");
            Runtime.getRuntime().addShutdownHook(new Thread(sentinel::close));
            return sentinel;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
