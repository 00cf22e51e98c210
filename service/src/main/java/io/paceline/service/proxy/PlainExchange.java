package io.paceline.service.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.paceline.Lease;
import io.paceline.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One absolute-form request: passed on through the leased address as it arrives, and its answer passed back as it
 * arrives. Nothing is gathered; the slower side sets the pace of the other.
 *
 * <pre>
 * state      event                           next
 * WAITING    connected                       SENT: the head is written, then the body as it comes
 *            no address, no connection       OVER: an own answer
 * SENT       1xx                             SENT
 *            an answer's head                ANSWERING
 *            upstream refuses our password   WAITING, with another address, once
 *            lost before any octet           WAITING where the request may be repeated, else OVER: 502
 *            too slow                        OVER: 504, or 408 where the client's body is what is missing
 * ANSWERING  the answer's last octet         OVER: the outcome is its status
 *            lost, or silent too long        OVER: the client's connection is reset
 * any        the client has gone             OVER: neutral, or canceled where nothing was sent
 * </pre>
 */
final class PlainExchange implements Exchange, Dispatch.Listener, UpstreamConnection.Listener {
    /** A client that holds its body back is invited to send it, where the other side has not done so by then. */
    private static final long EXPECT_NANOS = TimeUnit.MILLISECONDS.toNanos(800);

    private static final ByteBuf CRLF = Unpooled.unreleasableBuffer(
                    Unpooled.copiedBuffer("\r\n", StandardCharsets.US_ASCII))
            .asReadOnly();

    private enum State {
        WAITING,
        SENT,
        ANSWERING,
        OVER
    }

    private final ProxyContext context;
    private final FrontHandler front;
    private final RequestHead head;
    private final Framing framing;
    private final Destination to;
    private final Dispatch dispatch;
    private final Deadline deadline;
    private final boolean expects;
    private final boolean connectionLogin;
    private @Nullable Deadline expectDeadline;
    private State state = State.WAITING;
    private @Nullable LeaseKeeper keeper;
    private @Nullable UpstreamConnection upstream;
    private @Nullable ResponseHead answer;
    private Framing answerFraming = Framing.NONE;
    private boolean keepAlive;
    private boolean requestComplete;
    private boolean proceedSaid;
    private long sentNanos;
    private long latencyMicros = -1;
    private long fromClient;
    private long toClient;

    PlainExchange(
            ProxyContext context, FrontHandler front, RequestHead head, Framing framing, Admission.Admitted admitted) {
        this.context = context;
        this.front = front;
        this.head = head;
        this.framing = framing;
        this.to = admitted.to();
        this.deadline = new Deadline(front.loop(), this::tooSlow);
        this.requestComplete = !framing.hasBody();
        this.expects = !requestComplete && !head.isHttp10() && head.fields().has("expect");
        this.connectionLogin = isConnectionLogin(head.fields().first("authorization"));
        this.dispatch = new Dispatch(
                context,
                front.loop(),
                to,
                admitted.request(),
                ProxyMetrics.Kind.HTTP,
                isRepeatable() && !connectionLogin,
                this);
    }

    /** NTLM and Negotiate log a connection in, not a request: such a connection serves nobody else. */
    private static boolean isConnectionLogin(@Nullable String authorization) {
        if (authorization == null) {
            return false;
        }
        String lower = authorization.toLowerCase(Locale.ROOT);
        return lower.startsWith("ntlm") || lower.startsWith("negotiate");
    }

    /** Whether it may be sent again without asking, although it may have arrived. */
    private boolean isRepeatable() {
        return head.isSafe() && !framing.hasBody();
    }

    @Override
    public void start() {
        if (expects) {
            expectDeadline = new Deadline(front.loop(), this::proceed);
            expectDeadline.in(EXPECT_NANOS);
        }
        dispatch.start();
    }

    private void proceed() {
        if (!proceedSaid && fromClient == 0 && !answerBegun() && state != State.OVER) {
            proceedSaid = true;
            front.write(context.writer().proceed());
            front.flush();
        }
    }

    // ---- the way there

