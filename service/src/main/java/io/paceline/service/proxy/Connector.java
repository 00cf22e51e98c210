package io.paceline.service.proxy;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.NetUtil;
import io.paceline.Address;
import io.paceline.Endpoint;
import io.paceline.pace.Hosts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections through a leased address, and through nothing else: to an upstream proxy, or with direct egress to
 * the target itself, whose every resolved address is checked before one of them is dialled.
 */
final class Connector {
    /** Further addresses of one name are tried when a dial fails, so many in all. */
    private static final int DIALS = 3;

    /** What is in flight to a slow peer, per connection: writing pauses above the second and goes on below the first. */
    static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(32 * 1024, 128 * 1024);

    /** Hears how an attempt ended, exactly once unless it was canceled. */
    interface Result {
        /** For a plain request. */
        void connected(UpstreamConnection connection);

        /** For a tunnel: the other end is the target now; {@code early} holds what it said already, or is empty. */
        void opened(Channel channel, ByteBuf early);

        void failed(Fault fault);
    }

    private final ProxyContext context;
    private final EventLoop loop;

    Connector(ProxyContext context, EventLoop loop) {
        this.context = context;
        this.loop = loop;
    }

    /** Whether this version can send requests through such an address. */
    static boolean supports(Endpoint endpoint) {
        return switch (endpoint.scheme()) {
            case DIRECT, HTTP -> true;
            case HTTPS, SOCKS4, SOCKS4A, SOCKS5, SOCKS5H -> false;
        };
    }

    /**
     * Connects for a plain request.
     *
     * @param mayReuse whether a connection that served before will do
     */
    Attempt plain(Address address, Destination to, boolean mayReuse, Result result) {
        Attempt attempt = new Attempt(result);
        Endpoint endpoint = address.endpoint();
        UpstreamPool pool = context.pool(loop);
        UpstreamPool.Key key = new UpstreamPool.Key(endpoint, endpoint.isDirect() ? to.hostPort() : "");
        UpstreamConnection idle = mayReuse ? pool.take(key) : null;
        if (idle != null) {
            result.connected(idle);
            return attempt;
        }
        dial(attempt, endpoint, to, channel -> {
            UpstreamConnection connection = new UpstreamConnection(
                    pool, key, channel, context.settings().heads());
            channel.pipeline().addLast(connection);
            attempt.done();
            result.connected(connection);
        });
        return attempt;
    }

    /** Connects for a tunnel. */
    Attempt tunnel(Address address, Destination to, Result result) {
        Attempt attempt = new Attempt(result);
        Endpoint endpoint = address.endpoint();
        dial(attempt, endpoint, to, channel -> {
            if (endpoint.isDirect()) {
                attempt.done();
                result.opened(channel, io.netty.buffer.Unpooled.EMPTY_BUFFER);
            } else {
                channel.pipeline().addLast(new ConnectHandshake(context, loop, attempt));
                Channels.write(channel, context.writer().connect(to, endpoint.credentials()));
                channel.flush();
            }
        });
        return attempt;
    }

    private void dial(Attempt attempt, Endpoint endpoint, Destination to, Consumer<Channel> then) {
        boolean direct = endpoint.isDirect();
        if (!supports(endpoint)) {
            attempt.fail(Classifier.unsupported(endpoint.scheme().word()));
            return;
        }
        String host = direct ? to.host() : endpoint.host();
        int port = direct ? to.port() : endpoint.port();
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
        if (literal != null) {
            dialResolved(attempt, direct, List.of(address(literal)), port, then);
            return;
        }
        CompletionStage<List<InetAddress>> resolved;
        try {
            resolved = context.resolver().resolve(host);
        } catch (RuntimeException e) {
            attempt.fail(Classifier.unresolved(direct));
            return;
        }
        resolved.whenComplete((addresses, failure) -> onLoop(() -> {
            if (failure != null || addresses == null || addresses.isEmpty()) {
                attempt.fail(Classifier.unresolved(direct));
            } else {
                dialResolved(attempt, direct, addresses, port, then);
            }
        }));
    }

    private void dialResolved(
            Attempt attempt, boolean direct, List<InetAddress> addresses, int port, Consumer<Channel> then) {
        ProxyError refusal = direct ? refusal(addresses, port) : null;
        if (refusal != null) {
            attempt.fail(Classifier.refusedByUs(refusal));
            return;
        }
        dialNext(attempt, direct, addresses, 0, port, then);
    }

    /** One refusing record refuses all: the next look-up might put it first. */
    private @Nullable ProxyError refusal(List<InetAddress> addresses, int port) {
        for (InetAddress address : addresses) {
            if (context.isOwn(new InetSocketAddress(address, port))) {
                return ProxyError.loop();
            }
            if (!context.settings().allowPrivateTargets() && Hosts.isPrivate(address)) {
                return ProxyError.forbidden(
                        "target_forbidden", "The target's name leads to a private address, which is not allowed.");
            }
        }
        return null;
    }

    private void dialNext(
            Attempt attempt, boolean direct, List<InetAddress> addresses, int index, int port, Consumer<Channel> then) {
        if (attempt.isOver()) {
            return;
        }
        ChannelFuture connecting = bootstrap().connect(new InetSocketAddress(addresses.get(index), port));
        attempt.channel = connecting.channel();
        Channels.whenDone(connecting, done -> {
            if (attempt.isOver()) {
                Channels.close(connecting.channel());
            } else if (done.isSuccess()) {
                then.accept(connecting.channel());
            } else if (index + 1 < Math.min(DIALS, addresses.size())) {
                dialNext(attempt, direct, addresses, index + 1, port, then);
            } else {
                Throwable cause = done.cause();
                attempt.fail(Classifier.notConnected(direct, cause == null ? new UnknownHostException() : cause));
            }
        });
    }

    private Bootstrap bootstrap() {
        return new Bootstrap()
                .group(loop)
                .channel(context.socketType())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        context.settings().timeouts().connect().toMillis())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .handler(Placeholder.INSTANCE);
    }

    private static InetAddress address(byte[] literal) {
        try {
            return InetAddress.getByAddress(literal);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("a literal of " + literal.length + " octets", e);
        }
    }

    private void onLoop(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
        } else {
            loop.execute(task);
        }
    }

    /** A bootstrap wants a handler; the real ones come with the connection. */
    @ChannelHandler.Sharable
    private static final class Placeholder extends ChannelInboundHandlerAdapter {
        static final Placeholder INSTANCE = new Placeholder();
    }

    /** One try to connect, which can be given up. For one event loop's use. */
    static final class Attempt {
        private final Result result;
        private @Nullable Channel channel;
        private boolean over;

        Attempt(Result result) {
            this.result = result;
        }

        boolean isOver() {
            return over;
        }

        void cancel() {
            if (!over) {
                over = true;
                closeChannel();
            }
        }

        void done() {
            over = true;
        }

        void fail(Fault fault) {
            if (!over) {
                over = true;
                closeChannel();
                result.failed(fault);
            }
        }

        void open(Channel opened, ByteBuf early) {
            over = true;
            result.opened(opened, early);
        }

        private void closeChannel() {
            if (channel != null) {
                Channels.close(channel);
            }
        }
    }
}
