package io.paceline.service.api;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Keeps web pages away from a server without tokens, where whoever reaches the port is operator.
 *
 * <p>A page that a browser on this machine shows can send requests to loopback. Two doors are shut: <em>DNS
 * rebinding</em>, where the page's own name comes to mean 127.0.0.1 (the Host header then has that name; an address or
 * {@code localhost} cannot be rebound), and <em>cross-site requests</em> that change something (browsers send Origin
 * with those). Clients that are no browsers send neither, and notice nothing. With tokens none of this is needed: a
 * browser does not send them by itself.
 */
final class BrowserGuard {

    private BrowserGuard() {}

    /**
     * @param host the header Host, or null
     * @param origin the header Origin, or null
     * @param changes true where the request may change something
     * @throws HttpProblem 403 where a foreign web page may be behind the request
     */
    static void check(@Nullable String host, @Nullable String origin, boolean changes) {
        if (host != null && !isLiteralOrLocalhost(hostOf(host))) {
            throw HttpProblem.of(
                    403,
                    "foreign_host",
                    "the Host header is `" + cut(host)
                            + "`: without tokens only localhost and IP addresses are answered,"
                            + " as another name may be a web page's (DNS rebinding); use http://127.0.0.1, or configure"
                            + " api.tokens");
        }
        if (changes && origin != null && !sameOrigin(origin, host)) {
            throw HttpProblem.of(
                    403,
                    "cross_site",
                    "the Origin header is `" + cut(origin) + "`: without tokens no web page of another site may change"
                            + " anything here; configure api.tokens and send one");
        }
    }

    private static boolean sameOrigin(String origin, @Nullable String host) {
        int scheme = origin.indexOf("://");
        return scheme > 0 && host != null && origin.substring(scheme + 3).equalsIgnoreCase(host);
    }

    /** The header without its port. */
    private static String hostOf(String header) {
        if (header.startsWith("[")) {
            return header;
        }
        int colon = header.indexOf(':');
        return colon < 0 ? header : header.substring(0, colon);
    }

    private static boolean isLiteralOrLocalhost(String host) {
        if (host.startsWith("[")) {
            return true;
        }
        String name = host.toLowerCase(Locale.ROOT);
        return name.equals("localhost") || name.endsWith(".localhost") || isIpv4(name);
    }

    /** Four groups of digits; whether each is below 256 does not matter, as no name has this form. */
    private static boolean isIpv4(String name) {
        int dots = 0;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '.') {
                dots++;
            } else if (c < '0' || c > '9') {
                return false;
            }
        }
        return dots == 3;
    }

    private static String cut(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }
}
