package io.paceline.pace;

import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A URL as the gatekeeper sees it: where to go, and the octets to ask for there.
 *
 * <p>An own parser, since {@link java.net.URI} refuses what crawlers send every day (a raw {@code |} or {@code [} in a
 * query) and knows no host where a name has an underscore. User info is dropped, and so is a fragment. No message of a
 * parse quotes the URL: it may hold a password.
 *
 * @param scheme lower case: {@code http} or {@code https}, and {@code ws} or {@code wss} where read loosely
 * @param host canonical, see {@link Hosts#canonical}
 * @param port the one written, else the scheme's
 * @param pathAndQuery as written, octet for octet; at least {@code /}
 */
public record TargetUrl(String scheme, String host, int port, String pathAndQuery) {
    private static final int MAX_PORT = 65_535;

    public TargetUrl {
        Objects.requireNonNull(scheme, "scheme");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(pathAndQuery, "pathAndQuery");
        if (port < 1 || port > MAX_PORT) {
            throw badPort();
        }
    }

    /**
     * Reads an absolute {@code http} or {@code https} URL.
     *
     * @throws BadTargetException where it is none
     */
    public static TargetUrl parse(String text) {
        String scheme = schemeOf(text);
        if (scheme == null) {
            throw new BadTargetException("the URL has no scheme: write http://... or https://...");
        }
        if (!scheme.equals("https") && !scheme.equals("http")) {
            throw unsupported(scheme);
        }
        return parse(scheme, text, scheme.length() + 3, false);
    }

    /**
     * Reads a URL, also {@code ws} and {@code wss}, or a host with or without port and path. Without a scheme it is
     * {@code https}, or {@code http} where the port is 80.
     *
     * @throws BadTargetException where it is none of these
     */
    public static TargetUrl parseLoosely(String text) {
        String scheme = schemeOf(text);
        if (scheme == null) {
            return parseBare(text);
        }
        return switch (scheme) {
            case "https", "http", "wss", "ws" -> parse(scheme, text, scheme.length() + 3, true);
            default -> throw unsupported(scheme);
        };
    }

    /**
     * Reads the target of a CONNECT: host and port, and nothing else. What the tunnel will carry is not known: the scheme
     * is taken for {@code https} ({@code http} on port 80), the path for {@code /}.
     *
     * @throws BadTargetException where it is none
     */
    public static TargetUrl parseAuthority(String text) {
        int end = authorityEnd(text, 0);
        int hostEnd = hostEnd(text, 0, end);
        if (end < text.length() || hostEnd + 1 >= end) {
            throw new BadTargetException("the authority is not host:port, such as www.example.com:443");
        }
        return parseBare(text);
    }

    private static TargetUrl parseBare(String text) {
        int end = authorityEnd(text, 0);
        if (text.lastIndexOf('@', end - 1) >= 0) {
            throw new BadTargetException("the target has user info but no scheme: write https://... or the bare host");
        }
        TargetUrl url = parse("https", text, 0, true);
        return url.port == 80 ? new TargetUrl("http", url.host, url.port, url.pathAndQuery) : url;
    }

    /** The scheme in lower case if the text begins with one and {@code ://}; else null. */
    private static @Nullable String schemeOf(String text) {
        if (text.startsWith("https://")) {
            return "https";
        }
        if (text.startsWith("http://")) {
            return "http";
        }
        int end = text.indexOf("://");
        if (end < 1) {
            return null;
        }
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            boolean other = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
            if (!letter && !(other && i > 0)) {
                return null;
            }
        }
        return text.substring(0, end).toLowerCase(Locale.ROOT);
    }

    private static TargetUrl parse(String scheme, String text, int start, boolean loose) {
        int end = authorityEnd(text, start);
        int hostStart = end;
        while (hostStart > start && text.charAt(hostStart - 1) != '@') {
            hostStart--;
        }
        int hostEnd = hostEnd(text, hostStart, end);
        if (hostStart == hostEnd) {
            throw new BadTargetException("the URL has no host");
        }
        int port = port(text, hostEnd, end, scheme);
        String host = Hosts.canonical(text.substring(hostStart, hostEnd));
        return new TargetUrl(scheme, host, port, pathAndQuery(text, end, loose));
    }

    private static int authorityEnd(String text, int start) {
        int i = start;
        for (; i < text.length(); i++) {
            char c = text.charAt(i);
            if (endsAuthority(c)) {
                break;
            }
            if (c == '\\') {
                throw new BadTargetException(
                        "the URL has a backslash before its path: programs disagree on which host that means");
            }
        }
        return i;
    }

    private static int hostEnd(String text, int start, int end) {
        if (start < end && text.charAt(start) == '[') {
            int close = indexOf(text, ']', start, end);
            if (close == end) {
                throw new BadTargetException("the host opens a bracket that it does not close");
            }
            return close + 1;
        }
        int colon = indexOf(text, ':', start, end);
        if (colon < end && indexOf(text, ':', colon + 1, end) < end) {
            throw new BadTargetException("the host has more than one colon: write IPv6 addresses in brackets,"
                    + " such as [2001:db8::1] or [2001:db8::1]:8080");
        }
        return colon;
    }

    /** The first place of the character, or the end: a look-up that never runs on into the path. */
    private static int indexOf(String text, char wanted, int start, int end) {
        int i = start;
        while (i < end && text.charAt(i) != wanted) {
            i++;
        }
        return i;
    }

    private static int port(String text, int hostEnd, int end, String scheme) {
        if (hostEnd < end && text.charAt(hostEnd) != ':') {
            throw new BadTargetException("after the host in brackets only a port can follow");
        }
        if (end - hostEnd <= 1) {
            return defaultPort(scheme);
        }
        int port = 0;
        for (int i = hostEnd + 1; i < end; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                throw badPort();
            }
            port = port * 10 + c - '0';
            if (port > MAX_PORT) {
                throw badPort();
            }
        }
        return port;
    }

    private static int defaultPort(String scheme) {
        return scheme.equals("https") || scheme.equals("wss") ? 443 : 80;
    }

    /**
     * Where scheme and authority of a URL end, or 0 where the text begins with neither {@code http://} nor
     * {@code https://}. Nothing is checked: it serves to recognise an origin that was read before.
     */
    public static int originEnd(String text) {
        int start = text.startsWith("https://") ? 8 : text.startsWith("http://") ? 7 : 0;
        int i = start;
        while (i > 0 && i < text.length() && !endsAuthority(text.charAt(i))) {
            i++;
        }
        return i;
    }

    private static boolean endsAuthority(char c) {
        return c == '/' || c == '?' || c == '#';
    }

    /**
     * Checks what follows the origin as {@link #parseLoosely} does.
     *
     * @throws BadTargetException where it holds what no path can
     */
    public static void checkPathLoosely(String text, int originEnd) {
        pathEnd(text, originEnd, true);
    }

    /** Where path and query end; refuses what they cannot hold. */
    private static int pathEnd(String text, int start, boolean loose) {
        int end = start;
        for (; end < text.length(); end++) {
            char c = text.charAt(end);
            if (c == '#') {
                break;
            }
            if (c < ' ' || c == 127 || (c == ' ' && !loose)) {
                throw new BadTargetException(
                        "the path has a " + (c == ' ' ? "space: write %20" : "control character: write it %-escaped"));
            }
        }
        return end;
    }

    private static String pathAndQuery(String text, int start, boolean loose) {
        int end = pathEnd(text, start, loose);
        if (start == end) {
            return "/";
        }
        String rest = text.substring(start, end);
        return rest.charAt(0) == '/' ? rest : "/" + rest;
    }

    /** Host and port as an authority: IPv6 in brackets, the port always written. */
    public String hostPort() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }

    /** Whether the port is the scheme's own. */
    public boolean hasDefaultPort() {
        return port == defaultPort(scheme);
    }

    /** The host as it stands in a URL or a Host field: IPv6 in brackets, the port where it is not the scheme's own. */
    public String authority() {
        if (!hasDefaultPort()) {
            return hostPort();
        }
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }

    /** For people: the canonical URL, its query left out since it may hold a secret. */
    @Override
    public String toString() {
        int query = pathAndQuery.indexOf('?');
        String path = query < 0 ? pathAndQuery : pathAndQuery.substring(0, query) + "?...";
        return scheme + "://" + authority() + path;
    }

    private static BadTargetException unsupported(String scheme) {
        return new BadTargetException(
                "scheme '" + Hosts.shown(scheme) + "' is not one that can be served: write http://... or https://...");
    }

    private static BadTargetException badPort() {
        return new BadTargetException("the port is not a number from 1 to " + MAX_PORT);
    }
}
