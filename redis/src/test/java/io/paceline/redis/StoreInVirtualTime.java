package io.paceline.redis;

import io.lettuce.core.api.sync.RedisStringCommands;
import io.paceline.testkit.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A store whose scripts read the time from a key. The way in is another text of the scripts, which only the tests have:
 * nothing that a caller of the real ones can send is taken for a time.
 */
final class StoreInVirtualTime implements AutoCloseable {
    static final String TIME_IN_A_KEY = "local now = tonumber(redis.call('GET', KEYS[1] .. ':now'))\n";

    private static final Scripts SCRIPTS = new Scripts(TIME_IN_A_KEY);

    final RedisStore store;
    private final VirtualTime time;
    private final RedisStringCommands<byte[], byte[]> commands;
    private final byte[] key;

    StoreInVirtualTime(Link link, RedisStringCommands<byte[], byte[]> commands, String prefix, VirtualTime time) {
        this.store = new RedisStore(link, SCRIPTS, prefix);
        this.commands = commands;
        this.key = ("{" + prefix + "}:x:now").getBytes(StandardCharsets.UTF_8);
        this.time = time;
        tell();
    }

    void pass(Duration by) {
        time.advance(by);
        tell();
    }

    void tell() {
        commands.set(key, Long.toString(time.micros()).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        store.close();
    }
}
