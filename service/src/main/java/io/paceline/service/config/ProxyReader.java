package io.paceline.service.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads {@code proxy}. */
final class ProxyReader {

    private static final int MAX_RETRIES = 10;
    private static final int MAX_PORT = 65_535;
    private static final Duration MAX_WAIT = Duration.ofHours(1);

    private ProxyReader() {}

    static ProxyConfig read(Section proxy) {
        try (proxy) {
            ProxyConfig defaults = ProxyConfig.defaults();
            return new ProxyConfig(
                    proxy.value("listen")
                            .flatMap(value -> value.parsed(ListenAddress::parse))
                            .orElse(defaults.listen()),
                    proxy.flag("allow_private_targets", defaults.allowPrivateTargets()),
                    proxy.integer("retries", defaults.retries(), 0, MAX_RETRIES),
                    maxWait(proxy, defaults.maxWait()),
                    proxy.value("connect_ports").map(ProxyReader::ports).orElse(defaults.connectPorts()),
                    proxy.positive("tunnel_max", defaults.tunnelMax()));
        }
    }

    private static Duration maxWait(Section proxy, Duration otherwise) {
        Duration wait = proxy.duration("max_wait", otherwise);
        if (wait.compareTo(MAX_WAIT) > 0) {
            proxy.error(
                    "max_wait", "max_wait " + DurationText.format(wait) + " is above 1h: no client waits that long");
        }
        return wait;
    }

    /** A list of ports; the word any is the empty list. */
    private static List<Integer> ports(Value value) {
        if (value.isScalar()) {
            if (!value.text().orElse("any").equals("any")) {
                value.error("is neither a list nor any: write connect_ports: [443, 563]");
            }
            return List.of();
        }
        List<Integer> ports = new ArrayList<>();
        for (Value port : value.list("connect_ports: [443, 563]")) {
            port.integer(1, MAX_PORT, 443).ifPresent(ports::add);
        }
        if (ports.isEmpty()) {
            value.error("has no port: write connect_ports: [443, 563], or any");
        }
        return ports;
    }
}
