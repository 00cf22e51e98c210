package io.paceline.service.proxy;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.paceline.Endpoint;
import io.paceline.Gatekeeper;
import io.paceline.Lease;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The forward proxy: clients set {@code HTTP_PROXY} and {@code HTTPS_PROXY}, and each request leaves by the address that
 * the gatekeeper leases for it, when the gatekeeper says so.
 *
 * <p>It has its own event loops; a client connection, the connections behind it, and everything in between live on one of
 * them, so nothing here is locked. It never sends a request but by the leased address.
 *
 * <p>{@link #start} is called once, {@link #stop} after it, from any thread.
 */
public final class ForwardProxy {
    /** Connections that the system holds for us until they are accepted. */
    private static final int BACKLOG = 1_024;

    private final ProxySettings settings;
    private final Collaborators collaborators;
    private final ProxyContext.Drain drain = new ProxyContext.Drain();
    private final ChannelGroup clients = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private final Map<EventLoop, UpstreamPool> pools = new HashMap<>();
    private @Nullable EventLoopGroup loops;
    private @Nullable Channel server;

    /**
     * What the proxy works with.
     *
     * @param gatekeeper decides when and by which address
     * @param authenticator knows the tokens
     * @param metrics hears what happens
     * @param resolver finds addresses for direct egress and for upstreams given by name
     * @param leaseText how a lease is written for {@code X-Paceline-Lease}; null where it is not shown
     */
    public record Collaborators(
            Gatekeeper gatekeeper,
            Authenticator authenticator,
            ProxyMetrics metrics,
            NameResolver resolver,
            Function<Lease, @Nullable String> leaseText) {}

    public ForwardProxy(ProxySettings settings, Collaborators collaborators) {
        this.settings = settings;
        this.collaborators = collaborators;
    }

    /** Whether this version can send requests through such an address; others must not be put into a pool. */
    public static boolean supports(Endpoint endpoint) {
        return Connector.supports(endpoint);
    }

    /**
     * Begins to accept clients.
     *
     * @return the address bound, with the port that was free where 0 was asked for
     * @throws IOException where the address cannot be bound
     */
    public InetSocketAddress start() throws IOException {
        Transport transport = Transport.choose();
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(
                Runtime.getRuntime().availableProcessors(),
                new DefaultThreadFactory("paceline-proxy", true),
                transport.handler());
        loops = group;
        for (EventExecutor executor : group) {
            EventLoop loop = (EventLoop) executor;
            pools.put(loop, new UpstreamPool(loop, settings.idle()));
        }
        ChannelFuture binding = bind(group, transport);
        Channel bound = binding.channel();
        server = bound;
        InetSocketAddress address = (InetSocketAddress) bound.localAddress();
        accept(bound, context(transport, address));
        return address;
    }

    /**
     * The server channel is bound without reading, since every connection needs the context, and the context the port
     * that was bound.
     */
    private ChannelFuture bind(EventLoopGroup group, Transport transport) throws IOException {
        ChannelFuture binding = new ServerBootstrap()
                .group(group)
                .channel(transport.server())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, Connector.WATER_MARK)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accepted(channel);
                    }
                })
                .bind(settings.listen())
                .awaitUninterruptibly();
        if (!binding.isSuccess()) {
            Channels.whenDone(group.shutdownGracefully(0, 1, TimeUnit.SECONDS), done -> {});
            throw new IOException("the proxy cannot listen on " + settings.listen() + ": " + message(binding.cause()));
        }
        return binding;
    }

    private volatile @Nullable ProxyContext context;

    private void accept(Channel bound, ProxyContext ready) {
        context = ready;
        bound.config().setAutoRead(true);
    }

    private ProxyContext context(Transport transport, InetSocketAddress bound) throws IOException {
        String pseudonym = "paceline-" + Integer.toHexString(new SecureRandom().nextInt() | 0x1000_0000);
        return new ProxyContext(
                settings,
                collaborators.gatekeeper(),
                collaborators.authenticator(),
                collaborators.metrics(),
                collaborators.resolver(),
                collaborators.leaseText(),
                new HeadWriter(PooledByteBufAllocator.DEFAULT, pseudonym),
                pseudonym,
                transport.socket(),
                Map.copyOf(pools),
                bound.getPort(),
                ownAddresses(bound.getAddress()),
                drain);
    }

    /**
     * Other waits, retries, ports and lives of tunnels hold for connections that come from now on; where it listens and how
     * many connections it keeps stay.
     */
    public synchronized void reconfigure(ProxySettings others) {
        ProxyContext running = context;
        if (running != null) {
            context = running.with(others);
        }
    }

    private void accepted(SocketChannel channel) {
        ProxyContext ready = context;
        if (ready == null || ready.isDraining()) {
            Channels.close(channel);
            return;
        }
        if (open.incrementAndGet() > settings.maxConnections()) {
            open.decrementAndGet();
            ProxyError error =
                    new ProxyError(503, "too_many_connections", "This proxy has as many clients as it may.", 1);
            collaborators.metrics().request(ProxyMetrics.Kind.NONE, error.code());
            Channels.write(channel, ready.writer().error(error, true, false, false, null));
            Channels.closeAfterFlush(channel);
            return;
        }
        clients.add(channel);
        collaborators.metrics().connectionOpened();
        Channels.whenDone(channel.closeFuture(), closed -> {
            open.decrementAndGet();
            collaborators.metrics().connectionClosed();
        });
        channel.pipeline().addLast(new FrontHandler(ready, channel));
    }

    /**
     * Stops accepting, lets running requests and tunnels end, and closes what is left after the time given. The stage
     * completes when nothing is open any more and every lease has been settled; a second call changes nothing.
     */
    public CompletionStage<Void> stop(Duration within) {
        Channel listening = server;
        EventLoopGroup group = loops;
        if (!stopping.compareAndSet(false, true)) {
            return stopped;
        }
        drain.begin();
        if (listening == null || group == null) {
            stopped.complete(null);
            return stopped;
        }
        Channels.close(listening);
        for (Channel client : clients) {
            client.eventLoop().execute(() -> {
                FrontHandler front = client.pipeline().get(FrontHandler.class);
                if (front != null) {
                    front.drain();
                }
            });
        }
        Channels.whenDone(clients.newCloseFuture(), closed -> shutDown(group));
        Channels.later(GlobalEventExecutor.INSTANCE, within.toNanos(), () -> Channels.closeAll(clients));
        return stopped;
    }

    private void shutDown(EventLoopGroup group) {
        pools.forEach((loop, pool) -> loop.execute(pool::closeAll));
        Channels.whenDone(group.shutdownGracefully(0, 2, TimeUnit.SECONDS), done -> stopped.complete(null));
    }

    /** A wildcard listens on every address of the machine. */
    private static Set<InetAddress> ownAddresses(InetAddress bound) throws SocketException {
        if (!bound.isAnyLocalAddress()) {
            return Set.of(bound);
        }
        Set<InetAddress> own = new HashSet<>();
        own.add(bound);
        NetworkInterface.networkInterfaces()
                .forEach(networkInterface -> networkInterface.inetAddresses().forEach(own::add));
        return own;
    }

    private static String message(@Nullable Throwable cause) {
        return cause == null || cause.getMessage() == null ? "unknown" : cause.getMessage();
    }

    /** Native epoll where the machine has it, else NIO. */
    private record Transport(
            IoHandlerFactory handler, Class<? extends ServerChannel> server, Class<? extends SocketChannel> socket) {
        static Transport choose() {
            return Epoll.isAvailable()
                    ? new Transport(
                            EpollIoHandler.newFactory(), EpollServerSocketChannel.class, EpollSocketChannel.class)
                    : new Transport(NioIoHandler.newFactory(), NioServerSocketChannel.class, NioSocketChannel.class);
        }
    }
}
