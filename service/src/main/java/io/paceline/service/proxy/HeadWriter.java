package io.paceline.service.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.paceline.Credentials;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the heads that leave us: requests to upstreams and targets, answers to clients, refusals of our own. */
final class HeadWriter {
    private static final int TYPICAL_HEAD = 1_024;
    private static final String CRLF = "\r\n";

    private final ByteBufAllocator allocator;
    private final String via;

    /** @param pseudonym names this instance in {@code Via}, so that a loop is seen */
    HeadWriter(ByteBufAllocator allocator, String pseudonym) {
        this.allocator = allocator;
        this.via = "Via: 1.1 " + pseudonym + CRLF;
    }

    /**
     * A client's request for the next hop.
     *
     * @param absolute whether the next hop is a proxy and wants the whole URL
     * @param credentials the next hop's own, or null
     * @param expect whether {@code Expect} goes on
     */
    ByteBuf request(
            RequestHead head,
            Destination to,
            Framing framing,
            boolean absolute,
            @Nullable Credentials credentials,
            boolean expect) {
        ByteBuf out = allocator.ioBuffer(TYPICAL_HEAD);
        put(out, head.method());
        out.writeByte(' ');
        if (absolute) {
            put(out, "http://");
            put(out, to.authority());
        }
        put(out, to.url().pathAndQuery());
        put(out, " HTTP/1.1\r\nHost: ");
        put(out, to.authority());
        put(out, CRLF);
        Fields fields = head.fields();
        List<String> named = FieldFilter.named(fields);
        for (int i = 0; i < fields.size(); i++) {
            boolean ends =
                    FieldFilter.ends(fields, i, named) || fields.is(i, "host") || (!expect && fields.is(i, "expect"));
            if (!ends) {
                fields.write(i, out);
            }
        }
        putFraming(out, framing);
        putCredentials(out, credentials);
        put(out, via);
        put(out, CRLF);
        return out;
    }

    /** The question for a tunnel to an upstream proxy. */
    ByteBuf connect(Destination to, @Nullable Credentials credentials) {
        ByteBuf out = allocator.ioBuffer(TYPICAL_HEAD);
        put(out, "CONNECT ");
        put(out, to.hostPort());
        put(out, " HTTP/1.1\r\nHost: ");
        put(out, to.hostPort());
        put(out, CRLF);
        putCredentials(out, credentials);
        put(out, via);
        put(out, CRLF);
        return out;
    }

    /**
     * An upstream's answer for the client.
     *
     * @param framing how its body is framed towards the client
     * @param keepAlive whether the client's connection goes on
     * @param sayKeepAlive whether an HTTP/1.0 client must be told so
     */
    ByteBuf response(ResponseHead head, Framing framing, boolean keepAlive, boolean sayKeepAlive, LeaseText lease) {
        ByteBuf out = allocator.ioBuffer(TYPICAL_HEAD);
        putStatus(out, head.status(), head.reason());
        Fields fields = head.fields();
        putEndToEnd(fields, out);
        if (framing.kind() == Framing.Kind.NONE && head.status() != 204) {
            // To HEAD, and in a 304, the length speaks about a body that is not here.
            String length = fields.first("content-length");
            if (length != null && !fields.has("transfer-encoding")) {
                put(out, "Content-Length: ");
                put(out, length);
                put(out, CRLF);
            }
        }
        putFraming(out, framing);
        put(out, via);
        putConnection(out, keepAlive, sayKeepAlive);
        putLease(out, lease);
        put(out, CRLF);
        return out;
    }

    /** A 1xx answer, passed on. */
    ByteBuf interim(ResponseHead head) {
        ByteBuf out = allocator.ioBuffer(TYPICAL_HEAD);
        putStatus(out, head.status(), head.reason());
        putEndToEnd(head.fields(), out);
        put(out, CRLF);
        return out;
    }

    /** Our own invitation to send the body. */
    ByteBuf proceed() {
        return text("HTTP/1.1 100 Continue\r\n\r\n");
    }

    /** The answer that opens a tunnel. */
    ByteBuf established(LeaseText lease) {
        ByteBuf out = allocator.ioBuffer(TYPICAL_HEAD);
        put(out, "HTTP/1.1 200 Connection established\r\n");
        putLease(out, lease);
        put(out, CRLF);
        return out;
    }

