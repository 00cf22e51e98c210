package io.paceline.service.proxy;

import io.paceline.Request;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The checks that a request passes before the gatekeeper hears of it, in this order: what was asked, who asks, with which
 * options, and whether that is allowed at all. Nothing is looked up and nothing is sent.
 */
final class Admission {

    /**
     * A request that may be put to the gatekeeper.
     *
     * @param to where it goes
     * @param request what is asked of the gatekeeper
     */
    record Admitted(Destination to, Request request) {}

    /** One of: an error; a request admitted; neither, where it is the health path. */
    record Verdict(
            ProxyMetrics.Kind kind,
            @Nullable ProxyError error,
            @Nullable Admitted admitted) {
        static Verdict refused(ProxyMetrics.Kind kind, ProxyError error) {
            return new Verdict(kind, error, null);
        }
    }

    private Admission() {}

    static Verdict of(ProxyContext context, RequestHead head, Framing framing) {
        if (isHealth(head)) {
            return new Verdict(ProxyMetrics.Kind.NONE, null, null);
        }
        boolean connect = head.method().equals("CONNECT");
        ProxyMetrics.Kind kind = connect ? ProxyMetrics.Kind.CONNECT : ProxyMetrics.Kind.HTTP;
        try {
            Destination to = connect ? Destination.authority(head.target()) : Destination.absolute(head.target());
            ProxyError unable = unable(context, head, framing, connect);
            if (unable != null) {
                return Verdict.refused(kind, unable);
            }
            Optional<ClientCredentials> credentials = credentials(head);
            Optional<Authenticator.Identity> identity = identity(context.authenticator(), credentials);
            if (identity.isEmpty()) {
                return Verdict.refused(kind, ProxyError.authenticationRequired());
            }
            UserOptions options = credentials.isEmpty()
                    ? UserOptions.NONE
                    : UserOptions.parse(credentials.get().user());
            ProxyError forbidden = forbidden(context, to, connect);
            return forbidden != null
                    ? Verdict.refused(kind, forbidden)
                    : new Verdict(kind, null, new Admitted(to, request(context, to, options, identity.get())));
        } catch (BadMessageException e) {
            return Verdict.refused(kind, e.toError());
        }
    }

    /** The only requests in origin form that are answered. */
    private static boolean isHealth(RequestHead head) {
        boolean reads = head.method().equals("GET") || head.method().equals("HEAD");
        return reads && (head.target().equals("/livez") || head.target().equals("/readyz"));
    }

    /** What this proxy cannot do for anybody. */
    private static @Nullable ProxyError unable(
            ProxyContext context, RequestHead head, Framing framing, boolean connect) {
        Fields fields = head.fields();
        for (String via : fields.all("via")) {
            if (via.contains(context.pseudonym())) {
                return ProxyError.loop();
            }
        }
        if (connect && framing.hasBody()) {
            return new ProxyError(400, "bad_request", "CONNECT has no body.");
        }
        if (head.method().equals("TRACE")) {
            return new ProxyError(
                    501, "not_implemented", "TRACE is not passed on: an upstream would echo its own credentials.");
        }
        // Other upgrades, such as the h2c that some clients offer with every request, may be ignored, and are.
        if (!connect && fields.tokens("upgrade").contains("websocket")) {
            return new ProxyError(
                    501, "not_implemented", "WebSocket over plain HTTP is not supported: use CONNECT, or wss.");
        }
        String expect = fields.first("expect");
        if (expect != null && !expect.toLowerCase(Locale.ROOT).equals("100-continue")) {
            return new ProxyError(417, "expectation_failed", "The only expectation possible is 100-continue.");
        }
        return null;
    }

    private static Optional<ClientCredentials> credentials(RequestHead head) {
        String field = head.fields().first("proxy-authorization");
        return field == null ? Optional.empty() : ClientCredentials.parse(field);
    }

    private static Optional<Authenticator.Identity> identity(
            Authenticator authenticator, Optional<ClientCredentials> credentials) {
        if (credentials.isPresent()) {
            return authenticator.authenticate(credentials.get().token());
        }
        return authenticator.required() ? Optional.empty() : Optional.of(Authenticator.Identity.ANYONE);
    }

    private static @Nullable ProxyError forbidden(ProxyContext context, Destination to, boolean connect) {
        if (isSelf(context, to)) {
            return ProxyError.loop();
        }
        if (!context.settings().allowPrivateTargets() && to.isPrivate()) {
            return ProxyError.forbidden(
                    "target_forbidden", "The target is a private address, which is not allowed: " + to.host() + ".");
        }
        if (connect && !context.settings().connectAllowed(to.port())) {
            return ProxyError.forbidden(
                    "port_forbidden", "CONNECT to port " + to.port() + " is not allowed, see proxy.connect_ports.");
        }
        return null;
    }

    private static boolean isSelf(ProxyContext context, Destination to) {
        if (to.port() != context.ownPort()) {
            return false;
        }
        if (to.host().equals("localhost")) {
            return true;
        }
        byte[] literal = io.netty.util.NetUtil.createByteArrayFromIpAddressString(to.host());
        try {
            return literal != null && context.ownAddresses().contains(java.net.InetAddress.getByAddress(literal));
        } catch (java.net.UnknownHostException e) {
            return false;
        }
    }

    private static Request request(
            ProxyContext context, Destination to, UserOptions options, Authenticator.Identity identity) {
        return Request.builder(to.urlText())
                .session(options.session())
                .sessionTtl(options.sessionTtl())
                .clientId(options.clientId())
                .tenant(identity.tenant())
                .pool(options.pool())
                .tags(options.tags())
                .maxWait(context.settings().maxWait())
                .build();
    }
}
