package io.paceline.service;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.paceline.service.config.ConfigError;
import io.paceline.service.events.Events;
import io.paceline.service.reload.ConfigState;
import io.paceline.service.reload.ReloadListener;
import io.paceline.service.reload.ReloadResult;
import io.paceline.service.reload.ReloadResult.Outcome;
import io.paceline.service.supply.ListState;
import io.paceline.service.supply.SupplyState;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells everybody what became of a reload, of a list and of a provider: one line of the log, one event, counters. */
final class ReloadReport implements ReloadListener {

    private static final Logger LOG = LoggerFactory.getLogger("io.paceline.reload");

    /** More would make the line unreadable; the API has them all. */
    private static final int SHOWN = 5;

    private final MeterRegistry registry;
    private final Events events;
    private volatile ConfigState latest;

    ReloadReport(MeterRegistry registry, Events events, long nowMicros) {
        this.registry = registry;
        this.events = events;
        this.latest = ConfigState.started(nowMicros);
        for (Outcome outcome : Outcome.values()) {
            reloads(outcome); // a series that comes into being with the first fault is no good for an alert
        }
        Gauge.builder("paceline.config.valid", () -> latest.valid() ? 1 : 0)
                .description("1 where the files are valid as they were read last, 0 where they are broken")
                .register(registry);
        Gauge.builder("paceline.config.generation", () -> latest.generation())
                .description("The configuration in force: 1 at the start, one more with each that takes its place")
                .register(registry);
        Gauge.builder(
                        "paceline.config.needs.restart",
                        () -> latest.needsRestart().size())
                .description("Settings of the files that only a restart can put into force")
                .register(registry);
    }

    private Counter reloads(Outcome outcome) {
        return Counter.builder("paceline.reloads")
                .description("Times that the configuration was put together anew, by what came of it")
                .tag("result", outcome.word())
                .register(registry);
    }

    @Override
    public void reloaded(String why, ReloadResult result, ConfigState state) {
        latest = state;
        reloads(result.outcome()).increment();
        String restart =
                result.needsRestart().isEmpty() ? "" : "; needs a restart: " + String.join("; ", result.needsRestart());
        Map<String, String> details = new LinkedHashMap<>();
        details.put("why", why);
        details.put("generation", Long.toString(result.generation()));
        switch (result.outcome()) {
            case BROKEN -> {
                List<String> errors =
                        result.errors().stream().map(ConfigError::toString).toList();
                String since = Instant.EPOCH
                        .plus(state.sinceMicros(), ChronoUnit.MICROS)
                        .truncatedTo(ChronoUnit.SECONDS)
                        .toString();
                String reason = "the configuration of " + since + " stays in force: " + some(errors);
                LOG.warn("reload refused ({}): {}", why, reason);
                errors.stream().limit(SHOWN).forEach(error -> details.merge("errors", error, (a, b) -> a + "\n" + b));
                events.configured("reload_refused", reason, details);
            }
            case UNCHANGED -> LOG.info("reloaded ({}): nothing has changed{}", why, restart);
            case APPLIED -> {
                LOG.info("reloaded ({}): {}{}", why, some(result.changes()), restart);
                result.warnings().stream().limit(SHOWN).forEach(warning -> LOG.warn("{}", warning));
                if (!result.needsRestart().isEmpty()) {
                    details.put("needs_restart", String.join("\n", result.needsRestart()));
                }
                events.configured("reloaded", some(result.changes()), details);
            }
        }
    }

    private static String some(List<String> sentences) {
        String first = String.join("; ", sentences.subList(0, Math.min(SHOWN, sentences.size())));
        return sentences.size() <= SHOWN ? first : first + "; and " + (sentences.size() - SHOWN) + " more";
    }

    @Override
    public void fetched(ListState list) {
        String fault = list.fault();
        Counter.builder("paceline.list.fetches")
                .description(
                        "Lists that were fetched, by pool and by whether they could be used; a fault is counted once")
                .tag("pool", list.pool())
                .tag("result", fault == null ? "ok" : "failed")
                .register(registry)
                .increment();
        if (fault != null) {
            String kept = list.addresses() == 0
                    ? "there is no copy of it"
                    : "its last good copy with " + list.addresses() + " addresses stays in use";
            LOG.warn("list {} of pool {}: {}; {}", list.source(), list.pool(), fault, kept);
            events.configured(
                    "list_failed", "list " + list.source() + ": " + fault + "; " + kept, Map.of("pool", list.pool()));
        }
    }

    @Override
    public void asked(SupplyState supply, String what, String reason, int addresses) {
        Counter.builder("paceline.supply.requests")
                .description("Times that a provider was to be asked for addresses, by what came of it")
                .tag("pool", supply.pool())
                .tag("result", what)
                .register(registry)
                .increment();
        Counter.builder("paceline.supply.addresses")
                .description("Addresses that providers gave and the pool did not have")
                .tag("pool", supply.pool())
                .register(registry)
                .increment(addresses);
        if (what.equals("supplied")) {
            LOG.info("supply of pool {} from {}: {}", supply.pool(), supply.source(), reason);
        } else {
            LOG.warn("supply of pool {} from {} gave nothing: {}", supply.pool(), supply.source(), reason);
        }
        Map<String, String> details = new LinkedHashMap<>();
        details.put("pool", supply.pool());
        details.put("source", supply.source());
        details.put("budget_left", Integer.toString(supply.budgetLeft()));
        events.configured("supply_" + what, reason, details);
    }
}
