package io.paceline.service.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What is done to a channel without looking at the future that it returns: a failure is heard where the channel is
 * looked after, as an exception or as its end.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class Channels {
    private Channels() {}

    /** Queues the octets; a failure reaches the pipeline's {@code exceptionCaught}. */
    static void write(Channel channel, ByteBuf octets) {
        channel.write(octets, channel.voidPromise());
    }

    static void close(Channel channel) {
        channel.close();
    }

    static void closeAll(ChannelGroup channels) {
        channels.close();
    }

    /** Closing drops what waits to be written, so it comes after the last write has been done. */
    static void closeAfterFlush(Channel channel) {
        afterFlush(channel, done -> channel.close());
    }

    /** Runs the task when all that was written before has left, or cannot any more. */
    static void afterFlush(Channel channel, Consumer<Future<?>> task) {
        whenDone(channel.writeAndFlush(Unpooled.EMPTY_BUFFER), task);
    }

    static void shutdownOutput(SocketChannel channel) {
        channel.shutdownOutput();
    }

    static void whenDone(Future<?> future, Consumer<Future<?>> task) {
        future.addListener(task::accept);
    }

    /** Runs the task once, later, and cannot be canceled: for the rare and short. */
    static void later(EventExecutor executor, long nanos, Runnable task) {
        executor.schedule(task, nanos, TimeUnit.NANOSECONDS);
    }
}
