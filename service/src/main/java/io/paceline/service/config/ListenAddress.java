package io.paceline.service.config;

import io.paceline.pace.BadTargetException;
import io.paceline.pace.Hosts;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a server listens.
 *
 * @param host a canonical name or address, IPv6 without brackets
 * @param port 0 takes any free one
 */
public record ListenAddress(String host, int port) {

    private static final Pattern FORM = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:\\[\\]\\s/@]+):([0-9]{1,5})");
    private static final int MAX_PORT = 65_535;

    public ListenAddress {
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("port " + port + " is not between 0 and " + MAX_PORT);
        }
    }

    /**
     * Reads {@code host:port}, {@code [::1]:port}.
     *
     * @throws IllegalArgumentException saying what to write instead
     */
    public static ListenAddress parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no address to listen on: write host:port, 127.0.0.1:8080 or [::1]:8080");
        }
        int port = Integer.parseInt(matcher.group(2));
        if (port > MAX_PORT) {
            throw new IllegalArgumentException(
                    "port " + port + " is above " + MAX_PORT + ": write host:port, 127.0.0.1:8080");
        }
        try {
            return new ListenAddress(Hosts.canonical(matcher.group(1)), port);
        } catch (BadTargetException unfit) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" has no host that can be: write 127.0.0.1, 0.0.0.0 for all interfaces, or a name",
                    unfit);
        }
    }

    /** Whether only this machine can connect. */
    public boolean isLoopback() {
        return host.equals("localhost")
                || host.equals("::1")
                || (host.startsWith("127.") && Hosts.isAddressLiteral(host));
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
