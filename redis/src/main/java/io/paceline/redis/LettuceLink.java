package io.paceline.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a server, the master that Sentinel names, or a cluster. It fails fast: an answer is waited for a tenth
 * of a second, no more commands wait than the queue holds, and none while it is disconnected; it reconnects by itself, at
 * growing, random intervals.
 */
final class LettuceLink implements Link {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration TOPOLOGY_REFRESH = Duration.ofSeconds(10);

    private static final Delay RECONNECT =
            Delay.fullJitter(Duration.ofMillis(50), Duration.ofSeconds(2), 50, TimeUnit.MILLISECONDS);
    /** Where nobody may listen, as a user without the channel, that is asked for less and less often. */
    private static final Delay LISTEN_AGAIN =
            Delay.fullJitter(Duration.ofMillis(500), Duration.ofMinutes(1), 500, TimeUnit.MILLISECONDS);

    private final AbstractRedisClient client;
    private final ClientResources resources;
    private final StatefulConnection<byte[], byte[]> connection;
    private final RedisScriptingAsyncCommands<byte[], byte[]> commands;
    private final String places;
    private final Ear.Opener ears;
    private @Nullable Ear ear;

    private LettuceLink(
            AbstractRedisClient client,
            ClientResources resources,
            StatefulConnection<byte[], byte[]> connection,
            RedisScriptingAsyncCommands<byte[], byte[]> commands,
            String places,
            Ear.Opener ears) {
        this.client = client;
        this.resources = resources;
        this.connection = connection;
        this.commands = commands;
        this.places = places;
        this.ears = ears;
    }

    /** @throws StoreException where nobody answers */
    static LettuceLink connect(RedisSettings settings) {
        ClientResources resources =
                ClientResources.builder().reconnectDelay(RECONNECT).build();
        AbstractRedisClient client = null;
        try {
            if (settings.isCluster()) {
                RedisClusterClient cluster = cluster(settings, resources);
                client = cluster;
                StatefulRedisClusterConnection<byte[], byte[]> connection = cluster.connect(ByteArrayCodec.INSTANCE);
                reach(connection, settings.prefix());
                return new LettuceLink(
                        client,
                        resources,
                        connection,
                        connection.async(),
                        settings.places(),
                        () -> cluster.connectPubSubAsync(ByteArrayCodec.INSTANCE));
            }
            RedisClient single = single(settings, resources);
            client = single;
            StatefulRedisConnection<byte[], byte[]> connection = single.connect(ByteArrayCodec.INSTANCE);
            return new LettuceLink(
                    client,
                    resources,
                    connection,
                    connection.async(),
                    settings.places(),
                    () -> single.connectPubSubAsync(ByteArrayCodec.INSTANCE, uri(settings)));
        } catch (RedisException | IllegalArgumentException e) {
            if (client != null) {
                client.shutdown(Duration.ZERO, CONNECT_TIMEOUT);
            }
            end(resources);
            throw new StoreException("no connection to Redis at " + settings.places() + ": " + cause(e), e);
        }
    }

    /** A node's connection is opened by the first command for it, which would be rejected meanwhile. */
    private static void reach(StatefulRedisClusterConnection<byte[], byte[]> connection, String prefix) {
        byte[] key = Packer.text("{" + prefix + "}:x");
        long deadline = System.nanoTime() + CONNECT_TIMEOUT.toNanos();
        while (true) {
            try {
                connection.sync().exists(key);
                return;
            } catch (RedisException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
            }
        }
    }

    private static RedisClient single(RedisSettings settings, ClientResources resources) {
        RedisClient client = RedisClient.create(resources, uri(settings));
        client.setOptions(options(ClientOptions.builder(), settings).build());
        return client;
    }

    private static RedisURI uri(RedisSettings settings) {
        RedisURI uri = RedisURI.create(settings.checked());
        // For the handshake alone, which takes a young process longer than any command may.
        uri.setTimeout(CONNECT_TIMEOUT);
        return uri;
    }

    private static RedisClusterClient cluster(RedisSettings settings, ClientResources resources) {
        List<RedisURI> nodes =
                settings.nodeUris().stream().map(RedisURI::create).toList();
        nodes.forEach(uri -> uri.setTimeout(CONNECT_TIMEOUT));
        RedisClusterClient client = RedisClusterClient.create(resources, nodes);
        ClusterClientOptions.Builder options = ClusterClientOptions.builder()
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(TOPOLOGY_REFRESH)
                        .build());
        options(options, settings);
        client.setOptions(options.build());
        return client;
    }

    private static ClientOptions.Builder options(ClientOptions.Builder builder, RedisSettings settings) {
        return builder.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(settings.queue())
                .timeoutOptions(TimeoutOptions.enabled(settings.timeout()))
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(CONNECT_TIMEOUT)
                        .tcpNoDelay(true)
                        .build());
    }

    @Override
    public CompletionStage<List<Object>> run(Script script, byte[] key, byte[]... arguments) {
        byte[][] keys = {key};
        CompletableFuture<List<Object>> answer = new CompletableFuture<>();
        try {
            commands.<List<Object>>evalsha(script.sha1(), ScriptOutputType.MULTI, keys, arguments)
                    .whenComplete((found, failure) -> {
                        if (failure instanceof RedisNoScriptException) {
                            load(script, keys, arguments, answer);
                        } else {
                            complete(answer, script, found, failure);
                        }
                    });
        } catch (RedisException e) {
            answer.completeExceptionally(failed(script, e));
        }
        return answer;
    }

    /** After a restart Redis knows no script: the text is sent along, and the hash is known from then on. */
    private void load(Script script, byte[][] keys, byte[][] arguments, CompletableFuture<List<Object>> answer) {
        try {
            commands.<List<Object>>eval(script.text(), ScriptOutputType.MULTI, keys, arguments)
                    .whenComplete((found, failure) -> complete(answer, script, found, failure));
        } catch (RedisException e) {
            answer.completeExceptionally(failed(script, e));
        }
    }

    private void complete(
            CompletableFuture<List<Object>> answer, Script script, List<Object> found, Throwable failure) {
        if (failure == null) {
            answer.complete(found);
        } else {
            answer.completeExceptionally(failed(script, failure));
        }
    }

    private StoreException failed(Script script, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        String what = cause instanceof RedisCommandTimeoutException ? "did not answer in time" : cause(cause);
        return new StoreException("Redis at " + places + ": " + script.name() + ": " + what, cause);
    }

    /** What is furthest down says most; Redis never repeats a password. */
    private static String cause(Throwable failure) {
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return deepest.getMessage() == null ? deepest.getClass().getSimpleName() : deepest.getMessage();
    }

    @Override
    public synchronized void listen(byte[] channel, Consumer<byte[]> listener) {
        if (ear != null) {
            ear.close();
        }
        ear = new Ear(ears, resources.eventExecutorGroup()::schedule, LISTEN_AGAIN, channel, listener);
        ear.open();
    }

    private static void end(ClientResources resources) {
        resources
                .shutdown(0, CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(CONNECT_TIMEOUT.toMillis());
    }

    @Override
    public synchronized void close() {
        if (ear != null) {
            ear.close();
        }
        connection.close();
        client.shutdown(Duration.ZERO, CONNECT_TIMEOUT);
        end(resources);
    }
}
