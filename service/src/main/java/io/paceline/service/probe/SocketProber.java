package io.paceline.service.probe;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.paceline.Endpoint;
import io.paceline.PageFetcher;
import io.paceline.Prober;
import io.paceline.Ticker;
import io.paceline.health.ControlAnswer;
import io.paceline.pace.Hosts;
import io.paceline.pace.TargetUrl;
import io.paceline.service.proxy.NameResolver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Asks control URLs, and fetches small pages, on sockets, each by a connection of its own: what a kept connection proves is not that a new one can
 * be made.
 *
 * <p>One thread of its own, which begins with the first question. Thread-safe.
 */
public final class SocketProber implements Prober, AutoCloseable {

    private final NameResolver resolver;
    private final @Nullable TrustManagerFactory trust;
    private final Timeouts timeouts;
    private @Nullable Room room;
    private boolean closed;

    /**
     * How long an answer may take.
     *
     * @param direct from our own side
     * @param through through an address
     */
    public record Timeouts(Duration direct, Duration through) {
        public static Timeouts defaults() {
            return new Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(10));
        }

        Duration of(Endpoint via) {
            return via.isDirect() ? direct : through;
        }
    }

    /** What the first question brings to life. */
    private record Room(EventLoopGroup loops, SslContext tls) {}

    /** @param trust whose certificates are believed; null for the JVM's own list */
    public SocketProber(NameResolver resolver, @Nullable TrustManagerFactory trust, Timeouts timeouts) {
        this.resolver = resolver;
        this.trust = trust;
        this.timeouts = timeouts;
    }

    @Override
    public boolean supports(Endpoint via) {
        return via.isDirect() || via.scheme() == Endpoint.Scheme.HTTP;
    }

    @Override
    public CompletionStage<ControlAnswer> ask(Endpoint via, String text) {
        if (!supports(via)) {
            return CompletableFuture.completedFuture(
                    ControlAnswer.silent("not asked: a " + via.scheme().word() + " proxy"));
        }
        return run(tls -> new ControlFetch(via, TargetUrl.parse(text), tls), true)
                .orElseGet(() -> CompletableFuture.completedFuture(ControlAnswer.silent("not asked: stopping")));
    }

    /**
     * What fetches pages by the same means.
     *
     * @param privateTargets whether our own side may go to private addresses
     * @param ticker in whose time a site's wishes are read
     */
    public PageFetcher pages(boolean privateTargets, Ticker ticker) {
        return new SocketPages(this, privateTargets, ticker);
    }

    /**
     * Runs one fetch; empty where we are stopping.
     *
     * @param privateToo whether our own side may go to a private address
     */
    <T> Optional<CompletionStage<T>> run(Function<SslContext, Fetch<T>> make, boolean privateToo) {
        Room ready = room();
        if (ready == null) {
            return Optional.empty();
        }
        EventLoop loop = ready.loops().next();
        Fetch<T> fetch = make.apply(ready.tls());
        Endpoint via = fetch.via;
        Future<?> late =
                loop.schedule(() -> fetch.end(fetch.late()), timeouts.of(via).toNanos(), TimeUnit.NANOSECONDS);
        CompletionStage<T> told = fetch.answer().whenComplete((how, failure) -> late.cancel(false));
        String host = via.isDirect() ? fetch.url().host() : via.host();
        int port = via.isDirect() ? fetch.url().port() : via.port();
        addresses(host)
                .whenComplete((addresses, failure) -> loop.execute(() -> {
                    if (failure != null || addresses == null || addresses.isEmpty()) {
                        fetch.end(fetch.silent("no such name"));
                    } else if (via.isDirect()
                            && !privateToo
                            && addresses.stream().anyMatch(Hosts::isPrivate)) {
                        fetch.end(fetch.silent("its name leads to a private address"));
                    } else {
                        connect(loop, fetch, new InetSocketAddress(addresses.get(0), port));
                    }
                }));
        return Optional.of(told);
    }

    private CompletionStage<List<InetAddress>> addresses(String host) {
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
        if (literal == null) {
            return resolver.resolve(host);
        }
        try {
            return CompletableFuture.completedFuture(List.of(InetAddress.getByAddress(literal)));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("a literal of " + literal.length + " octets", e);
        }
    }

    private static void connect(EventLoop loop, Fetch<?> fetch, InetSocketAddress to) {
        if (fetch.isOver()) {
            return;
        }
        new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(fetch.pipeline())
                .connect(to)
                .addListener(done -> {
                    Throwable cause = done.cause();
                    if (cause != null) {
                        fetch.failed(cause);
                    }
                });
    }

    private synchronized @Nullable Room room() {
        if (room == null && !closed) {
            room = new Room(
                    new MultiThreadIoEventLoopGroup(
                            1, new DefaultThreadFactory("paceline-probe", true), NioIoHandler.newFactory()),
                    tls());
        }
        return closed ? null : room;
    }

    private SslContext tls() {
        try {
            SslContextBuilder builder = SslContextBuilder.forClient().endpointIdentificationAlgorithm("HTTPS");
            return trust == null ? builder.build() : builder.trustManager(trust).build();
        } catch (SSLException e) {
            throw new IllegalStateException("this Java cannot speak TLS: " + e.getMessage(), e);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (room != null) {
            Future<?> unused = room.loops().shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }
}
