package io.paceline.service.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.socket.SocketChannel;
import io.paceline.Lease;
import org.jspecify.annotations.Nullable;

/**
 * One CONNECT: nothing is promised to the client before the target is there; then both connections belong to a
 * {@link Relay}.
 */
final class TunnelExchange implements Exchange, Dispatch.Listener {
    private final ProxyContext context;
    private final FrontHandler front;
    private final RequestHead head;
    private final Dispatch dispatch;
    private boolean over;

    TunnelExchange(ProxyContext context, FrontHandler front, RequestHead head, Admission.Admitted admitted) {
        this.context = context;
        this.front = front;
        this.head = head;
        this.dispatch = new Dispatch(
                context, front.loop(), admitted.to(), admitted.request(), ProxyMetrics.Kind.CONNECT, false, this);
    }

    @Override
    public void start() {
        dispatch.start();
    }

    @Override
    public void opened(LeaseKeeper lease, Channel channel, ByteBuf early) {
        over = true;
        Lease held = lease.lease();
        ByteBuf fromClient = front.detach();
        Relay relay = new Relay(context, lease, front.channel(), (SocketChannel) channel);
        relay.start(context.writer().established(LeaseText.of(context, held)), fromClient, early, front.isInputEnded());
        front.channel().pipeline().remove(front);
    }

    @Override
    public void connected(LeaseKeeper lease, UpstreamConnection connection) {
        throw new IllegalStateException("a tunnel asks for no plain connection");
    }

    @Override
    public void failed(ProxyError error, @Nullable Lease lease) {
        over = true;
        context.metrics().request(ProxyMetrics.Kind.CONNECT, error.code());
        front.refuse(error, head, Framing.NONE, lease, true);
    }

    /** Octets behind the head wait in the front until the tunnel is open. */
    @Override
    public boolean takesBody() {
        return false;
    }

    @Override
    public void requestData(ByteBuf piece) {
        piece.release();
    }

    @Override
    public void requestEnd(Fields trailers) {}

    @Override
    public void requestReadComplete() {}

    @Override
    public boolean answerBegun() {
        return false;
    }

    @Override
    public void clientWritable() {}

    @Override
    public void clientGone() {
        if (!over) {
            over = true;
            dispatch.cancel();
            context.metrics().request(ProxyMetrics.Kind.CONNECT, "canceled");
        }
    }
}
