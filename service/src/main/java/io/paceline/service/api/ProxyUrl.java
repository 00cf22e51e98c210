package io.paceline.service.api;

import io.paceline.Credentials;
import io.paceline.Endpoint;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** An endpoint as the URL that HTTP clients take, credentials included: for the one who leases it, never for a log. */
final class ProxyUrl {

    private static final String HEX = "0123456789ABCDEF";

    private ProxyUrl() {}

    /** Null for direct egress. */
    static @Nullable String of(Endpoint endpoint) {
        if (endpoint.isDirect()) {
            return null;
        }
        StringBuilder url =
                new StringBuilder(64).append(endpoint.scheme().word()).append("://");
        Credentials credentials = endpoint.credentials();
        if (credentials != null) {
            encode(url, credentials.user());
            url.append(':');
            encode(url, credentials.password());
            url.append('@');
        }
        return url.append(endpoint.authority()).toString();
    }

    /** Everything but RFC 3986's unreserved characters, since clients differ in what else they accept in user info. */
    private static void encode(StringBuilder url, String text) {
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            if (isUnreserved(octet)) {
                url.append((char) octet);
            } else {
                url.append('%').append(HEX.charAt(octet >> 4 & 15)).append(HEX.charAt(octet & 15));
            }
        }
    }

    private static boolean isUnreserved(byte octet) {
        return (octet >= 'a' && octet <= 'z')
                || (octet >= 'A' && octet <= 'Z')
                || (octet >= '0' && octet <= '9')
                || octet == '-'
                || octet == '.'
                || octet == '_'
                || octet == '~';
    }
}