    /** A refusal of our own. */
    ByteBuf error(
            ProxyError error, boolean withBody, boolean keepAlive, boolean sayKeepAlive, @Nullable LeaseText lease) {
        byte[] body = (error.message() + "\n").getBytes(StandardCharsets.UTF_8);
        ByteBuf out = allocator.ioBuffer(TYPICAL_HEAD);
        putStatus(out, error.status(), error.reasonPhrase());
        put(out, "X-Paceline-Error: " + error.code() + CRLF);
        if (error.status() == 407) {
            put(out, "Proxy-Authenticate: Basic realm=\"paceline\", charset=\"UTF-8\"\r\n");
        }
        if (error.retryAfterSeconds() > 0) {
            put(out, "Retry-After: " + error.retryAfterSeconds() + CRLF);
        }
        put(out, "Content-Type: text/plain; charset=utf-8\r\nContent-Length: " + body.length + CRLF);
        putConnection(out, keepAlive, sayKeepAlive);
        if (lease != null) {
            putLease(out, lease);
        }
        put(out, CRLF);
        if (withBody) {
            out.writeBytes(body);
        }
        return out;
    }

    /** A short answer of our own with no fields worth a name: the health path's. */
    ByteBuf plain(int status, String reason, String body, boolean keepAlive) {
        return text("HTTP/1.1 " + status + " " + reason + "\r\nContent-Type: text/plain\r\nContent-Length: "
                + body.length() + CRLF + (keepAlive ? "" : "Connection: close\r\n") + CRLF + body);
    }

    /** The line in front of a chunk. */
    ByteBuf chunkStart(int octets) {
        return text(Integer.toHexString(octets) + CRLF);
    }

    /** The end of a chunked body, with those of its trailer fields that may be passed on. */
    ByteBuf lastChunk(Fields trailers) {
        ByteBuf out = allocator.ioBuffer(64);
        put(out, "0\r\n");
        for (int i = 0; i < trailers.size(); i++) {
            if (!FieldFilter.endsInTrailer(trailers, i)) {
                trailers.write(i, out);
            }
        }
        put(out, CRLF);
        return out;
    }

    private ByteBuf text(String text) {
        ByteBuf out = allocator.ioBuffer(text.length());
        put(out, text);
        return out;
    }

    private static void putStatus(ByteBuf out, int status, String reason) {
        put(out, "HTTP/1.1 ");
        put(out, Integer.toString(status));
        out.writeByte(' ');
        put(out, reason);
        put(out, CRLF);
    }

    private static void putEndToEnd(Fields fields, ByteBuf out) {
        List<String> named = FieldFilter.named(fields);
        for (int i = 0; i < fields.size(); i++) {
            if (!FieldFilter.ends(fields, i, named)) {
                fields.write(i, out);
            }
        }
    }

    private static void putFraming(ByteBuf out, Framing framing) {
        if (framing.kind() == Framing.Kind.LENGTH) {
            put(out, "Content-Length: ");
            put(out, Long.toString(framing.length()));
            put(out, CRLF);
        } else if (framing.kind() == Framing.Kind.CHUNKED) {
            put(out, "Transfer-Encoding: chunked\r\n");
        }
    }

    private static void putConnection(ByteBuf out, boolean keepAlive, boolean sayKeepAlive) {
        if (!keepAlive) {
            put(out, "Connection: close\r\n");
        } else if (sayKeepAlive) {
            put(out, "Connection: keep-alive\r\n");
        }
    }

    private static void putLease(ByteBuf out, LeaseText lease) {
        if (lease.token() != null) {
            putField(out, "X-Paceline-Lease: ", lease.token());
        }
        putField(out, "X-Paceline-Address: ", lease.addressId());
        if (lease.migrated()) {
            putField(out, "X-Paceline-Session-Migrated: ", "true");
        }
    }

    private static void putField(ByteBuf out, String name, String value) {
        put(out, name);
        put(out, value);
        put(out, CRLF);
    }

    private static void putCredentials(ByteBuf out, @Nullable Credentials credentials) {
        if (credentials != null) {
            byte[] pair = (credentials.user() + ":" + credentials.password()).getBytes(StandardCharsets.UTF_8);
            put(out, "Proxy-Authorization: Basic ");
            out.writeBytes(Base64.getEncoder().encode(pair));
            put(out, CRLF);
        }
    }

    /** One octet for each character. */
    private static void put(ByteBuf out, String text) {
        ByteBufUtil.writeAscii(out, text);
    }
}
