package io.paceline.service.lists;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host with a port, or with a range of ports (one session per port).
 *
 * @param host canonical, as in {@link io.paceline.Endpoint#host()}
 * @param first the first port
 * @param last the last port; equal to the first where there is no range
 */
record HostPort(String host, int first, int last) {

    static final int MAX_PORT = 65_535;
    private static final Pattern PORT = Pattern.compile("([0-9]{1,12})(?:-([0-9]{1,12}))?");

    /** Reads {@code host:port}, {@code [v6]:port} and either with a range of ports; a slash may follow. */
    static HostPort parse(String text) throws BadLineException {
        String host;
        String port;
        if (text.startsWith("[")) {
            int close = text.indexOf(']');
            if (close < 0) {
                throw new BadLineException(Fault.BAD_HOST, "the bracket is not closed: write [2001:db8::7]:3128");
            }
            host = text.substring(0, close + 1);
            port = text.substring(close + 1);
            if (!port.isEmpty() && !port.startsWith(":") && !port.startsWith("/")) {
                throw new BadLineException(Fault.BAD_HOST, "write a colon and the port behind the closing bracket");
            }
        } else {
            if (ProxyHosts.isBareIpv6(text)) {
                throw ambiguousIpv6();
            }
            int colon = text.indexOf(':');
            host = cutSlash(colon < 0 ? text : text.substring(0, colon));
            port = colon < 0 ? "" : text.substring(colon);
        }
        String canonical = ProxyHosts.canonical(host);
        if (cutSlash(port).isEmpty() || cutSlash(port).equals(":")) {
            throw new BadLineException(Fault.MISSING_PORT, "the port is missing and none is guessed: write host:port");
        }
        return withPort(canonical, port.substring(1));
    }

    /** As {@link #parse}, but empty where the text is no host with a port. */
    static Optional<HostPort> tryParse(String text) {
        try {
            return Optional.of(parse(text));
        } catch (BadLineException notOne) {
            return Optional.empty();
        }
    }

    /** Reads a host and a port that stand in fields of their own. */
    static HostPort of(String host, String port) throws BadLineException {
        if (ProxyHosts.isBareIpv6(host)) {
            // In a field of its own an IPv6 literal cannot run into the port.
            return withPort(ProxyHosts.canonical("[" + host + "]"), port);
        }
        return withPort(ProxyHosts.canonical(host), port);
    }

    static Optional<HostPort> tryOf(String host, String port) {
        if (!PORT.matcher(cutSlash(port)).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(of(host, port));
        } catch (BadLineException notOne) {
            return Optional.empty();
        }
    }

    static BadLineException ambiguousIpv6() {
        return new BadLineException(
                Fault.AMBIGUOUS_IPV6,
                "an IPv6 address without brackets may end in a group or in a port: write [2001:db8::7]:3128");
    }

    private static HostPort withPort(String host, String text) throws BadLineException {
        Matcher matcher = PORT.matcher(cutSlash(text));
        if (!matcher.matches()) {
            if (text.indexOf('/') > 0
                    && PORT.matcher(text.substring(0, text.indexOf('/'))).matches()) {
                throw new BadLineException(Fault.UNEXPECTED_PATH, "a proxy has no path: write nothing behind the port");
            }
            throw badPort();
        }
        int first = port(matcher.group(1));
        int last = matcher.group(2) == null ? first : port(matcher.group(2));
        if (last < first) {
            throw new BadLineException(
                    Fault.BAD_PORT, "the range of ports runs backwards: write the lower one first, 10000-10099");
        }
        return new HostPort(host, first, last);
    }

    private static int port(String digits) throws BadLineException {
        long port = Long.parseLong(digits);
        if (port < 1 || port > MAX_PORT) {
            throw badPort();
        }
        return (int) port;
    }

    private static BadLineException badPort() {
        return new BadLineException(Fault.BAD_PORT, "the port is not a number between 1 and " + MAX_PORT);
    }

    private static String cutSlash(String text) {
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }
}
