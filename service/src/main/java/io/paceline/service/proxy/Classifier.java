package io.paceline.service.proxy;

import io.netty.channel.ConnectTimeoutException;
import io.paceline.Endpoint;
import io.paceline.Outcome;
import io.paceline.Outcome.Kind;
import io.paceline.pace.hint.Hint;
import io.paceline.pace.hint.Hints;
import java.io.IOException;
import java.net.ConnectException;
import org.jspecify.annotations.Nullable;

/**
 * What each ending of a request means for address and target: the only place where the proxy judges.
 *
 * <pre>
 * an answer's status
 *   403                        blocked        (neutral for /robots.txt: a refusal there is a statement about robots)
 *   429, 503 with Retry-After  rate_limited   the target asks for a pause
 *   other 5xx                  target_error
 *   other 4xx                  neutral        a good answer that says no; 451 depends on the country
 *   anything else              success
 * through an upstream proxy
 *   no connection to it        connect_error, or timeout
 *   407, CONNECT: 401          proxy_error, credentials refused
 *   tinyproxy's own 401        proxy_error: its way to refuse a password; a site could forge it, so it is no more than
 *                              evidence
 *   CONNECT: 403               blocked        this proxy will not serve this target: it speaks about the pair
 *   CONNECT: 504               timeout        who was slow is not known: it counts on the pair
 *   CONNECT: anything else     proxy_error    the upstream's own failure; where the target is down for all, blame sees
 *                                             the whole column fail and convicts no address
 *   closed before an answer    connect_error
 * without an upstream
 *   no such name, refused      target_error   nothing but the target is in the way
 *   unreachable                connect_error  it is our own uplink
 * </pre>
 */
final class Classifier {
    private Classifier() {}

    /** An answer that came in full. */
    static Outcome answered(ResponseHead head, Destination to, long latencyMicros, long bytes) {
        return new Outcome(kindOf(head, to), latencyMicros, head.status(), bytes, false).asking(hint(head));
    }

    /** What the answer asks of our pace; null where that is nothing. A good answer asks only by a quota that it tells. */
    private static @Nullable Hint hint(ResponseHead head) {
        if (head.status() < 300 && !tellsQuota(head.fields())) {
            return null;
        }
        Hint hint = Hints.read(head.status(), head.fields()::all, System.currentTimeMillis() * 1_000);
        return hint.ask() == Hint.Ask.NOTHING ? null : hint;
    }

    private static boolean tellsQuota(Fields fields) {
        for (int i = 0; i < fields.size(); i++) {
            if (fields.startsWith(i, "ratelimit") || fields.startsWith(i, "x-rate")) {
                return true;
            }
        }
        return false;
    }

    private static Kind kindOf(ResponseHead head, Destination to) {
        int status = head.status();
        if (status < 400) {
            return Kind.SUCCESS;
        }
        if (status == 403) {
            return to.url().pathAndQuery().equals("/robots.txt") ? Kind.NEUTRAL : Kind.BLOCKED;
        }
        if (status == 429 || (status == 503 && head.fields().has("retry-after"))) {
            return Kind.RATE_LIMITED;
        }
        return status >= 500 ? Kind.TARGET_ERROR : Kind.NEUTRAL;
    }

    /** A tunnel that ran: octets came back through it. */
    static Outcome tunnelServed(long latencyMicros, long bytes) {
        return new Outcome(Kind.SUCCESS, latencyMicros, 0, bytes, false);
    }

    /** A tunnel that opened, took octets in, and was closed from behind without a single one back. */
    static Outcome tunnelSilent() {
        return Outcome.of(Kind.CONNECT_ERROR);
    }

    /** The client left. Once the target may have seen something, the permit is spent. */
    static Outcome clientLeft(boolean sent) {
        return Outcome.of(sent ? Kind.NEUTRAL : Kind.CANCELED);
    }

    /** Nothing was sent and nobody is at fault: a check of our own refused. */
    static Fault refusedByUs(ProxyError error) {
        return new Fault(Outcome.of(Kind.CANCELED), error, Fault.NEVER);
    }

    /** An address that this version cannot speak to. */
    static Fault unsupported(String scheme) {
        return new Fault(
                Outcome.of(Kind.CANCELED),
                ProxyError.badGateway(
                        "upstream_unsupported",
                        "The leased address is a " + scheme + " proxy, which is not supported yet."),
                Fault.AS_CONFIGURED);
    }

    /** The name of the target, or of the upstream proxy, has no address. */
    static Fault unresolved(boolean direct) {
        return direct
                ? new Fault(
                        Outcome.of(Kind.TARGET_ERROR),
                        ProxyError.badGateway("target_unresolved", "The target's name has no address."),
                        Fault.NEVER)
                : new Fault(
                        Outcome.of(Kind.CONNECT_ERROR),
                        ProxyError.badGateway("upstream_unresolved", "The upstream proxy's name has no address."),
                        Fault.AS_CONFIGURED);
    }

    /** No TCP connection: nothing has been sent to anybody. */
    static Fault notConnected(boolean direct, Throwable cause) {
        if (cause instanceof ConnectTimeoutException) {
            return new Fault(
                    Outcome.of(Kind.TIMEOUT),
                    ProxyError.gatewayTimeout(
                            direct ? "target_timeout" : "upstream_timeout",
                            (direct ? "The target" : "The upstream proxy") + " did not accept a connection in time."),
                    Fault.AS_CONFIGURED);
        }
        boolean refused = cause instanceof ConnectException && !isUnreachable(cause);
        return new Fault(
                Outcome.of(direct && refused ? Kind.TARGET_ERROR : Kind.CONNECT_ERROR),
                ProxyError.badGateway(
                        direct ? "target_unreachable" : "upstream_unreachable",
                        (direct ? "The target" : "The upstream proxy") + " does not accept connections."),
                Fault.AS_CONFIGURED);
    }

