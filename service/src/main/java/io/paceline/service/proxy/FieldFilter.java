package io.paceline.service.proxy;

import java.util.List;
import java.util.Set;

/**
 * Which fields end at a proxy (RFC 9110, section 7.6.1): those that speak about one connection, those that name the
 * secrets or the framing of one connection, and our own.
 */
final class FieldFilter {
    private static final String OWN_PREFIX = "x-paceline-";

    /** Written anew in every message, or meant for the next hop alone. The first letters: see {@link #isHopByHop}. */
    private static final String[] HOP_BY_HOP = {
        "connection",
        "content-length",
        "http2-settings",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authentication-info",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "transfer-encoding",
        "upgrade"
    };

    /**
     * What a client's {@code Connection} field cannot take away: without these the message would mean something else to
     * its receiver than to us.
     */
    private static final Set<String> PROTECTED = Set.of(
            "host",
            "content-length",
            "content-type",
            "content-encoding",
            "transfer-encoding",
            "authorization",
            "cookie",
            "set-cookie",
            "cache-control",
            "expect",
            "range",
            "location",
            "via",
            "close",
            "keep-alive");

    private FieldFilter() {}

    /** The field names that the message's own {@code Connection} field makes hop-by-hop; usually none. */
    static List<String> named(Fields fields) {
        List<String> tokens = fields.tokens("connection");
        if (!tokens.isEmpty()) {
            tokens.removeIf(PROTECTED::contains);
        }
        return tokens;
    }

    /** Whether the field goes no further. */
    static boolean ends(Fields fields, int field, List<String> named) {
        if (isHopByHop(fields, field) || fields.startsWith(field, OWN_PREFIX)) {
            return true;
        }
        for (String name : named) {
            if (fields.is(field, name)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a trailer field may be passed on: none that frames, routes or authenticates (RFC 9110, section 6.5.1). */
    static boolean endsInTrailer(Fields fields, int field) {
        return ends(fields, field, List.of())
                || fields.is(field, "host")
                || fields.is(field, "trailer")
                || fields.is(field, "authorization")
                || fields.is(field, "set-cookie")
                || fields.is(field, "content-type")
                || fields.is(field, "content-encoding")
                || fields.is(field, "content-range");
    }

    private static boolean isHopByHop(Fields fields, int field) {
        int initial = fields.initial(field);
        for (String name : HOP_BY_HOP) {
            if (initial == name.charAt(0) && fields.is(field, name)) {
                return true;
            }
        }
        return false;
    }
}
