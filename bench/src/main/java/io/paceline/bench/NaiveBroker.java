package io.paceline.bench;

import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The broker that many crawlers have written: it reads the whole set of addresses, shuffles it, and tries one after another:
 * is it banned, can it be locked. No rates, no judgement, no sessions. Thread-safe.
 */
final class NaiveBroker {
    private static final String SET = "naive:addresses";
    private static final String BAN = "naive:ban:";
    private static final String LOCK = "naive:lock:";
    private static final long LOCK_MILLIS = 30_000;

    private final RedisCommands<String, String> commands;

    NaiveBroker(StatefulRedisConnection<String, String> connection) {
        this.commands = connection.sync();
    }

    void fill(int addresses) {
        for (int i = 0; i < addresses; i++) {
            commands.sadd(SET, "http://user" + i + ":secret@10." + (i >> 8 & 255) + "." + (i & 255) + ".1:8080");
        }
    }

    String acquire() {
        List<String> all = new ArrayList<>(commands.smembers(SET));
        Collections.shuffle(all, ThreadLocalRandom.current());
        for (String address : all) {
            if (commands.exists(BAN + address) == 0
                    && commands.set(LOCK + address, "1", SetArgs.Builder.nx().px(LOCK_MILLIS)) != null) {
                return address;
            }
        }
        throw new IllegalStateException("every address is taken");
    }

    void release(String address) {
        commands.del(LOCK + address);
    }
}
