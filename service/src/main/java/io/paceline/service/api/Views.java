package io.paceline.service.api;

import io.paceline.Ticker;
import io.paceline.health.ControlUrl;
import io.paceline.pace.Rate;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.Sustained;
import io.paceline.pace.TenantBook;
import io.paceline.pace.TenantSettings;
import io.paceline.redis.degraded.DivisionState;
import io.paceline.service.metrics.BuildInfo;
import io.paceline.service.metrics.Status;
import io.paceline.service.metrics.StatusSource;
import io.paceline.service.reload.ConfigStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What runs, as JSON: the read-only half of the admin API. */
public final class Views {

    private static final int MAX_PER_PAGE = 1_000;
    private static final int DEFAULT_PER_PAGE = 100;

    private final StatusSource source;
    private final Supplier<RuleBook> rules;
    private final Supplier<TenantBook> tenants;
    private final Readiness readiness;
    private final Ticker ticker;
    private final String store;
    private final Supplier<@Nullable DivisionState> division;
    private final Supplier<ConfigStatus> configuration;
    private final long startedAtMicros;

    /**
     * @param store the word of the ready line
     * @param division how the work is divided among those who share the store; null where nobody does
     * @param configuration which one is in force
     */
    public Views(
            StatusSource source,
            Supplier<RuleBook> rules,
            Supplier<TenantBook> tenants,
            Readiness readiness,
            Ticker ticker,
            String store,
            Supplier<@Nullable DivisionState> division,
            Supplier<ConfigStatus> configuration) {
        this.configuration = configuration;
        this.source = source;
        this.rules = rules;
        this.tenants = tenants;
        this.readiness = readiness;
        this.ticker = ticker;
        this.store = store;
        this.division = division;
        this.startedAtMicros = ticker.micros();
    }

    /** {@code GET /api/status}: everything on one page, with counts in place of addresses. */
    void status(Call call) {
        call.await(source.status(), status -> {
            JsonOut out = new JsonOut()
                    .put("version", BuildInfo.version())
                    .put("status", readiness.isReady() ? "ready" : readiness.isDraining() ? "draining" : "starting")
                    .put("store", store)
                    .seconds("uptime_seconds", Numbers.millisDown(ticker.micros() - startedAtMicros));
            writeDivision(out);
            ConfigView.write(out, configuration.get());
            writePools(out, status, call.sight());
            writeControlUrls(out, status, call.sight());
            writeRules(out, call.sight());
            call.json(200, out.end());
        });
    }

    private void writeDivision(JsonOut out) {
        DivisionState state = division.get();
        if (state != null) {
            out.openObject("division")
                    .put("method", state.division().word())
                    .put("instance", state.instance())
                    .put("instances", state.instances())
                    .put("detail", state.detail())
                    .close();
        }
    }

    /** {@code GET /api/pools}. */
    void pools(Call call) {
        call.await(source.status(), status -> {
            JsonOut out = new JsonOut();
            writePools(out, status, call.sight());
            writeControlUrls(out, status, call.sight());
            call.json(200, out.end());
        });
    }

    /** {@code GET /api/rules}: in file order, with what each gives in the long run. */
    void rules(Call call) {
        JsonOut out = new JsonOut();
        writeRules(out, call.sight());
        call.json(200, out.end());
    }

    /** {@code GET /api/addresses?pool=&state=&page=&per_page=}. */
    void addresses(Call call) {
        String pool = call.query("pool");
        String state = call.query("state");
        if (state != null && !Status.STATES.contains(state)) {
            throw HttpProblem.field("state", "`state` is \"" + state + "\"" + Hint.of(state, Status.STATES));
        }
        int page = number(call, "page", 1, 1, Integer.MAX_VALUE);
        int perPage = number(call, "per_page", DEFAULT_PER_PAGE, 1, MAX_PER_PAGE);
        call.await(source.status(), status -> {
            List<Located> found = find(call.sight(), status, pool, state);
            long first = (long) (page - 1) * perPage;
            JsonOut out = new JsonOut()
                    .put("total", found.size())
                    .put("page", page)
                    .put("per_page", perPage)
                    .openArray("addresses");
            found.stream().skip(first).limit(perPage).forEach(located -> write(out, located));
            call.json(200, out.closeArray().end());
        });
    }

    /** Whether a pool of the caller has the address. */
    CompletionStage<Boolean> has(Sight.View sight, String address) {
        return sight.all()
                ? CompletableFuture.completedFuture(true)
                : source.status()
                        .thenApply(status -> status.pools().stream()
                                .filter(pool -> sight.pool(pool.name()))
                                .flatMap(pool -> pool.addresses().stream())
                                .anyMatch(one -> one.id().equals(address)));
    }

    private record Located(String pool, Status.AddressStatus address) {}

