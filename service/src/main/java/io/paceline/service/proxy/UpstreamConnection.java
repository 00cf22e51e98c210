package io.paceline.service.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection behind us that carries plain requests, one after the other: it reads answers and gives them to the
 * exchange that has it now. Between two exchanges it lies in the {@link UpstreamPool}; any octet or close then ends it.
 */
final class UpstreamConnection extends ChannelInboundHandlerAdapter implements BodyDecoder.Sink {

    /** Hears the answer to one request, in this order; after {@link #end} or {@link #lost} nothing more comes. */
    interface Listener extends BodyDecoder.Sink {
        void interim(ResponseHead head);

        void head(ResponseHead head, Framing framing);

        /** All that one read brought has been told: time to flush. */
        void answerReadComplete();

        /** More of the request may be written. */
        void upstreamWritable();

        /** The connection is gone or worthless; {@code problem} is null where it was simply closed. */
        void lost(@Nullable BadMessageException problem);
    }

    private static final Logger LOG = LoggerFactory.getLogger(UpstreamConnection.class);

    private final UpstreamPool pool;
    private final UpstreamPool.Key key;
    private final Channel channel;
    private final ProxySettings.Heads limits;
    private final HeadReader reader;
    private @Nullable ByteBuf in;
    private @Nullable Listener listener;
    private String method = "";
    private @Nullable BodyDecoder decoder;
    private boolean persistent;
    private boolean answerBegun;
    private boolean used;
    private long idleSinceNanos;

    UpstreamConnection(UpstreamPool pool, UpstreamPool.Key key, Channel channel, ProxySettings.Heads limits) {
        this.pool = pool;
        this.key = key;
        this.channel = channel;
        this.limits = limits;
        this.reader = new HeadReader(limits);
    }

    UpstreamPool.Key key() {
        return key;
    }

    long idleSinceNanos() {
        return idleSinceNanos;
    }

    boolean isUsable() {
        return channel.isActive() && listener == null;
    }

    /** Whether an earlier request went over it: the other side may then be closing it just now. */
    boolean isUsed() {
        return used;
    }

    /** Whether any octet of the present answer has come. */
    boolean answerBegun() {
        return answerBegun;
    }

    /** The next answer is for this listener. */
    void begin(Listener next, String requestMethod) {
        listener = next;
        method = requestMethod;
        decoder = null;
        answerBegun = false;
        persistent = false;
    }

    void write(ByteBuf octets) {
        Channels.write(channel, octets);
    }

    void flush() {
        channel.flush();
    }

    boolean isWritable() {
        return channel.isWritable();
    }

    /** Stops reading while the client is slower than we are. */
    void pause() {
        channel.config().setAutoRead(false);
    }

    void resume() {
        if (!channel.config().isAutoRead()) {
            channel.config().setAutoRead(true);
        }
    }

    boolean isPaused() {
        return !channel.config().isAutoRead();
    }

    /** The exchange is over: the connection is kept for the next one, if both messages were complete and clean. */
    void release(boolean requestComplete) {
        listener = null;
        used = true;
        BodyDecoder body = decoder;
        boolean clean = requestComplete
                && persistent
                && body != null
                && body.isDone()
                && (in == null || !in.isReadable())
                && channel.isActive();
        resume();
        idleSinceNanos = System.nanoTime();
        if (!clean || !pool.offer(this)) {
            close();
        }
    }

    /** Nobody wants the rest. */
    void close() {
        listener = null;
        Channels.close(channel);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf octets = (ByteBuf) message;
        if (listener == null) {
            octets.release();
            closeIdle();
            return;
        }
        answerBegun = true;
        in = in == null ? octets : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), in, octets);
        try {
            parse();
        } catch (BadMessageException e) {
            lose(e);
        }
        releaseIfRead();
    }

    private void parse() throws BadMessageException {
        while (listener != null && in != null) {
            BodyDecoder body = decoder;
            if (body == null) {
                if (!readHead(in)) {
                    return;
                }
            } else {
                body.decode(in, this);
                return;
            }
        }
    }

    /** False where more octets are needed, or the exchange has gone. */
    private boolean readHead(ByteBuf octets) throws BadMessageException {
        ResponseHead head = reader.response(octets);
        Listener current = listener;
        if (head == null || current == null) {
            return false;
        }
        if (head.isInterim()) {
            if (head.status() == 101) {
                throw new BadMessageException(502, "bad_response", "The answer switches protocols unasked.");
            }
            current.interim(head);
            return true;
        }
        Framing framing = Framing.ofResponse(method, head);
        persistent = head.keepAlive() && framing.kind() != Framing.Kind.UNTIL_CLOSE && isUnambiguous(head);
        decoder = new BodyDecoder(framing, true, limits);
        current.head(head, framing);
        return true;
    }

    /** No connection is kept that has two framings, or on which one client has logged in by NTLM or Negotiate. */
    private static boolean isUnambiguous(ResponseHead head) {
        if (head.fields().has("transfer-encoding") && head.fields().has("content-length")) {
            return false;
        }
        for (String challenge : head.fields().all("www-authenticate")) {
            String lower = challenge.toLowerCase(Locale.ROOT);
            if (lower.startsWith("ntlm") || lower.startsWith("negotiate")) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void data(ByteBuf piece) {
        Listener current = listener;
        if (current == null) {
            piece.release();
        } else {
            current.data(piece);
        }
    }

    @Override
    public void end(Fields trailers) {
        Listener current = listener;
        if (current != null) {
            current.end(trailers);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        Listener current = listener;
        if (current != null) {
            current.answerReadComplete();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        Listener current = listener;
        if (current != null && channel.isWritable()) {
            current.upstreamWritable();
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
        if (listener == null) {
            pool.remove(this);
        }
        inputLost();
        if (in != null) {
            in.release();
            in = null;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!Classifier.isDisconnect(cause)) {
            LOG.error("an upstream connection was given up", cause);
        }
        inputLost();
        Channels.close(channel);
    }

    /** An orderly end: that of a body without a length, too. */
    private void inputEnded() {
        BodyDecoder body = decoder;
        if (listener == null) {
            closeIdle();
        } else if (body == null || !body.inputClosed(this)) {
            inputLost();
        }
    }

    private void inputLost() {
        lose(null);
    }

    private void lose(@Nullable BadMessageException problem) {
        Listener current = listener;
        if (current != null) {
            listener = null;
            Channels.close(channel);
            current.lost(problem);
        }
    }

    private void closeIdle() {
        pool.remove(this);
        Channels.close(channel);
    }

    private void releaseIfRead() {
        if (in != null && !in.isReadable()) {
            in.release();
            in = null;
        }
    }
}
