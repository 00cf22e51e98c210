package io.paceline.service.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.paceline.Decision;
import io.paceline.Lease;
import io.paceline.Outcome;
import io.paceline.Reason;
import io.paceline.Request;
import io.paceline.pace.BadTargetException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds an address and a connection for one request: asks the gatekeeper, connects, and where the address is at fault
 * tries again with another, within the configured number of retries and the configured wait.
 *
 * <pre>
 * state        event                      next
 * ASKING       granted                    CONNECTING
 *              refused                    over: the refusal, or the fault of the address before it
 * CONNECTING   connected                  over: the exchange has lease and connection
 *              fault, retries left        ASKING, without the addresses tried
 *              fault, none left           over: the fault
 * any          canceled                   over: a lease that still comes is given back
 * over         {@link #retry}             ASKING or over, as for a fault
 * </pre>
 *
 * <p>For one event loop's use.
 */
final class Dispatch implements Connector.Result {

    /** What becomes of it. */
    interface Listener {
        void connected(LeaseKeeper lease, UpstreamConnection connection);

        void opened(LeaseKeeper lease, Channel channel, ByteBuf early);

        /** {@code lease} is the last one that was tried; it has been settled. */
        void failed(ProxyError error, @Nullable Lease lease);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Dispatch.class);

    /**
     * The longest wait for a second address or its slot: a client that could be told of a failure now should not be kept
     * for the whole of {@code maxWait} where every other address is taken.
     */
    private static final Duration RETRY_WAIT = Duration.ofSeconds(2);

    private final ProxyContext context;
    private final EventLoop loop;
    private final Destination to;
    private final Request request;
    private final ProxyMetrics.Kind kind;
    private final Listener listener;
    private final Connector connector;
    private final long startedNanos = System.nanoTime();
    private final Set<String> tried = new HashSet<>();
    private boolean mayReuse;
    private int retries;
    private boolean over;
    private @Nullable ProxyError lastFault;
    private @Nullable LeaseKeeper keeper;
    private Connector.@Nullable Attempt attempt;

    /** @param mayReuse whether a plain request may go over a connection that served before */
    Dispatch(
            ProxyContext context,
            EventLoop loop,
            Destination to,
            Request request,
            ProxyMetrics.Kind kind,
            boolean mayReuse,
            Listener listener) {
        this.context = context;
        this.loop = loop;
        this.to = to;
        this.request = request;
        this.kind = kind;
        this.mayReuse = mayReuse;
        this.listener = listener;
        this.connector = new Connector(context, loop);
    }

    void start() {
        ask(request);
    }

    /** The client has gone before there was a connection: nothing was sent, so the permit is given back. */
    void cancel() {
        over = true;
        if (attempt != null) {
            attempt.cancel();
        }
        if (keeper != null) {
            keeper.settle(Classifier.clientLeft(false));
        }
    }

    /** The connection turned out to be no good before anything reached the target, or may be repeated. */
    void retry(Fault fault) {
        over = false;
        failed(fault);
    }

    /** A kept connection was closed by its other side just as we wrote: the same lease once more, on a fresh one. */
    void reconnect() {
        over = false;
        mayReuse = false;
        LeaseKeeper lease = keeper;
        if (lease != null) {
            connect(lease);
        }
    }

    private void ask(Request asked) {
        CompletionStage<Decision> answer;
        try {
            answer = context.gatekeeper().acquire(asked);
        } catch (BadTargetException e) {
            int status = e.isForbidden() ? 403 : 400;
            finish(new ProxyError(status, e.isForbidden() ? "target_forbidden" : "bad_request", sentence(e)));
            return;
        } catch (IllegalArgumentException e) {
            finish(new ProxyError(400, "bad_options", sentence(e)));
            return;
        } catch (RuntimeException e) {
            LOG.error("the gatekeeper failed", e);
            finish(ProxyError.storeUnavailable());
            return;
        }
        answer.whenComplete((decision, failure) -> {
            if (loop.inEventLoop()) {
                decided(decision, failure);
            } else {
                loop.execute(() -> decided(decision, failure));
            }
        });
    }

    private void decided(@Nullable Decision decision, @Nullable Throwable failure) {
        if (failure != null || decision == null) {
            if (!over) {
                Throwable cause = failure != null && failure.getCause() != null ? failure.getCause() : failure;
                finish(
                        cause instanceof IllegalArgumentException bad
                                ? new ProxyError(400, "bad_options", sentence(bad))
                                : ProxyError.storeUnavailable());
            }
        } else if (decision instanceof Decision.Granted granted) {
            granted(granted.lease());
        } else if (decision instanceof Decision.Refused refused) {
            refused(refused);
        } else if (decision instanceof Decision.Reserved reserved) {
            // A held request gets no ticket; should one come all the same, it is given back and the client told to
            // wait.
            context.gatekeeper().giveBack(reserved.ticket());
            refused(new Decision.Refused(Reason.RATE_LIMITED, -1, reserved.rule(), "The rate limit is reached."));
        }
    }

    private void granted(Lease lease) {
        if (over) {
            LeaseKeeper.settle(context.gatekeeper(), lease, Outcome.of(Outcome.Kind.CANCELED));
            return;
        }
        LeaseKeeper kept = new LeaseKeeper(context.gatekeeper(), loop, lease);
        keeper = kept;
        connect(kept);
    }

    private void refused(Decision.Refused refused) {
        if (over) {
            return;
        }
        boolean ofSession = refused.reason() == Reason.SESSION_PAUSED || refused.reason() == Reason.SESSION_ENDED;
        ProxyError fault = lastFault;
        finish(fault == null || ofSession ? ProxyError.of(refused) : fault);
    }

    private void connect(LeaseKeeper kept) {
        attempt = kind == ProxyMetrics.Kind.CONNECT
                ? connector.tunnel(kept.lease().address(), to, this)
                : connector.plain(kept.lease().address(), to, mayReuse, this);
    }

    @Override
    public void connected(UpstreamConnection connection) {
        over = true;
        listener.connected(kept(), connection);
    }

    @Override
    public void opened(Channel channel, ByteBuf early) {
        over = true;
        listener.opened(kept(), channel, early);
    }

    @Override
    public void failed(Fault fault) {
        LeaseKeeper failed = kept();
        failed.settle(fault.outcome());
        tried.add(failed.lease().address().id());
        lastFault = fault.error();
        Duration left = context.settings().maxWait().minusNanos(System.nanoTime() - startedNanos);
        if (retries >= Math.min(fault.retries(), context.settings().retries()) || left.isNegative()) {
            finish(fault.error());
            return;
        }
        retries++;
        context.metrics().retried(kind);
        Duration wait = left.compareTo(RETRY_WAIT) < 0 ? left : RETRY_WAIT;
        ask(request.toBuilder().exclude(tried).maxWait(wait).build());
    }

    private void finish(ProxyError error) {
        over = true;
        LeaseKeeper last = keeper;
        listener.failed(error, last == null ? null : last.lease());
    }

    private LeaseKeeper kept() {
        LeaseKeeper lease = keeper;
        if (lease == null) {
            throw new IllegalStateException("no lease");
        }
        return lease;
    }

    private static String sentence(Throwable cause) {
        String message = cause.getMessage();
        return message == null ? "The request cannot be served." : message;
    }
}
