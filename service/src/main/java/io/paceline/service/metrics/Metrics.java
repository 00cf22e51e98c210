package io.paceline.service.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.paceline.health.ControlUrl;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** All series in one registry, and its text for Prometheus. Thread-safe. */
public final class Metrics implements AutoCloseable {

    private static final long STATUS_SECONDS = 2;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics gc = new JvmGcMetrics();
    private final MultiGauge addresses;
    private final MultiGauge leases;
    private final MultiGauge capUsed;
    private final MultiGauge waiting;
    private final MultiGauge controlUrls;
    private volatile @Nullable StatusSource source;

    public Metrics() {
        Gauge.builder("paceline.build.info", () -> 1)
                .description("Always 1; its labels say what runs")
                .tag("version", BuildInfo.version())
                .tag("java", Runtime.version().toString())
                .register(registry);
        addresses = MultiGauge.builder("paceline.addresses")
                .description("Addresses by state")
                .register(registry);
        leases = MultiGauge.builder("paceline.leases.active")
                .description("Live leases")
                .register(registry);
        capUsed = MultiGauge.builder("paceline.quarantine.cap.used.ratio")
                .description("Share of the quarantine cap that is used")
                .register(registry);
        waiting = MultiGauge.builder("paceline.waiting")
                .description("Requests that are held up, by the rule that holds them; none: for an address")
                .register(registry);
        controlUrls = MultiGauge.builder("paceline.control.url.up")
                .description("1 where a control URL is alive, 0 where it is dead and judges nobody")
                .register(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        gc.bindTo(registry);
    }

    /** What the gauges of pools are read from, from now on. */
    public void watch(StatusSource gate) {
        source = gate;
    }

    public MeterRegistry registry() {
        return registry;
    }

    /** The Prometheus text, with gauges of this moment. May take milliseconds: not for an event loop. */
    public String scrape() {
        refresh();
        return registry.scrape();
    }

    private void refresh() {
        StatusSource gate = source;
        if (gate == null) {
            return;
        }
        List<MultiGauge.Row<?>> held = new ArrayList<>();
        gate.waitingByRule().forEach((rule, count) -> held.add(MultiGauge.Row.of(Tags.of("rule", rule), count)));
        waiting.register(held, true);
        Status status;
        try {
            status = gate.status().toCompletableFuture().get(STATUS_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        } catch (ExecutionException | TimeoutException storeAway) {
            return;
        }
        List<MultiGauge.Row<?>> states = new ArrayList<>();
        List<MultiGauge.Row<?>> live = new ArrayList<>();
        List<MultiGauge.Row<?>> cap = new ArrayList<>();
        for (Status.Pool pool : status.pools()) {
            Tags tags = Tags.of("pool", pool.name());
            counts(pool).forEach((state, count) -> states.add(MultiGauge.Row.of(tags.and("state", state), count)));
            live.add(MultiGauge.Row.of(tags, pool.leases()));
            cap.add(MultiGauge.Row.of(tags, pool.capUsed()));
        }
        addresses.register(states, true);
        leases.register(live, true);
        capUsed.register(cap, true);
        List<MultiGauge.Row<?>> up = new ArrayList<>();
        Set<String> named = new HashSet<>();
        for (ControlUrl url : status.controlUrls()) {
            // Two may differ in what is not shown.
            String name = named.add(url.name()) ? url.name() : url.name() + "#" + named.size();
            named.add(name);
            up.add(MultiGauge.Row.of(Tags.of("url", name), url.alive() ? 1 : 0));
        }
        controlUrls.register(up, true);
    }

    private static Map<String, Long> counts(Status.Pool pool) {
        Map<String, Long> counts = new TreeMap<>();
        // Every state has a series, always: one that comes and goes is no good for an alert.
        Status.STATES.forEach(state -> counts.put(state, 0L));
        pool.addresses().forEach(address -> counts.merge(address.state(), 1L, Long::sum));
        return counts;
    }

    @Override
    public void close() {
        gc.close();
        registry.close();
    }
}