    @Override
    public void connected(LeaseKeeper lease, UpstreamConnection connection) {
        keeper = lease;
        upstream = connection;
        state = State.SENT;
        connection.begin(this, head.method());
        var endpoint = lease.lease().address().endpoint();
        connection.write(
                context.writer().request(head, to, framing, !endpoint.isDirect(), endpoint.credentials(), expects));
        connection.flush();
        sentNanos = System.nanoTime();
        deadline.in(context.settings().timeouts().firstByte().toNanos());
        if (!requestComplete) {
            front.pump();
        }
    }

    @Override
    public void opened(LeaseKeeper lease, Channel channel, ByteBuf early) {
        throw new IllegalStateException("a plain request asks for no tunnel");
    }

    @Override
    public void failed(ProxyError error, @Nullable Lease lease) {
        refuse(error, lease);
    }

    @Override
    public boolean takesBody() {
        UpstreamConnection connection = upstream;
        return (state == State.SENT || state == State.ANSWERING) && connection != null && connection.isWritable();
    }

    @Override
    public void requestData(ByteBuf piece) {
        UpstreamConnection connection = upstream;
        if (connection == null || state == State.OVER) {
            piece.release();
            return;
        }
        int octets = piece.readableBytes();
        fromClient += octets;
        if (framing.kind() == Framing.Kind.CHUNKED) {
            connection.write(context.writer().chunkStart(octets));
            connection.write(piece);
            connection.write(CRLF.duplicate());
        } else {
            connection.write(piece);
        }
        progress();
    }

    @Override
    public void requestEnd(Fields trailers) {
        UpstreamConnection connection = upstream;
        requestComplete = true;
        if (connection != null && framing.kind() == Framing.Kind.CHUNKED) {
            connection.write(context.writer().lastChunk(trailers));
        }
        if (connection != null) {
            connection.flush();
        }
        progress();
    }

    @Override
    public void requestReadComplete() {
        UpstreamConnection connection = upstream;
        if (connection != null && state != State.OVER) {
            connection.flush();
        }
    }

    @Override
    public void upstreamWritable() {
        if (!requestComplete) {
            progress();
            front.pump();
        }
    }

    // ---- the way back

    @Override
    public void interim(ResponseHead interim) {
        boolean proceed = interim.status() == 100;
        if (head.isHttp10() || (proceed && (proceedSaid || !expects))) {
            return;
        }
        proceedSaid |= proceed;
        front.write(context.writer().interim(interim));
    }

