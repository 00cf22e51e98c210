package io.paceline.service.config;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * The forward proxy.
 *
 * @param allowPrivateTargets true lets requests go to loopback and private ranges; holds for {@code /acquire} too
 * @param retries how many further addresses may be tried after the first has failed
 * @param maxWait the longest that a request waits for a slot or for an address
 * @param connectPorts the ports that CONNECT may ask for; empty means any
 * @param tunnelMax the longest life of a tunnel
 */
public record ProxyConfig(
        ListenAddress listen,
        boolean allowPrivateTargets,
        int retries,
        Duration maxWait,
        List<Integer> connectPorts,
        Duration tunnelMax) {

    public ProxyConfig {
        Objects.requireNonNull(listen, "listen");
        Objects.requireNonNull(maxWait, "maxWait");
        Objects.requireNonNull(tunnelMax, "tunnelMax");
        connectPorts = List.copyOf(connectPorts);
    }

    public static ProxyConfig defaults() {
        return new ProxyConfig(
                new ListenAddress("127.0.0.1", 8000),
                false,
                2,
                Duration.ofSeconds(10),
                List.of(443, 563),
                Duration.ofHours(1));
    }

    public ProxyConfig withListen(ListenAddress changed) {
        return new ProxyConfig(changed, allowPrivateTargets, retries, maxWait, connectPorts, tunnelMax);
    }

    /** The same, but what cannot change while the proxy runs is as in the other. */
    ProxyConfig keeping(ProxyConfig started) {
        return new ProxyConfig(started.listen, started.allowPrivateTargets, retries, maxWait, connectPorts, tunnelMax);
    }

    public ProxyConfig withPrivateTargetsAllowed() {
        return new ProxyConfig(listen, true, retries, maxWait, connectPorts, tunnelMax);
    }
}
