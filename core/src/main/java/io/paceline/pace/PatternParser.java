package io.paceline.pace;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads host patterns; every refusal says what to write instead. */
final class PatternParser {
    private static final String REGEX = "regex:";

    /** Longer patterns are mistakes, and a long path would rank above another host. */
    private static final int MAX_LENGTH = 2_000;

    private PatternParser() {}

    static HostPattern parse(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("pattern is empty: write \"*\" for every host");
        }
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("pattern is longer than " + MAX_LENGTH + " characters");
        }
        if (text.startsWith(REGEX)) {
            return HostPattern.Regex.of(text, text.substring(REGEX.length()));
        }
        int scheme = schemeEnd(text);
        int slash = text.indexOf('/', scheme < 0 ? 0 : scheme + 3);
        int at = text.indexOf('@');
        if (at >= 0 && (slash < 0 || at < slash)) {
            // Not quoted: it may be a password.
            throw new IllegalArgumentException("pattern has user info (an @ before its path): write the host alone");
        }
        return scheme < 0 && slash < 0 ? host(text, text) : urlPrefix(text, scheme, slash);
    }

    /** Where "://" stands in front of any path, or -1. */
    private static int schemeEnd(String text) {
        int end = text.indexOf("://");
        return end >= 0 && text.indexOf('/') == end + 1 ? end : -1;
    }

    private static HostPattern host(String host, String text) {
        if (host.equals("*")) {
            return new HostPattern.Any(text);
        }
        if (host.lastIndexOf('*') > 0 || (host.startsWith("*") && !host.startsWith("*."))) {
            throw new IllegalArgumentException(misplacedStar(host, text));
        }
        if (host.startsWith("*.")) {
            return new HostPattern.Under(text, suffix(host.substring(2), text), false);
        }
        if (host.startsWith(".")) {
            return new HostPattern.Under(text, suffix(host.substring(1), text), true);
        }
        return new HostPattern.Exact(text, canonical(host, text));
    }

    private static String misplacedStar(String host, String text) {
        boolean onlyInFront = host.lastIndexOf('*') == 0;
        return onlyInFront
                ? "pattern '" + text + "' would also match names such as evil" + host.substring(1)
                        + ": did you mean *." + host.substring(1) + " (or ." + host.substring(1)
                        + " to include the host itself)?"
                : "pattern '" + text + "': a * stands alone or in front, as in *.example.com;"
                        + " for anything else write regex:...";
    }

    private static String suffix(String suffix, String text) {
        String canonical = canonical(suffix, text);
        if (Hosts.isAddressLiteral(canonical)) {
            throw new IllegalArgumentException(
                    "pattern '" + text + "': an address has no hosts below it; write " + canonical);
        }
        return canonical;
    }

    private static String canonical(String host, String text) {
        int colon = host.indexOf(':');
        boolean port = colon >= 0 && (host.indexOf(':', colon + 1) < 0 || host.indexOf("]:") >= 0);
        if (port) {
            throw new IllegalArgumentException("pattern '" + text + "': the port plays no part in a host pattern;"
                    + " leave it out, or end with / for a URL prefix: " + text + "/");
        }
        try {
            return Hosts.canonical(host);
        } catch (BadTargetException e) {
            throw new IllegalArgumentException("pattern '" + text + "': " + e.getMessage(), e);
        }
    }

    private static HostPattern urlPrefix(String text, int schemeEnd, int slash) {
        String scheme = schemeEnd < 0 ? null : scheme(text.substring(0, schemeEnd), text);
        String authority = text.substring(schemeEnd < 0 ? 0 : schemeEnd + 3, slash < 0 ? text.length() : slash);
        String path = slash < 0 ? "/" : text.substring(slash);
        if (path.indexOf('#') >= 0) {
            throw new IllegalArgumentException(
                    "pattern '" + text + "': a fragment never reaches a server; leave it out");
        }
        if (path.endsWith("*")) {
            throw new IllegalArgumentException(
                    "pattern '" + text + "': a URL prefix covers whatever follows; leave out the * at its end");
        }
        int colon = authority.endsWith("]") ? -1 : authority.lastIndexOf(':');
        String host = colon < 0 ? authority : authority.substring(0, colon);
        int port = colon < 0 ? defaultPort(scheme) : port(authority.substring(colon + 1), text);
        return new HostPattern.UrlPrefix(text, host(host, text), scheme, port, PathText.unescaped(path));
    }

    private static String scheme(String written, String text) {
        String scheme = written.toLowerCase(Locale.ROOT);
        return switch (scheme) {
            case "http", "https", "ws", "wss" -> scheme;
            default ->
                throw new IllegalArgumentException(
                        "pattern '" + text + "': scheme " + written + " is not http or https");
        };
    }

    /** With a scheme the prefix means the scheme's port, without one any port. */
    private static int defaultPort(@Nullable String scheme) {
        return scheme == null ? 0 : scheme.equals("https") || scheme.equals("wss") ? 443 : 80;
    }

    private static int port(String digits, String text) {
        try {
            int port = Integer.parseInt(digits);
            if (port >= 1 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException e) {
            // said below, in the pattern's own words
        }
        throw new IllegalArgumentException("pattern '" + text + "': port is not a number from 1 to 65535");
    }
}
