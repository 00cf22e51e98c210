package io.paceline.service.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Waits for an upstream proxy's answer to CONNECT. Octets behind a good answer are the target's and are handed over;
 * the text of a bad one never reaches the client.
 */
final class ConnectHandshake extends ChannelInboundHandlerAdapter {
    private final Connector.Attempt attempt;
    private final HeadReader reader;
    private final Deadline deadline;
    private @Nullable ByteBuf in;

    ConnectHandshake(ProxyContext context, EventLoop loop, Connector.Attempt attempt) {
        this.attempt = attempt;
        this.reader = new HeadReader(context.settings().heads());
        this.deadline = new Deadline(loop, () -> attempt.fail(Classifier.tunnelTimeout()));
        deadline.in(context.settings().timeouts().handshake().toNanos());
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf octets = (ByteBuf) message;
        if (attempt.isOver()) {
            octets.release();
            return;
        }
        ByteBuf all = in == null ? octets : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), in, octets);
        in = all;
        try {
            ResponseHead head = reader.response(all);
            while (head != null && head.isInterim()) {
                head = reader.response(all);
            }
            if (head != null) {
                answered(ctx, head, all);
            }
        } catch (BadMessageException e) {
            attempt.fail(Classifier.badAnswer(false, e.sentence()));
        }
    }

    private void answered(ChannelHandlerContext ctx, ResponseHead head, ByteBuf rest) {
        deadline.cancel();
        if (head.status() >= 300) {
            attempt.fail(Classifier.tunnelRefused(head.status()));
            return;
        }
        in = null;
        ByteBuf early = rest;
        if (!rest.isReadable()) {
            rest.release();
            early = Unpooled.EMPTY_BUFFER;
        }
        attempt.open(ctx.channel(), early);
        ctx.pipeline().remove(this);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            attempt.fail(Classifier.tunnelBroken());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        attempt.fail(Classifier.tunnelBroken());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        attempt.fail(Classifier.tunnelBroken());
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        deadline.cancel();
        if (in != null) {
            in.release();
            in = null;
        }
    }
}
