package io.paceline.service.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.paceline.Lease;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client connection: reads requests and lets them run one after the other, in order, however many come at once.
 *
 * <pre>
 * state      event                          next
 * HEAD       a whole head                   BODY, or ANSWER where it has no body; an own answer stays in HEAD or closes
 *            a bad head, or one too slow    an own answer, then LINGER
 *            silence for keepAlive, FIN     closed
 * BODY       the last octet of the body     ANSWER
 *            the answer is complete first   LINGER
 *            FIN                            closed, the exchange is let go
 * ANSWER     the answer is complete         HEAD, or closed where one side wants no more
 *            FIN, see {@link #inputEnded}   ANSWER, or closed
 * any        a tunnel opens                 TUNNEL: this handler is gone
 * LINGER     FIN, or LINGER_NANOS           closed
 * </pre>
 *
 * <p>What a client sends ahead is read up to {@link #READ_AHEAD} octets, then reading stops until they are used: so its
 * close is seen while it waits, and memory stays bounded.
 */
final class FrontHandler extends ChannelInboundHandlerAdapter implements BodyDecoder.Sink {
    private static final Logger LOG = LoggerFactory.getLogger(FrontHandler.class);

    /** Octets read ahead of what can be passed on. A head must fit into it. */
    static final int READ_AHEAD = 64 * 1024;

    /**
     * How long a client is listened to after a refusal that came in the middle of its request: closing at once would
     * reset the connection, and the reset would overtake the answer.
     */
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** How long the answer to a client that has shut its sending side may take to begin, see {@link #inputEnded}. */
    private static final long HALF_CLOSED_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** A FIN this soon after the request belongs to it: the client had no more to ask from the start. */
    private static final long FIN_WITH_REQUEST_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private enum State {
        HEAD,
        BODY,
        ANSWER,
        TUNNEL,
        LINGER
    }

    private final ProxyContext context;
    private final SocketChannel channel;
    private final EventLoop loop;
    private final HeadReader reader;
    private final Deadline headDeadline;
    private final Deadline idleDeadline;
    private final Deadline leaveDeadline;
    private State state = State.HEAD;
    private @Nullable ByteBuf in;
    private @Nullable Exchange exchange;
    private @Nullable BodyDecoder body;
    private boolean inputEnded;
    private boolean processing;
    private boolean closed;
    private long requestReadNanos;

    FrontHandler(ProxyContext context, SocketChannel channel) {
        this.context = context;
        this.channel = channel;
        this.loop = channel.eventLoop();
        this.reader = new HeadReader(context.settings().heads());
        this.headDeadline = new Deadline(loop, this::headTooSlow);
        this.idleDeadline = new Deadline(loop, this::close);
        this.leaveDeadline = new Deadline(loop, this::leave);
    }

    EventLoop loop() {
        return loop;
    }

    SocketChannel channel() {
        return channel;
    }

    // ---- what a connection hears

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        headDeadline.in(context.settings().timeouts().header().toNanos());
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf octets = (ByteBuf) message;
        if (state == State.LINGER || closed) {
            octets.release();
            return;
        }
        in = in == null ? octets : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), in, octets);
        process();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        Exchange current = exchange;
        if (current != null) {
            current.requestReadComplete();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        Exchange current = exchange;
        if (current != null && channel.isWritable()) {
            current.clientWritable();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputEnded();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        gone();
        headDeadline.cancel();
        idleDeadline.cancel();
        leaveDeadline.cancel();
        if (in != null) {
            in.release();
            in = null;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!Classifier.isDisconnect(cause)) {
            LOG.error("a client's connection was given up", cause);
        }
        gone();
        Channels.close(channel);
    }

    /**
     * A FIN says no more than that the client sends nothing further: it may have left, or wait for its answer. Before the
     * answer it is given a moment for the answer to begin; a client that has left then shows itself by a reset. A FIN in
     * the middle of an answer is a client that leaves, unless it came together with the request.
     */
    private void inputEnded() {
        inputEnded = true;
        Exchange current = exchange;
        if (state == State.LINGER || current == null) {
            close();
        } else if (state == State.BODY && (in == null || !in.isReadable())) {
            gone();
            close();
        } else if (!current.answerBegun()) {
            leaveDeadline.in(HALF_CLOSED_NANOS);
        } else if (System.nanoTime() - requestReadNanos > FIN_WITH_REQUEST_NANOS) {
            gone();
            close();
        }
    }

    private void leave() {
        Exchange current = exchange;
        if (state == State.LINGER) {
            close();
        } else if (current != null && !current.answerBegun()) {
            gone();
            close();
        }
    }

    private void gone() {
        Exchange current = exchange;
        exchange = null;
        if (current != null) {
            current.clientGone();
        }
    }

    private void headTooSlow() {
        if (state == State.HEAD && exchange == null) {
            if (reader.isWithin()) {
                refuse(
                        new ProxyError(408, "header_timeout", "The request's head did not come in time."),
                        ProxyMetrics.Kind.NONE);
            } else {
                close();
            }
        }
    }

    // ---- the requests, one after the other

    /** Uses what has been read, as far as the present state allows. */
    private void process() {
        if (processing) {
            return;
        }
        processing = true;
        try {
            while (step()) {
                // Each step uses up octets or changes the state.
            }
        } catch (BadMessageException e) {
            gone();
            refuse(e.toError(), ProxyMetrics.Kind.NONE);
        } finally {
            processing = false;
        }
        ByteBuf left = in;
        if (left != null && !left.isReadable()) {
            left.release();
            in = null;
        }
        boolean full = in != null && in.readableBytes() >= READ_AHEAD;
        if (channel.config().isAutoRead() == full && state != State.TUNNEL) {
            channel.config().setAutoRead(!full);
        }
    }

    private boolean step() throws BadMessageException {
        ByteBuf octets = in;
        if (octets == null || closed) {
            return false;
        }
        return switch (state) {
            case HEAD -> readHead(octets);
            case BODY -> readBody(octets);
            case ANSWER, TUNNEL, LINGER -> false;
        };
    }

    private boolean readHead(ByteBuf octets) throws BadMessageException {
        RequestHead head = octets.isReadable() ? reader.request(octets) : null;
        if (head == null) {
            if (reader.isWithin() && !headDeadline.isSet()) {
                headDeadline.in(context.settings().timeouts().header().toNanos());
            }
            if (inputEnded) {
                close();
            }
            return false;
        }
        headDeadline.clear();
        idleDeadline.clear();
        Framing framing = Framing.ofRequest(head);
        requestReadNanos = System.nanoTime();
        begin(head, framing);
        return true;
    }

    private void begin(RequestHead head, Framing framing) throws BadMessageException {
        Admission.Verdict verdict = Admission.of(context, head, framing);
        if (verdict.error() != null) {
            answer(verdict.error(), verdict.kind(), head, framing);
            return;
        }
        if (verdict.admitted() == null) {
            health(head, framing);
            return;
        }
        Exchange next = verdict.kind() == ProxyMetrics.Kind.CONNECT
                ? new TunnelExchange(context, this, head, verdict.admitted())
                : new PlainExchange(context, this, head, framing, verdict.admitted());
        exchange = next;
        if (framing.hasBody()) {
            body = new BodyDecoder(framing, false, context.settings().heads());
            state = State.BODY;
        } else {
            state = State.ANSWER;
        }
        next.start();
    }

    private boolean readBody(ByteBuf octets) throws BadMessageException {
        Exchange current = exchange;
        BodyDecoder decoder = body;
        if (current == null || decoder == null || !octets.isReadable() || !current.takesBody()) {
            return false;
        }
        decoder.decode(octets, this);
        if (state == State.BODY && !decoder.isDone() && inputEnded && !octets.isReadable()) {
            gone();
            close();
        }
        return state == State.HEAD;
    }

    @Override
    public void data(ByteBuf piece) {
        Exchange current = exchange;
        if (current == null) {
            piece.release();
        } else {
            current.requestData(piece);
        }
    }

    @Override
    public void end(Fields trailers) {
        Exchange current = exchange;
        if (current != null) {
            body = null;
            state = State.ANSWER;
            requestReadNanos = System.nanoTime();
            current.requestEnd(trailers);
        }
    }

    // ---- what an exchange may do with its client

    void write(ByteBuf octets) {
        Channels.write(channel, octets);
    }

    void flush() {
        channel.flush();
    }

    boolean isWritable() {
        return channel.isWritable();
    }

    /** The exchange can take more of the request's body. */
    void pump() {
        process();
        Exchange current = exchange;
        if (current != null) {
            current.requestReadComplete();
        }
    }

    /** Whether another request may follow, as far as the connection is concerned. */
    boolean mayContinue() {
        return !context.isDraining() && (!inputEnded || (in != null && in.isReadable()));
    }

    /** The answer has been written in full. */
    void finished(boolean keepAlive) {
        exchange = null;
        boolean bodyLeft = state == State.BODY;
        body = null;
        leaveDeadline.clear();
        if (bodyLeft) {
            linger();
        } else if (!keepAlive) {
            closeAfterFlush();
        } else {
            nextRequest();
        }
    }

    /** Answers for the exchange, whose answer has not begun. */
    void refuse(ProxyError error, RequestHead head, Framing framing, @Nullable Lease lease, boolean isConnect) {
        exchange = null;
        leaveDeadline.clear();
        // Behind a refused CONNECT may come octets that were meant for the tunnel: they are no request.
        boolean keep = head.keepAlive() && !framing.hasBody() && mayContinue() && !isConnect;
        writeError(error, !head.method().equals("HEAD"), keep, keep && head.isHttp10(), lease);
        afterRefusal(keep);
    }

    /** Hands the connection over to a tunnel: the octets already read, or an empty buffer. */
    ByteBuf detach() {
        ByteBuf early = in == null ? Unpooled.EMPTY_BUFFER : in;
        in = null;
        exchange = null;
        state = State.TUNNEL;
        headDeadline.cancel();
        idleDeadline.cancel();
        leaveDeadline.cancel();
        return early;
    }

    boolean isInputEnded() {
        return inputEnded;
    }

    /** Cuts the answer off so that the client sees it: by a reset, never by an orderly end. */
    void abort() {
        exchange = null;
        closed = true;
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        Channels.close(channel);
    }

    /** No further request; at once where none is running. */
    void drain() {
        if (state == State.HEAD && exchange == null && !reader.isWithin()) {
            close();
        }
    }

    // ---- answers of our own

    private void answer(ProxyError error, ProxyMetrics.Kind kind, RequestHead head, Framing framing) {
        context.metrics().request(kind, error.code());
        boolean connect = kind == ProxyMetrics.Kind.CONNECT;
        boolean more = in != null && in.isReadable();
        // A client comes back with credentials on the connection that asked for them.
        boolean mayKeep = connect ? error.status() == 407 && !more : error.status() != 400;
        boolean keep = mayKeep && head.keepAlive() && !framing.hasBody() && mayContinue();
        writeError(error, !head.method().equals("HEAD"), keep, keep && head.isHttp10(), null);
        afterRefusal(keep);
    }

    /** For a head or body that could not be read: nothing after it can be trusted. */
    private void refuse(ProxyError error, ProxyMetrics.Kind kind) {
        context.metrics().request(kind, error.code());
        writeError(error, true, false, false, null);
        linger();
    }

    private void afterRefusal(boolean keep) {
        body = null;
        if (keep) {
            nextRequest();
        } else {
            linger();
        }
    }

    private void health(RequestHead head, Framing framing) {
        boolean ready = !context.isDraining() || head.target().equals("/livez");
        boolean keep = head.keepAlive() && !framing.hasBody() && mayContinue();
        write(context.writer()
                .plain(ready ? 200 : 503, ready ? "OK" : "Service Unavailable", ready ? "ok\n" : "draining\n", keep));
        flush();
        afterRefusal(keep);
    }

    private void writeError(ProxyError error, boolean withBody, boolean keep, boolean sayKeep, @Nullable Lease lease) {
        LeaseText told = lease == null ? null : LeaseText.of(context, lease);
        write(context.writer().error(error, withBody, keep, sayKeep, told));
        flush();
    }

    private void nextRequest() {
        state = State.HEAD;
        idleDeadline.in(context.settings().timeouts().keepAlive().toNanos());
        if (context.isDraining() || (inputEnded && (in == null || !in.isReadable()))) {
            closeAfterFlush();
        } else {
            process();
        }
    }

    /** Shuts our side after the answer and drops what the client still sends, for a while. */
    private void linger() {
        state = State.LINGER;
        if (in != null) {
            in.skipBytes(in.readableBytes());
        }
        if (inputEnded) {
            closeAfterFlush();
            return;
        }
        channel.config().setAutoRead(true);
        Channels.afterFlush(channel, done -> Channels.shutdownOutput(channel));
        leaveDeadline.in(LINGER_NANOS);
    }

    private void closeAfterFlush() {
        closed = true;
        Channels.closeAfterFlush(channel);
    }

    private void close() {
        closed = true;
        Channels.close(channel);
    }
}
