package io.paceline.service.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.paceline.Outcome;
import java.util.concurrent.TimeUnit;

/**
 * An open tunnel: octets both ways, unseen. Each side's end is passed on when everything before it has been delivered,
 * and the other direction goes on until its own end; reading stops while the other side takes nothing.
 *
 * <p>The tunnel ends when both directions have, when one side is reset, at {@code tunnelMax}, or after
 * {@code tunnelIdle} of silence; then the lease is settled.
 */
final class Relay {
    private final ProxyContext context;
    private final LeaseKeeper lease;
    private final SocketChannel client;
    private final SocketChannel target;
    private final Side fromClient;
    private final Side fromTarget;
    private final Deadline idle;
    private final Deadline life;
    private final long openedNanos = System.nanoTime();
    private long askedNanos;
    private long latencyMicros = -1;
    private long up;
    private long down;
    private boolean over;

    Relay(ProxyContext context, LeaseKeeper lease, SocketChannel client, SocketChannel target) {
        this.context = context;
        this.lease = lease;
        this.client = client;
        this.target = target;
        this.fromClient = new Side(client, target);
        this.fromTarget = new Side(target, client);
        EventLoop loop = client.eventLoop();
        this.idle = new Deadline(loop, this::close);
        this.life = new Deadline(loop, this::close);
    }

    /**
     * Says that the tunnel is open, and begins.
     *
     * @param early what the client sent behind its CONNECT
     * @param greeting what the target said already
     * @param clientEnded whether the client has shut its sending side already
     */
    void start(ByteBuf established, ByteBuf early, ByteBuf greeting, boolean clientEnded) {
        context.metrics().tunnelOpened();
        idle.in(context.settings().timeouts().tunnelIdle().toNanos());
        life.in(context.settings().tunnelMax().toNanos());
        client.pipeline().addLast(fromClient);
        target.pipeline().addLast(fromTarget);
        Channels.write(client, established);
        fromTarget.pass(greeting);
        fromClient.pass(early);
        client.flush();
        target.flush();
        client.config().setAutoRead(target.isWritable());
        if (clientEnded) {
            fromClient.inputEnded();
        }
        if (!client.isActive() || !target.isActive()) {
            close();
        }
    }

    private void passed(boolean byClient, int octets) {
        idle.in(context.settings().timeouts().tunnelIdle().toNanos());
        if (byClient) {
            if (up == 0) {
                askedNanos = System.nanoTime();
            }
            up += octets;
        } else {
            if (down == 0) {
                long since = up > 0 ? askedNanos : openedNanos;
                latencyMicros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - since);
                context.metrics().answered(lease.lease(), latencyMicros);
            }
            down += octets;
        }
    }

    /** Both ends at once; what is still on its way to a side that takes it is delivered first. */
    private void close() {
        finish(false);
        closeAfterFlush(client);
        closeAfterFlush(target);
    }

    /** One side was reset or has gone: the other gets what is left, then its end. */
    private void lost(SocketChannel side) {
        finish(side == target);
        closeAfterFlush(side == client ? target : client);
    }

    private static void closeAfterFlush(SocketChannel side) {
        if (!side.isWritable()) {
            Channels.later(side.eventLoop(), LAST_OCTETS_NANOS, () -> Channels.close(side));
        }
        Channels.closeAfterFlush(side);
    }

    /** A side that takes nothing more is given up after so long. */
    private static final long LAST_OCTETS_NANOS = TimeUnit.SECONDS.toNanos(60);

    private void finish(boolean endedByTarget) {
        if (over) {
            return;
        }
        over = true;
        idle.cancel();
        life.cancel();
        lease.settle(outcome(endedByTarget));
        context.metrics().tunnelClosed();
        context.metrics().request(ProxyMetrics.Kind.CONNECT, "ok");
        context.metrics().bytes(ProxyMetrics.Kind.CONNECT, up, down);
    }

    private Outcome outcome(boolean endedByTarget) {
        if (down > 0) {
            return Classifier.tunnelServed(latencyMicros, down);
        }
        return up > 0 && endedByTarget ? Classifier.tunnelSilent() : Classifier.clientLeft(true);
    }

    /** One direction: reads its own side, writes to the other. */
    private final class Side extends ChannelInboundHandlerAdapter {
        private final SocketChannel own;
        private final SocketChannel other;
        private boolean ended;

        Side(SocketChannel own, SocketChannel other) {
            this.own = own;
            this.other = other;
        }

        void pass(ByteBuf octets) {
            if (octets.isReadable()) {
                passed(own == client, octets.readableBytes());
                Channels.write(other, octets);
            } else {
                octets.release();
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            pass((ByteBuf) message);
            if (!other.isWritable()) {
                own.config().setAutoRead(false);
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            other.flush();
        }

        /** Our own side takes octets again: the other may be read. */
        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            if (own.isWritable() && !other.config().isAutoRead()) {
                other.config().setAutoRead(true);
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof ChannelInputShutdownEvent) {
                inputEnded();
            }
        }

        /** Shutting down drops what waits to be written, so it comes after the last write has been done. */
        void inputEnded() {
            if (ended) {
                return;
            }
            ended = true;
            Channels.afterFlush(other, done -> {
                if (fromClient.ended && fromTarget.ended) {
                    bothEnded();
                } else if (done.isSuccess()) {
                    Channels.shutdownOutput(other);
                }
            });
        }

        private void bothEnded() {
            finish(own == target || fromTarget.ended);
            closeAfterFlush(own);
            closeAfterFlush(other);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            lost(own);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            Channels.close(own);
        }
    }
}
