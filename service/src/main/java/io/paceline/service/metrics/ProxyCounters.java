package io.paceline.service.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.paceline.service.proxy.ProxyMetrics;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what the forward proxy does: {@code paceline_proxy_*}. Thread-safe. */
public final class ProxyCounters implements ProxyMetrics {

    private final AtomicLong connections = new AtomicLong();
    private final AtomicLong tunnels = new AtomicLong();
    private final Map<Kind, OfKind> kinds = new EnumMap<>(Kind.class);

    public ProxyCounters(MeterRegistry registry) {
        for (Kind kind : Kind.values()) {
            kinds.put(kind, new OfKind(registry, kind));
        }
        Gauge.builder("paceline.proxy.connections", connections, AtomicLong::get)
                .description("Open client connections")
                .register(registry);
        Gauge.builder("paceline.proxy.tunnels", tunnels, AtomicLong::get)
                .description("Open tunnels")
                .register(registry);
    }

    /** The counters of one kind of request. */
    private static final class OfKind {
        private final WordCounters results;
        private final Counter fromClients;
        private final Counter toClients;
        private final Counter retries;

        OfKind(MeterRegistry registry, Kind kind) {
            this.results = new WordCounters(
                    registry,
                    "paceline.proxy.requests",
                    "Requests to the forward proxy by how they ended",
                    "result",
                    "kind",
                    kind.word());
            this.fromClients = bytes(registry, kind, "from_client");
            this.toClients = bytes(registry, kind, "to_client");
            this.retries = Counter.builder("paceline.proxy.retries")
                    .description("Failed addresses that were replaced by another for the same request")
                    .tag("kind", kind.word())
                    .register(registry);
        }

        private static Counter bytes(MeterRegistry registry, Kind kind, String direction) {
            return Counter.builder("paceline.proxy.bytes")
                    .description("Body octets passed on")
                    .tag("kind", kind.word())
                    .tag("direction", direction)
                    .register(registry);
        }
    }

    private OfKind of(Kind kind) {
        OfKind found = kinds.get(kind);
        if (found == null) {
            throw new IllegalStateException("no counters for " + kind);
        }
        return found;
    }

    @Override
    public void request(Kind kind, String result) {
        of(kind).results.increment(result);
    }

    @Override
    public void bytes(Kind kind, long fromClient, long toClient) {
        of(kind).fromClients.increment((double) fromClient);
        of(kind).toClients.increment((double) toClient);
    }

    @Override
    public void retried(Kind kind) {
        of(kind).retries.increment();
    }

    @Override
    public void connectionOpened() {
        connections.incrementAndGet();
    }

    @Override
    public void connectionClosed() {
        connections.decrementAndGet();
    }

    @Override
    public void tunnelOpened() {
        tunnels.incrementAndGet();
    }

    @Override
    public void tunnelClosed() {
        tunnels.decrementAndGet();
    }
}
