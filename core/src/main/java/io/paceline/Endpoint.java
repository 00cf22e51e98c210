package io.paceline;

import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where an address is reached: the upstream proxy's scheme, host, port and credentials, or {@link #DIRECT}.
 *
 * @param scheme how to speak to the proxy
 * @param host canonical: lower case, punycode, an IPv6 literal in its shortest form without brackets; empty for direct
 * @param port 1 to 65535; 0 for direct
 * @param credentials null where the proxy asks for none
 */
public record Endpoint(
        Scheme scheme, String host, int port, @Nullable Credentials credentials) {

    /** Our own address: no upstream proxy at all. */
    public static final Endpoint DIRECT = new Endpoint(Scheme.DIRECT, "", 0, null);

    /** The protocols spoken towards an upstream proxy; {@code socks5h} and {@code socks4a} let the proxy resolve names. */
    public enum Scheme {
        DIRECT,
        HTTP,
        HTTPS,
        SOCKS4,
        SOCKS4A,
        SOCKS5,
        SOCKS5H;

        /** The word used in lists, configuration and URLs. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Endpoint {
        Objects.requireNonNull(scheme, "scheme");
        Objects.requireNonNull(host, "host");
        if (scheme == Scheme.DIRECT ? port != 0 : port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port " + port + " is not between 1 and 65535");
        }
    }

    public boolean isDirect() {
        return scheme == Scheme.DIRECT;
    }

    /** {@code host:port} with brackets around an IPv6 literal; {@code direct} for our own address. Never credentials. */
    public String authority() {
        if (isDirect()) {
            return "direct";
        }
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    /** {@code http://user:***@host:port}: safe for logs, events and errors. */
    @Override
    public String toString() {
        if (isDirect()) {
            return "direct";
        }
        return scheme.word() + "://" + (credentials == null ? "" : credentials + "@") + authority();
    }
}
