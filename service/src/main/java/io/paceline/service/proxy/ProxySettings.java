package io.paceline.service.proxy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;

/**
 * What the forward proxy may do, and every bound that it keeps.
 *
 * @param listen where clients connect; port 0 takes any free one
 * @param retries how many further addresses may be tried after the first has failed
 * @param maxWait the longest that a request waits for a slot or for an address, retries included
 * @param connectPorts the ports that CONNECT may ask for; empty means any
 * @param tunnelMax the longest life of a tunnel
 * @param allowPrivateTargets true lets requests go to loopback and private ranges
 * @param maxConnections client connections at once; one more is answered 503 and closed
 * @param heads how large a head may be
 * @param timeouts how long each step may take
 * @param idle how many idle upstream connections are kept for reuse
 */
public record ProxySettings(
        InetSocketAddress listen,
        int retries,
        Duration maxWait,
        Set<Integer> connectPorts,
        Duration tunnelMax,
        boolean allowPrivateTargets,
        int maxConnections,
        Heads heads,
        Timeouts timeouts,
        Idle idle) {

    /**
     * Bounds of a head, in octets; a longer one is refused with 414 or 431, from an upstream with 502.
     *
     * @param requestLine the first line
     * @param total all of the head, the first line included
     * @param fields how many fields
     */
    public record Heads(int requestLine, int total, int fields) {
        public Heads {
            atLeast("heads.requestLine", requestLine, 64);
            atLeast("heads.fields", fields, 1);
            if (total < requestLine || total > MAX_TOTAL) {
                throw new IllegalArgumentException("heads.total " + total + " is not between heads.requestLine "
                        + requestLine + " and " + MAX_TOTAL);
            }
        }

        /** A whole head must fit into what is read ahead of a client, see {@link FrontHandler#READ_AHEAD}. */
        private static final int MAX_TOTAL = 48 * 1024;

        public static Heads defaults() {
            return new Heads(16 * 1024, 32 * 1024, 128);
        }
    }

    /**
     * Bounds in time.
     *
     * @param header from the first octet of a request's head (or the connection's start) to its end, else 408
     * @param connect one TCP connection to an upstream or a target
     * @param handshake the upstream's answer to CONNECT
     * @param firstByte from the last octet sent upstream to the first of the answer, else 504
     * @param idle silence in the middle of an exchange
     * @param tunnelIdle silence in both directions of a tunnel
     * @param keepAlive silence of a client between two requests
     */
    public record Timeouts(
            Duration header,
            Duration connect,
            Duration handshake,
            Duration firstByte,
            Duration idle,
            Duration tunnelIdle,
            Duration keepAlive) {
        public Timeouts {
            positive("timeouts.header", header);
            positive("timeouts.connect", connect);
            positive("timeouts.handshake", handshake);
            positive("timeouts.firstByte", firstByte);
            positive("timeouts.idle", idle);
            positive("timeouts.tunnelIdle", tunnelIdle);
            positive("timeouts.keepAlive", keepAlive);
        }

        public static Timeouts defaults() {
            return new Timeouts(
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(120),
                    Duration.ofMinutes(15),
                    Duration.ofSeconds(60));
        }
    }

    /**
     * Bounds of the idle upstream connections, for each event loop.
     *
     * @param perKey for one address and its credentials (and, without an upstream, one origin); 0 reuses nothing
     * @param total for all of them
     * @param expiry how long one may be idle: below what servers usually allow, so that they seldom close first
     */
    public record Idle(int perKey, int total, Duration expiry) {
        public Idle {
            atLeast("idle.perKey", perKey, 0);
            atLeast("idle.total", total, 0);
            positive("idle.expiry", expiry);
        }

        public static Idle defaults() {
            return new Idle(32, 1_024, Duration.ofSeconds(4));
        }
    }

    public ProxySettings {
        Objects.requireNonNull(listen, "listen");
        Objects.requireNonNull(heads, "heads");
        Objects.requireNonNull(timeouts, "timeouts");
        Objects.requireNonNull(idle, "idle");
        connectPorts = Set.copyOf(connectPorts);
        atLeast("retries", retries, 0);
        if (retries > 10) {
            throw new IllegalArgumentException("retries " + retries + " is more than 10");
        }
        if (maxWait.isNegative()) {
            throw new IllegalArgumentException("maxWait " + maxWait + " is negative");
        }
        positive("tunnelMax", tunnelMax);
        atLeast("maxConnections", maxConnections, 1);
        for (int port : connectPorts) {
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException("connectPorts: " + port + " is not between 1 and 65535");
            }
        }
    }

    public static ProxySettings defaults() {
        return new ProxySettings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 8000),
                2,
                Duration.ofSeconds(10),
                Set.of(443, 563),
                Duration.ofHours(1),
                false,
                10_000,
                Heads.defaults(),
                Timeouts.defaults(),
                Idle.defaults());
    }

    public ProxySettings withListen(InetSocketAddress changed) {
        return new ProxySettings(
                changed,
                retries,
                maxWait,
                connectPorts,
                tunnelMax,
                allowPrivateTargets,
                maxConnections,
                heads,
                timeouts,
                idle);
    }

    public ProxySettings withRetries(int changed) {
        return new ProxySettings(
                listen,
                changed,
                maxWait,
                connectPorts,
                tunnelMax,
                allowPrivateTargets,
                maxConnections,
                heads,
                timeouts,
                idle);
    }

    public ProxySettings withMaxWait(Duration changed) {
        return new ProxySettings(
                listen,
                retries,
                changed,
                connectPorts,
                tunnelMax,
                allowPrivateTargets,
                maxConnections,
                heads,
                timeouts,
                idle);
    }

    /** Empty allows any port. */
    public ProxySettings withConnectPorts(Set<Integer> changed) {
        return new ProxySettings(
                listen,
                retries,
                maxWait,
                changed,
                tunnelMax,
                allowPrivateTargets,
                maxConnections,
                heads,
                timeouts,
                idle);
    }

    public ProxySettings withTunnelMax(Duration changed) {
        return new ProxySettings(
                listen,
                retries,
                maxWait,
                connectPorts,
                changed,
                allowPrivateTargets,
                maxConnections,
                heads,
                timeouts,
                idle);
    }

    public ProxySettings withAllowPrivateTargets(boolean changed) {
        return new ProxySettings(
                listen, retries, maxWait, connectPorts, tunnelMax, changed, maxConnections, heads, timeouts, idle);
    }

    public ProxySettings withMaxConnections(int changed) {
        return new ProxySettings(
                listen, retries, maxWait, connectPorts, tunnelMax, allowPrivateTargets, changed, heads, timeouts, idle);
    }

    public ProxySettings withTimeouts(Timeouts changed) {
        return new ProxySettings(
                listen,
                retries,
                maxWait,
                connectPorts,
                tunnelMax,
                allowPrivateTargets,
                maxConnections,
                heads,
                changed,
                idle);
    }

    public ProxySettings withIdle(Idle changed) {
        return new ProxySettings(
                listen,
                retries,
                maxWait,
                connectPorts,
                tunnelMax,
                allowPrivateTargets,
                maxConnections,
                heads,
                timeouts,
                changed);
    }

    /** True where CONNECT may ask for the port. */
    boolean connectAllowed(int port) {
        return connectPorts.isEmpty() || connectPorts.contains(port);
    }

    private static void atLeast(String name, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(name + " " + value + " is less than " + least);
        }
    }

    private static void positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " " + value + " is not above 0");
        }
    }
}
