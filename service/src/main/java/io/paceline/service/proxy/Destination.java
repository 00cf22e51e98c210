package io.paceline.service.proxy;

import io.paceline.pace.BadTargetException;
import io.paceline.pace.Hosts;
import io.paceline.pace.TargetUrl;
import java.nio.charset.StandardCharsets;

/**
 * Where a request wants to go: one canonical host for the rule, the bucket, the checks and the dial, and the octets to
 * ask for there, unchanged.
 *
 * @param url scheme, canonical host, port, path and query; {@code https} and {@code /} for a tunnel
 */
record Destination(TargetUrl url) {

    String host() {
        return url.host();
    }

    int port() {
        return url.port();
    }

    /** {@code host:port}, IPv6 in brackets. */
    String hostPort() {
        return url.hostPort();
    }

    /** The whole canonical URL, query included: what rules and targets are matched against. */
    String urlText() {
        return url.scheme() + "://" + url.authority() + url.pathAndQuery();
    }

    /** The target of a plain request in absolute form. */
    static Destination absolute(String target) throws BadMessageException {
        if (target.startsWith("/") || target.equals("*")) {
            throw BadMessageException.malformed(
                    "This is a forward proxy: the request line must name the whole URL, such as GET http://host/path.");
        }
        TargetUrl url = parse(withReadableHost(target));
        if (!url.scheme().equals("http")) {
            throw BadMessageException.malformed("Only http URLs go in the request line: use CONNECT for https.");
        }
        return new Destination(url);
    }

    /** The target of a CONNECT: {@code host:port}, both required. */
    static Destination authority(String target) throws BadMessageException {
        int colon = target.lastIndexOf(':');
        if (colon < 1 || colon == target.length() - 1 || target.indexOf(']', colon) >= 0) {
            throw BadMessageException.malformed("CONNECT needs host:port, such as CONNECT www.example.com:443.");
        }
        for (int i = 0; i < target.length(); i++) {
            if ("/?#@\\".indexOf(target.charAt(i)) >= 0) {
                throw BadMessageException.malformed("CONNECT needs host:port and nothing else.");
            }
        }
        return new Destination(parse("https://" + withReadableHost(target)));
    }

    /** Whether the host says by its text that it is no public site; a name may still resolve to such an address. */
    boolean isPrivate() {
        return Hosts.isPrivate(host());
    }

    /** A Host field's or a Host-less request's view of the same: the port only where it is not the scheme's own. */
    String authority() {
        return url.authority();
    }

    private static TargetUrl parse(String text) throws BadMessageException {
        try {
            return TargetUrl.parse(text);
        } catch (BadTargetException e) {
            String message = e.getMessage() == null ? "The target is no URL." : e.getMessage();
            throw e.isForbidden()
                    ? new BadMessageException(403, "target_forbidden", message)
                    : BadMessageException.malformed(message);
        }
    }

    /**
     * The target came as octets, one character each. An international name among them is UTF-8 and must be read as
     * such; path and query stay as they are.
     */
    private static String withReadableHost(String target) {
        int start = target.contains("://") ? target.indexOf("://") + 3 : 0;
        int end = start;
        boolean ascii = true;
        for (; end < target.length() && "/?#".indexOf(target.charAt(end)) < 0; end++) {
            ascii &= target.charAt(end) < 128;
        }
        if (ascii) {
            return target;
        }
        byte[] octets = target.substring(0, end).getBytes(StandardCharsets.ISO_8859_1);
        return new String(octets, StandardCharsets.UTF_8) + target.substring(end);
    }
}