    private static boolean isUnreachable(Throwable cause) {
        String message = cause.getMessage();
        return cause instanceof java.net.NoRouteToHostException || (message != null && message.contains("unreachable"));
    }

    /** The upstream proxy refused our credentials: another address may be tried once, this one never again. */
    static Fault credentialsRefused() {
        return new Fault(
                Outcome.credentialsRefused(),
                ProxyError.badGateway("upstream_auth", "The upstream proxy refused the credentials configured for it."),
                1);
    }

    /**
     * Whether an answer to a plain request is an upstream proxy refusing our credentials: 407, which only a proxy sends,
     * or tinyproxy's 401, told from a site's by the {@code Via} that tinyproxy adds to what it passes on.
     */
    static boolean isCredentialsRefused(ResponseHead head, Endpoint upstream) {
        if (head.status() == 407) {
            return true;
        }
        String server = head.fields().first("server");
        return head.status() == 401
                && upstream.credentials() != null
                && server != null
                && server.startsWith("tinyproxy")
                && !head.fields().has("via");
    }

    /** As above; only a 407 proves it. */
    static Fault credentialsRefused(int status) {
        Fault proven = credentialsRefused();
        return status == 407
                ? proven
                : new Fault(new Outcome(Kind.PROXY_ERROR, -1, status, -1, false), proven.error(), proven.retries());
    }

    /** The upstream proxy's answer to CONNECT was no tunnel. */
    static Fault tunnelRefused(int status) {
        if (status == 407 || status == 401) {
            return credentialsRefused();
        }
        if (status == 504) {
            return new Fault(
                    new Outcome(Kind.TIMEOUT, -1, status, -1, false),
                    ProxyError.gatewayTimeout(
                            "tunnel_timeout", "The upstream proxy could not reach the target in time."),
                    Fault.AS_CONFIGURED);
        }
        return new Fault(
                new Outcome(status == 403 ? Kind.BLOCKED : Kind.PROXY_ERROR, -1, status, -1, false),
                ProxyError.badGateway("tunnel_refused", "The upstream proxy answered " + status + " to CONNECT."),
                Fault.AS_CONFIGURED);
    }

    /** The upstream proxy was connected and said nothing to CONNECT. */
    static Fault tunnelTimeout() {
        return new Fault(
                Outcome.of(Kind.TIMEOUT),
                ProxyError.gatewayTimeout("tunnel_timeout", "The upstream proxy opened no tunnel in time."),
                Fault.AS_CONFIGURED);
    }

    /** The upstream proxy closed, or spoke no HTTP, instead of answering CONNECT. */
    static Fault tunnelBroken() {
        return new Fault(
                Outcome.of(Kind.CONNECT_ERROR),
                ProxyError.badGateway("upstream_closed", "The upstream proxy closed the connection without an answer."),
                Fault.AS_CONFIGURED);
    }

    /**
     * The connection was lost after the request had been sent and before an answer began.
     *
     * @param repeatable whether the request may be sent again although it may have arrived
     */
    static Fault noAnswer(boolean direct, boolean repeatable) {
        return new Fault(
                Outcome.of(direct ? Kind.TARGET_ERROR : Kind.CONNECT_ERROR),
                ProxyError.badGateway("upstream_closed", "The connection was closed before an answer came."),
                repeatable ? Fault.AS_CONFIGURED : Fault.NEVER);
    }

    /** The answer broke HTTP. */
    static Fault badAnswer(boolean direct, String sentence) {
        return new Fault(
                Outcome.of(direct ? Kind.TARGET_ERROR : Kind.PROXY_ERROR),
                ProxyError.badGateway("bad_response", sentence),
                Fault.NEVER);
    }

    /** The answer did not begin in time. */
    static Fault answerTimeout() {
        return new Fault(
                Outcome.of(Kind.TIMEOUT),
                ProxyError.gatewayTimeout("answer_timeout", "No answer came in time."),
                Fault.NEVER);
    }

    /** The client did not send the body that it had announced. */
    static Fault bodyTimeout() {
        return new Fault(
                Outcome.of(Kind.NEUTRAL),
                new ProxyError(408, "body_timeout", "The request's body did not come in time."),
                Fault.NEVER);
    }

    /** The answer was cut off in its middle. */
    static Outcome cutOff(boolean direct, int status, long latencyMicros, long bytes) {
        return new Outcome(direct ? Kind.TARGET_ERROR : Kind.CONNECT_ERROR, latencyMicros, status, bytes, false);
    }

    /** The answer stood still in its middle; where the client was the slow one, nobody else is to blame. */
    static Outcome stalled(boolean byClient, int status, long latencyMicros, long bytes) {
        return new Outcome(byClient ? Kind.NEUTRAL : Kind.TIMEOUT, latencyMicros, status, bytes, false);
    }

    /** Whether a failed write or read is the ordinary end of a connection and no news for a log. */
    static boolean isDisconnect(Throwable cause) {
        return cause instanceof IOException;
    }
}
