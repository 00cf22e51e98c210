package io.paceline.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.paceline.store.Enrolled;
import io.paceline.store.Enrollee;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Redis goes, comes back empty, hangs, or does not let us in: calls fail soon and say why, and nothing waits. */
class OutageIT {
    private static final List<Enrollee> MEMBERS = Enrollee.plain(List.of(1L, 2L, 3L));

    private final TestRedis redis = TestRedis.start();

    @AfterEach
    void end() {
        redis.close();
    }

    private static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    /** Asks until there is an answer; a minute is far more than a reconnect takes. */
    private static Enrolled untilItIsBack(RedisStore store) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (true) {
            try {
                return now(store.enrol(7, MEMBERS));
            } catch (CompletionException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void afterARestartTheScriptsAreSentAgain() {
        try (RedisStore store = RedisStore.connect(RedisSettings.of(redis.uri()))) {
            now(store.enrol(7, MEMBERS));
            redis.commands().scriptFlush();

            assertThat(now(store.enrol(7, MEMBERS)).slots()).containsExactly(0, 1, 2);
            redis.kill();
            assertThatThrownBy(() -> now(store.due(7, 10)))
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("127.0.0.1:" + redis.port());
            redis.begin();
            assertThat(untilItIsBack(store).slots()).containsExactly(0, 1, 2);
        }
    }

    @Test
    void aRedisThatHangsIsNotWaitedFor() throws Exception {
        RedisSettings settings = RedisSettings.of(redis.uri());
        try (RedisStore store = RedisStore.connect(settings)) {
            now(store.enrol(7, MEMBERS));
            redis.commands().clientPause(3_000);

            CompletionStage<?> asked = store.due(7, 10);

            assertThatThrownBy(() -> asked.toCompletableFuture().get(2, TimeUnit.SECONDS))
                    .isNotInstanceOf(TimeoutException.class)
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("did not answer in time");
        }
    }

    @Test
    void nobodyThereIsSaidAtOnceAndNoPasswordIsEverTold() {
        int nobody = TestRedis.freePort();

        assertThatThrownBy(() -> RedisStore.connect(RedisSettings.of("redis://bob:s3cret@127.0.0.1:" + nobody)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no connection to Redis at 127.0.0.1:" + nobody)
                .message()
                .doesNotContain("s3cret");
    }

    @Test
    void aUserOfItsOwnNeedsNoMoreThanItsKeysAndScripts() {
        RedisCommands<byte[], byte[]> commands = redis.commands();
        commands.dispatch(
                CommandType.ACL,
                new StatusOutput<>(ByteArrayCodec.INSTANCE),
                new CommandArgs<>(ByteArrayCodec.INSTANCE)
                        .add("SETUSER")
                        .add("paceline")
                        .add("on")
                        .add(">s3cret")
                        .add("~{paceline}:*")
                        .add("&{paceline}:*")
                        .add("+@all")
                        .add("-@admin")
                        .add("-@dangerous"));
        String here = "127.0.0.1:" + redis.port();

        try (RedisStore store = RedisStore.connect(RedisSettings.of("redis://paceline:s3cret@" + here))) {
            assertThat(now(store.enrol(7, MEMBERS)).slots()).containsExactly(0, 1, 2);
        }
        try (RedisStore store = RedisStore.connect(
                RedisSettings.of("redis://paceline:s3cret@" + here).withPrefix("other"))) {
            assertThatThrownBy(() -> now(store.enrol(7, MEMBERS))).hasMessageContaining("NOPERM");
        }
        assertThatThrownBy(() -> RedisStore.connect(RedisSettings.of("redis://paceline:wr0ng@" + here)))
                .isInstanceOf(StoreException.class)
                .message()
                .contains(here)
                .doesNotContain("wr0ng");
    }

    @Test
    void noMoreCallsWaitThanTheQueueHolds() {
        RedisSettings settings = new RedisSettings(redis.uri(), "paceline", Duration.ofSeconds(5), 10);
        try (RedisStore store = RedisStore.connect(settings)) {
            now(store.enrol(7, MEMBERS));
            redis.commands().clientPause(1_000);
            List<? extends CompletionStage<?>> asked =
                    IntStream.range(0, 100).mapToObj(i -> store.due(7, 10)).toList();

            assertThat(asked.stream()
                            .filter(stage -> stage.toCompletableFuture().isCompletedExceptionally()))
                    .hasSizeGreaterThan(50);
        }
    }
}