    private static List<Located> find(Sight.View sight, Status status, @Nullable String pool, @Nullable String state) {
        List<Located> found = new ArrayList<>();
        List<Status.Pool> seen =
                status.pools().stream().filter(one -> sight.pool(one.name())).toList();
        for (Status.Pool candidate : seen) {
            if (pool != null && !pool.equals(candidate.name())) {
                continue;
            }
            for (Status.AddressStatus address : candidate.addresses()) {
                if (state == null || state.equals(address.state())) {
                    found.add(new Located(candidate.name(), address));
                }
            }
        }
        List<String> names = seen.stream().map(Status.Pool::name).toList();
        if (pool != null && !names.contains(pool)) {
            throw HttpProblem.field("pool", "there is no pool `" + pool + "`" + Hint.of(pool, names));
        }
        return found;
    }

    private static void write(JsonOut out, Located located) {
        Status.AddressStatus address = located.address();
        out.openItem()
                .put("id", address.id())
                .put("pool", located.pool())
                .put("proxy", address.endpoint())
                .texts("tags", new TreeMap<>(address.tags()))
                .ratio("weight", address.weight())
                .put("state", address.state());
        if (address.untilMicros() > 0) {
            out.time("until", address.untilMicros());
        }
        if (!address.reason().isEmpty()) {
            out.put("reason", address.reason());
        }
        out.put("leases", address.leases()).put("cells_out", address.cells());
        if (address.successRate() >= 0) {
            out.ratio("success_rate", address.successRate());
        }
        if (address.latencyMicros() > 0) {
            out.put("latency_ms", address.latencyMicros() / 1_000);
        }
        if (address.p95Micros() > 0) {
            out.put("p50_ms", address.p50Micros() / 1_000).put("p95_ms", address.p95Micros() / 1_000);
        }
        if (address.checkedMicros() > 0) {
            out.time("checked_at", address.checkedMicros());
        }
        if (address.checkLatencyMicros() > 0) {
            out.put("check_latency_ms", address.checkLatencyMicros() / 1_000);
        }
        out.close();
    }

    private static void writePools(JsonOut out, Status status, Sight.View sight) {
        out.openArray("pools");
        for (Status.Pool pool : status.pools()) {
            if (!sight.pool(pool.name())) {
                continue;
            }
            out.openItem()
                    .put("name", pool.name())
                    .put("strategy", pool.strategy())
                    .openObject("addresses")
                    .put("total", pool.addresses().size());
            states(pool).forEach(out::put);
            out.close()
                    .put("leases", pool.leases())
                    .put("sessions", pool.sessions())
                    .ratio("quarantine_cap_used", pool.capUsed())
                    .close();
        }
        out.closeArray();
    }

    private static void writeControlUrls(JsonOut out, Status status, Sight.View sight) {
        out.openArray("control_urls");
        for (ControlUrl url : sight.all() ? status.controlUrls() : List.<ControlUrl>of()) {
            out.openItem()
                    .put("url", url.name())
                    .put("alive", url.alive())
                    .put("reason", url.reason())
                    .time("since", url.sinceMicros())
                    .close();
        }
        out.closeArray();
    }

    private static Map<String, Long> states(Status.Pool pool) {
        Map<String, Long> counts = new TreeMap<>();
        pool.addresses().forEach(address -> counts.merge(address.state(), 1L, Long::sum));
        return counts;
    }

    private void writeRules(JsonOut out, Sight.View sight) {
        out.openArray("rules");
        rules.get().rules().forEach(rule -> write(out, rule, null));
        for (TenantSettings tenant : tenants.get().tenants()) {
            if (sight.tenant(tenant.name())) {
                tenant.namedRules().forEach(rule -> write(out, rule, tenant.name()));
            }
        }
        out.closeArray();
        out.openArray("default_pace");
        write(out, RuleBook.DEFAULT_PACE, null);
        out.closeArray();
    }

    private static void write(JsonOut out, Rule rule, @Nullable String tenant) {
        out.openItem().put("name", rule.name()).put("pattern", rule.pattern().toString());
        if (tenant != null) {
            out.put("tenant", tenant);
        }
        Rate rate = rule.rate();
        if (rate != null) {
            out.put("limit", rate.limit())
                    .seconds("window_seconds", rate.window().toMillis())
                    .put("algorithm", rate.algorithm().word())
                    .put("sustained", Sustained.of(rate).sentence());
            if (rate.zone() != null) {
                out.put("zone", rate.zone().getId());
            }
            if (rate.burst() != null) {
                out.put("burst", rate.burst());
            }
        }
        if (rule.concurrency() != null) {
            out.put("concurrency", rule.concurrency());
        }
        out.put("priority", rule.priority())
                .put("per", rule.per().word())
                .put("on_limit", rule.onLimit().word())
                .seconds("max_wait_seconds", rule.maxWait().toMillis())
                .put("always", rule.always())
                .put("dry_run", rule.dryRun());
        if (!rule.headers().isEmpty()) {
            out.texts("headers", rule.headers());
        }
        out.close();
    }

    static int number(Call call, String name, int otherwise, int min, int max) {
        String text = call.query(name);
        if (text == null) {
            return otherwise;
        }
        try {
            int value = Integer.parseInt(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw HttpProblem.field(name, "`" + name + "` must be a whole number from " + min + " to " + max);
    }
}
