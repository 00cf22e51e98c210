package io.paceline.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.Delay;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Listens on one channel, over a connection of its own. Where that cannot be opened it is tried again later, where it is cut
 * Lettuce opens it anew, both at random intervals; meanwhile nothing is heard, and nobody is told: announcements are hints.
 *
 * <p>Thread-safe. The listener is called on a thread of the connection, and must not block.
 */
final class Ear implements AutoCloseable {
    /** How a connection that listens is opened, by {@link ByteArrayCodec}. */
    interface Opener extends Supplier<CompletionStage<? extends StatefulRedisPubSubConnection<byte[], byte[]>>> {}

    /** Runs something later. */
    interface Later {
        ScheduledFuture<?> run(Runnable task, long delay, TimeUnit unit);
    }

    private final Opener opener;
    private final Later later;
    private final Delay pause;
    private final byte[] channel;
    private final Consumer<byte[]> listener;

    private @Nullable StatefulRedisPubSubConnection<byte[], byte[]> connection;
    private int failures;
    private boolean closed;

    /** @param pause between two attempts to open the connection */
    Ear(Opener opener, Later later, Delay pause, byte[] channel, Consumer<byte[]> listener) {
        this.opener = opener;
        this.later = later;
        this.pause = pause;
        this.channel = channel;
        this.listener = listener;
    }

    void open() {
        opener.get().whenComplete((opened, failure) -> {
            if (failure == null) {
                opened(opened);
            } else {
                again();
            }
        });
    }

    private synchronized void opened(StatefulRedisPubSubConnection<byte[], byte[]> opened) {
        if (closed) {
            end(opened);
            return;
        }
        connection = opened;
        opened.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(byte[] from, byte[] message) {
                listener.accept(message);
            }
        });
        CompletionStage<Void> subscribed = opened.async().subscribe(channel);
        subscribed.whenComplete((done, failure) -> {
            if (failure != null) {
                shut();
                again();
            }
        });
    }

    private synchronized void again() {
        if (!closed) {
            long millis = pause.createDelay(++failures).toMillis();
            ScheduledFuture<?> unused = later.run(this::open, millis, TimeUnit.MILLISECONDS);
        }
    }

    private synchronized void shut() {
        if (connection != null) {
            end(connection);
            connection = null;
        }
    }

    private static void end(StatefulRedisPubSubConnection<byte[], byte[]> connection) {
        CompletableFuture<Void> unused = connection.closeAsync();
    }

    @Override
    public synchronized void close() {
        closed = true;
        shut();
    }
}
