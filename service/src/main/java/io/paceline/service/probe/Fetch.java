package io.paceline.service.probe;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.paceline.Credentials;
import io.paceline.Endpoint;
import io.paceline.pace.TargetUrl;
import java.net.ConnectException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One GET of one URL over one connection.
 *
 * <pre>
 *   http  through a proxy   GET http://host/path                          (credentials in the head)
 *   https through a proxy   CONNECT host:port, then TLS inside, then GET  (credentials in the head of CONNECT alone)
 *   directly                the same without the proxy's part
 * </pre>
 *
 * <p>407, and 401 to CONNECT, is {@link #credentialsRefused}; any other refusal of CONNECT, no connection, TLS that does not
 * verify, a broken one and one that is too late are {@link #silent}. What a head says is for the kinds of fetch to know.
 *
 * <p>Confined to one event loop, but for {@link #isOver}. What becomes of a write or a close is heard as an exception or as
 * the channel's end, so nobody looks at their futures.
 */
@SuppressWarnings("FutureReturnValueIgnored")
abstract class Fetch<T> {
    private static final int LONGEST_HEAD = 32 * 1024;

    final Endpoint via;
    private final TargetUrl url;
    private final String agent;
    private final SslContext tls;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private @Nullable Channel channel;
    private long askedNanos;

    Fetch(Endpoint via, TargetUrl url, String agent, SslContext tls) {
        this.via = via;
        this.url = url;
        this.agent = agent;
        this.tls = tls;
    }

    /** There was no answer. */
    abstract T silent(String why);

    /** There was none in time. */
    T late() {
        return silent("timed out");
    }

    abstract T credentialsRefused();

    /** The head of the final answer; {@code micros} after it was asked for. */
    abstract void answered(HttpResponse head, long micros);

    /** Some of the body; nothing is kept of it. */
    void body(HttpContent part) {}

    CompletableFuture<T> answer() {
        return answer;
    }

    TargetUrl url() {
        return url;
    }

    final boolean isOver() {
        return answer.isDone();
    }

    /** Ends it, unless it has ended. */
    final void end(T how) {
        answer.complete(how);
        if (channel != null) {
            channel.close();
        }
    }

    final void failed(Throwable cause) {
        end(silent(words(cause)));
    }

    /** Words of ours: an exception's own may name what nobody should read. */
    private static String words(Throwable cause) {
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof java.security.cert.CertificateException) {
                return "its certificate is not believed";
            }
        }
        if (cause instanceof SSLException || cause.getCause() instanceof SSLException) {
            return "no TLS with it";
        }
        if (cause instanceof ConnectException) {
            return "no connection";
        }
        return cause instanceof UnresolvedAddressException ? "no such name" : "connection broken";
    }

    final ChannelInitializer<Channel> pipeline() {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel opened) {
                channel = opened;
                if (isOver()) {
                    opened.close();
                } else if (secure() && !via.isDirect()) {
                    opened.pipeline().addLast(codec(), new Connect());
                } else {
                    addGet(opened);
                }
            }
        };
    }

    final boolean secure() {
        return url.scheme().equals("https");
    }

    private static HttpClientCodec codec() {
        return new HttpClientCodec(4_096, LONGEST_HEAD, 8_192);
    }

    private void addGet(Channel opened) {
        if (secure()) {
            opened.pipeline().addLast(tls.newHandler(opened.alloc(), url.host(), url.port()));
        }
        opened.pipeline().addLast(codec(), new Get());
    }

    private void authorize(FullHttpRequest request) {
        Credentials credentials = via.credentials();
        if (credentials != null) {
            byte[] pair = (credentials.user() + ":" + credentials.password()).getBytes(StandardCharsets.UTF_8);
            request.headers()
                    .set(
                            HttpHeaderNames.PROXY_AUTHORIZATION,
                            "Basic " + Base64.getEncoder().encodeToString(pair));
        }
    }

    private FullHttpRequest request(HttpMethod method, String target, String host) {
        FullHttpRequest request =
                new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, method, target, Unpooled.EMPTY_BUFFER);
        request.headers().set(HttpHeaderNames.HOST, host);
        request.headers().set(HttpHeaderNames.USER_AGENT, agent);
        return request;
    }

    /** What is common to both halves: the connection's end, and its faults. */
    private abstract class Half extends SimpleChannelInboundHandler<HttpObject> {
        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            end(silent("closed before an answer"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            failed(cause);
        }
    }

    /** Opens the tunnel. */
    private final class Connect extends Half {
        private boolean opened;

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            askedNanos = System.nanoTime();
            FullHttpRequest request = request(HttpMethod.CONNECT, url.hostPort(), url.hostPort());
            authorize(request);
            ctx.writeAndFlush(request, ctx.voidPromise());
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
            if (message instanceof HttpResponse head) {
                int status = head.status().code();
                opened = status >= 200 && status < 300;
                if (status == 407 || status == 401) {
                    end(credentialsRefused());
                } else if (status >= 300 || head.decoderResult().isFailure()) {
                    end(silent("its proxy answered " + status + " to CONNECT"));
                }
            }
            if (opened && message instanceof LastHttpContent) {
                ctx.pipeline().remove(HttpClientCodec.class);
                ctx.pipeline().remove(this);
                addGet(ctx.channel());
            }
        }
    }

    /** Asks, and reads the answer. */
    private final class Get extends Half {
        /** The final answer has begun: not one of those that announce another. */
        private boolean fin;

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            if (ctx.channel().isActive() && !secure()) {
                ask(ctx);
            }
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            if (!secure()) {
                ask(ctx);
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof SslHandshakeCompletionEvent done) {
                if (done.isSuccess()) {
                    ask(ctx);
                } else {
                    failed(done.cause());
                }
            }
        }

        private void ask(ChannelHandlerContext ctx) {
            askedNanos = askedNanos == 0 ? System.nanoTime() : askedNanos;
            boolean absolute = !via.isDirect() && !secure();
            String target = absolute ? "http://" + url.authority() + url.pathAndQuery() : url.pathAndQuery();
            FullHttpRequest request = request(HttpMethod.GET, target, url.authority());
            request.headers().set(HttpHeaderNames.ACCEPT, "*/*");
            request.headers().set(HttpHeaderNames.CONNECTION, "close");
            // What a proxy has kept from before proves nothing.
            request.headers().set(HttpHeaderNames.CACHE_CONTROL, "no-cache, no-store");
            request.headers().set(HttpHeaderNames.PRAGMA, "no-cache");
            if (absolute) {
                authorize(request);
            }
            ctx.writeAndFlush(request, ctx.voidPromise());
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
            if (message.decoderResult().isFailure()) {
                end(silent("no HTTP"));
            } else if (message instanceof HttpResponse head) {
                fin = head.status().code() >= 200;
                if (fin) {
                    answered(head, (System.nanoTime() - askedNanos) / 1_000);
                }
            }
            if (fin && !isOver() && message instanceof HttpContent part) {
                body(part);
            }
        }
    }

    /** Whether the proxy, which alone sees heads of plain HTTP, refuses us. */
    final boolean refusesCredentials(HttpResponse head) {
        return !via.isDirect() && !secure() && head.status().code() == 407;
    }

    /** Whether an answer of plain HTTP is the proxy's, which says that it got none. */
    final boolean isProxys(HttpResponse head) {
        int status = head.status().code();
        return !via.isDirect() && !secure() && (status == 502 || status == 504 || isProxysOwn(head));
    }

    /** Squid says so; tinyproxy's own pages lack the {@code Via} that it adds to what it passes on. */
    private static boolean isProxysOwn(HttpResponse head) {
        String server = head.headers().get(HttpHeaderNames.SERVER, "");
        return head.headers().contains("X-Squid-Error")
                || (server.startsWith("tinyproxy") && !head.headers().contains(HttpHeaderNames.VIA));
    }
}