    @Override
    public void head(ResponseHead head, Framing framing) {
        latencyMicros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - sentNanos);
        LeaseKeeper lease = kept();
        if (Classifier.isCredentialsRefused(head, lease.lease().address().endpoint())) {
            authenticationWanted(head.status());
            return;
        }
        answer = head;
        state = State.ANSWERING;
        context.metrics().answered(lease.lease(), latencyMicros);
        boolean chunksUnknown = framing.kind() == Framing.Kind.CHUNKED && this.head.isHttp10();
        answerFraming = chunksUnknown ? Framing.UNTIL_CLOSE : framing;
        keepAlive = this.head.keepAlive()
                && requestComplete
                && answerFraming.kind() != Framing.Kind.UNTIL_CLOSE
                && front.mayContinue();
        front.write(context.writer()
                .response(
                        head,
                        answerFraming,
                        keepAlive,
                        keepAlive && this.head.isHttp10(),
                        LeaseText.of(context, lease.lease())));
        progress();
    }

    /** Only an upstream proxy may ask for a proxy's password, and it is ours to give, not the client's. */
    private void authenticationWanted(int status) {
        boolean direct = isDirect();
        Fault fault = direct
                ? Classifier.badAnswer(true, "The target answered 407, which only a proxy may.")
                : Classifier.credentialsRefused(status);
        giveUp(fault, !direct && fromClient == 0);
    }

    @Override
    public void data(ByteBuf piece) {
        int octets = piece.readableBytes();
        toClient += octets;
        if (answerFraming.kind() == Framing.Kind.CHUNKED) {
            front.write(context.writer().chunkStart(octets));
            front.write(piece);
            front.write(CRLF.duplicate());
        } else {
            front.write(piece);
        }
        progress();
        UpstreamConnection connection = upstream;
        if (connection != null && !front.isWritable()) {
            // What waits for the client is sent before it is decided that the client is slow.
            front.flush();
            if (!front.isWritable()) {
                connection.pause();
            }
        }
    }

    @Override
    public void end(Fields trailers) {
        if (answerFraming.kind() == Framing.Kind.CHUNKED) {
            front.write(context.writer().lastChunk(trailers));
        }
        ResponseHead answered = answer;
        UpstreamConnection connection = upstream;
        if (answered == null || connection == null || state != State.ANSWERING) {
            return;
        }
        over(Classifier.answered(answered, to, latencyMicros, toClient), "ok");
        connection.release(requestComplete && !connectionLogin);
        front.flush();
        front.finished(keepAlive);
    }

    @Override
    public void answerReadComplete() {
        front.flush();
    }

    @Override
    public void clientWritable() {
        UpstreamConnection connection = upstream;
        if (connection != null && state == State.ANSWERING) {
            progress();
            connection.resume();
        }
    }

    @Override
    public boolean answerBegun() {
        return state == State.ANSWERING || (state == State.OVER && answer != null);
    }

    // ---- what can go wrong

    @Override
    public void lost(@Nullable BadMessageException problem) {
        UpstreamConnection connection = upstream;
        if (connection == null || state == State.OVER) {
            return;
        }
        boolean direct = isDirect();
        if (state == State.ANSWERING) {
            over(Classifier.cutOff(direct, answeredStatus(), latencyMicros, toClient), "cut_off");
            front.flush();
            front.abort();
        } else if (problem != null) {
            giveUp(Classifier.badAnswer(direct, problem.sentence()), false);
        } else if (connection.isUsed() && isRepeatable() && !connection.answerBegun()) {
            state = State.WAITING;
            upstream = null;
            deadline.clear();
            dispatch.reconnect();
        } else {
            boolean repeat = isRepeatable() && !connection.answerBegun();
            giveUp(Classifier.noAnswer(direct, repeat), repeat);
        }
    }

    private void tooSlow() {
        boolean waitsForClient = !requestComplete && takesBody();
        if (state == State.SENT) {
            giveUp(waitsForClient ? Classifier.bodyTimeout() : Classifier.answerTimeout(), false);
        } else if (state == State.ANSWERING) {
            UpstreamConnection connection = upstream;
            boolean byClient = waitsForClient || (connection != null && connection.isPaused());
            over(Classifier.stalled(byClient, answeredStatus(), latencyMicros, toClient), "stalled");
            closeUpstream();
            front.abort();
        }
    }

    /** The answer has not begun: another address where one may be tried, else an answer of our own. */
    private void giveUp(Fault fault, boolean mayRetry) {
        closeUpstream();
        deadline.clear();
        if (mayRetry) {
            state = State.WAITING;
            dispatch.retry(fault);
        } else {
            LeaseKeeper lease = kept();
            lease.settle(fault.outcome());
            refuse(fault.error(), lease.lease());
        }
    }

    private void refuse(ProxyError error, @Nullable Lease lease) {
        finish(error.code());
        front.refuse(error, head, framing, lease, false);
    }

    @Override
    public void clientGone() {
        if (state == State.OVER) {
            return;
        }
        if (state == State.WAITING) {
            dispatch.cancel();
            finish("canceled");
        } else {
            over(Classifier.clientLeft(true), "canceled");
        }
        closeUpstream();
    }

    private void over(Outcome outcome, String result) {
        kept().settle(outcome);
        finish(result);
    }

    private void finish(String result) {
        state = State.OVER;
        deadline.cancel();
        if (expectDeadline != null) {
            expectDeadline.cancel();
        }
        context.metrics().request(ProxyMetrics.Kind.HTTP, result);
        context.metrics().bytes(ProxyMetrics.Kind.HTTP, fromClient, toClient);
    }

    private void closeUpstream() {
        UpstreamConnection connection = upstream;
        upstream = null;
        if (connection != null) {
            connection.close();
        }
    }

    private void progress() {
        var timeouts = context.settings().timeouts();
        if (state == State.SENT) {
            deadline.in(timeouts.firstByte().toNanos());
        } else if (state == State.ANSWERING) {
            deadline.in(timeouts.idle().toNanos());
        }
    }

    private boolean isDirect() {
        return kept().lease().address().endpoint().isDirect();
    }

    private int answeredStatus() {
        ResponseHead answered = answer;
        return answered == null ? 0 : answered.status();
    }

    private LeaseKeeper kept() {
        LeaseKeeper lease = keeper;
        if (lease == null) {
            throw new IllegalStateException("no lease");
        }
        return lease;
    }
}
