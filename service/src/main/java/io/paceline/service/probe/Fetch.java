package io.paceline.service.probe;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
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
import io.paceline.health.ControlAnswer;
import io.paceline.pace.TargetUrl;
import io.paceline.service.metrics.BuildInfo;
import java.net.ConnectException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One GET of one control URL over one connection, up to the head of its answer.
 *
 * <pre>
 *   http  through a proxy   GET http://host/path                          (credentials in the head)
 *   https through a proxy   CONNECT host:port, then TLS inside, then GET  (credentials in the head of CONNECT alone)
 *   directly                the same without the proxy's part
 * </pre>
 *
 * <p>What the ending says:
 *
 * <pre>
 *   2xx                                                         passed
 *   407; 401 to CONNECT                                         credentials refused
 *   to CONNECT anything else, 502 and 504 through a proxy,
 *   an error page of squid's or tinyproxy's own                 silent: the proxy says that it got nothing
 *   any other status                                            answered
 *   no connection, TLS that does not verify, broken, too late   silent
 * </pre>
 *
 * <p>Confined to one event loop, but for {@link #isOver}. What becomes of a write or a close is heard as an exception or as
 * the channel's end, so nobody looks at their futures.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class Fetch {
    private static final int LONGEST_HEAD = 32 * 1024;

    private final Endpoint via;
    private final TargetUrl url;
    private final SslContext tls;
    private final CompletableFuture<ControlAnswer> answer;
    private @Nullable Channel channel;
    private long askedNanos;

    Fetch(Endpoint via, TargetUrl url, SslContext tls, CompletableFuture<ControlAnswer> answer) {
        this.via = via;
        this.url = url;
        this.tls = tls;
        this.answer = answer;
    }

    boolean isOver() {
        return answer.isDone();
    }

    /** Ends it, unless it has ended. */
    void end(ControlAnswer how) {
        answer.complete(how);
        if (channel != null) {
            channel.close();
        }
    }

    void failed(Throwable cause) {
        end(ControlAnswer.silent(words(cause)));
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

    ChannelInitializer<Channel> pipeline() {
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

    private boolean secure() {
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

    private static FullHttpRequest request(HttpMethod method, String target, String host) {
        FullHttpRequest request =
                new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, method, target, Unpooled.EMPTY_BUFFER);
        request.headers().set(HttpHeaderNames.HOST, host);
        request.headers().set(HttpHeaderNames.USER_AGENT, "paceline/" + BuildInfo.version());
        return request;
    }

    /** What is common to both halves: the connection's end, and its faults. */
    private abstract class Half extends SimpleChannelInboundHandler<HttpObject> {
        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            end(ControlAnswer.silent("closed before an answer"));
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
                    end(ControlAnswer.credentialsRefused());
                } else if (status >= 300 || head.decoderResult().isFailure()) {
                    end(ControlAnswer.silent("its proxy answered " + status + " to CONNECT"));
                }
            }
            if (opened && message instanceof LastHttpContent) {
                ctx.pipeline().remove(HttpClientCodec.class);
                ctx.pipeline().remove(this);
                addGet(ctx.channel());
            }
        }
    }

    /** Asks, and reads the head of the answer. */
    private final class Get extends Half {
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
            if (message instanceof HttpResponse head && head.status().code() >= 200) {
                long micros = (System.nanoTime() - askedNanos) / 1_000;
                end(head.decoderResult().isFailure() ? ControlAnswer.silent("no HTTP") : judged(head, micros));
            } else if (message.decoderResult().isFailure()) {
                end(ControlAnswer.silent("no HTTP"));
            }
        }
    }

    private ControlAnswer judged(HttpResponse head, long micros) {
        int status = head.status().code();
        if (status < 300) {
            return ControlAnswer.passed(status, micros);
        }
        if (via.isDirect() || secure()) {
            return ControlAnswer.answered(status, micros);
        }
        if (status == 407) {
            return ControlAnswer.credentialsRefused();
        }
        return status == 502 || status == 504 || isProxysOwn(head)
                ? ControlAnswer.silent("its proxy answered " + status)
                : ControlAnswer.answered(status, micros);
    }

    /** Squid says so; tinyproxy's own pages lack the {@code Via} that it adds to what it passes on. */
    private static boolean isProxysOwn(HttpResponse head) {
        String server = head.headers().get(HttpHeaderNames.SERVER, "");
        return head.headers().contains("X-Squid-Error")
                || (server.startsWith("tinyproxy") && !head.headers().contains(HttpHeaderNames.VIA));
    }
}
