package io.paceline.service.api;

import io.paceline.GateConfig;
import io.paceline.Outcome;
import io.paceline.pace.Quota;
import io.paceline.pace.Quota.Amount;
import io.paceline.pace.Spending;
import io.paceline.pace.TenantSettings;
import io.paceline.service.usage.UsageBook;
import io.paceline.service.usage.UsageCsv;
import io.paceline.service.usage.UsageRow;
import io.vertx.core.buffer.Buffer;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * {@code GET /api/tenants}: who may use how much; {@code GET /api/tenants/{name}/usage?from=&to=&format=}: what was used,
 * by day, pool and target. A viewer of a tenant sees its own.
 */
public final class TenantRoutes {

    private final UsageBook usage;
    private final Supplier<GateConfig> config;

    public TenantRoutes(UsageBook usage, Supplier<GateConfig> config) {
        this.usage = usage;
        this.config = config;
    }

    void tenants(Call call) {
        JsonOut out = new JsonOut().openArray("tenants");
        for (TenantSettings tenant : config.get().tenants().tenants()) {
            if (call.sight().tenant(tenant.name())) {
                write(out, tenant);
            }
        }
        call.json(200, out.closeArray().end());
    }

    private void write(JsonOut out, TenantSettings tenant) {
        out.openItem().put("name", tenant.name()).openArray("pools");
        tenant.pools().forEach(out::item);
        out.closeArray().put("rules", tenant.rules().size()).put("leases", usage.leases(tenant.name()));
        writeQuota(out, tenant);
        LocalDate today = usage.today();
        UsageRow sum = sum(usage.usage(tenant.name(), today, today), today, tenant.name());
        out.openObject("today");
        writeFigures(out, sum);
        out.close().close();
    }

    private void writeQuota(JsonOut out, TenantSettings tenant) {
        Quota quota = tenant.quota();
        out.openObject("quota");
        if (quota.permits() != null) {
            open(out, "permits", quota.permits())
                    .put("most", quota.permits().most())
                    .close();
        }
        if (quota.leases() != null) {
            out.openObject("leases").put("most", quota.leases()).close();
        }
        if (quota.bytes() != null) {
            open(out, "bytes", quota.bytes())
                    .put("most", quota.bytes().most())
                    .put("used", usage.used(tenant.name(), Spending.Kind.BYTES))
                    .close();
        }
        if (quota.money() != null) {
            open(out, "money", quota.money())
                    .put("most", money(quota.money().most()))
                    .put("used", money(usage.used(tenant.name(), Spending.Kind.MONEY)))
                    .close();
        }
        out.put("zone", quota.zone().getId()).close();
    }

    private static JsonOut open(JsonOut out, String name, Amount amount) {
        return out.openObject(name).put("window", amount.windowWord());
    }

    void usage(Call call) {
        String name = call.pathParameter();
        if (!call.sight().tenant(name) || config.get().tenants().find(name) == null) {
            List<String> names = config.get().tenants().tenants().stream()
                    .map(TenantSettings::name)
                    .filter(call.sight()::tenant)
                    .toList();
            throw HttpProblem.of(404, "unknown_tenant", "there is no tenant `" + name + "`" + Hint.of(name, names));
        }
        LocalDate today = usage.today();
        LocalDate from = day(call, "from", today.minusDays(UsageBook.DAYS - 1L));
        LocalDate to = day(call, "to", today);
        if (to.isBefore(from)) {
            throw HttpProblem.field("to", "`to` " + to + " is before `from` " + from);
        }
        List<UsageRow> rows = usage.usage(name, from, to);
        String format = call.query("format");
        if (format == null || format.equals("json")) {
            call.json(200, json(name, from, to, rows));
        } else if (format.equals("csv")) {
            call.header("x-paceline-usage-scope", "instance");
            call.header("cache-control", "no-store");
            call.text(200, "text/csv; charset=utf-8", Buffer.buffer(UsageCsv.of(rows)));
        } else {
            throw HttpProblem.field("format", "`format` must be json or csv");
        }
    }

    private static LocalDate day(Call call, String name, LocalDate otherwise) {
        String text = call.query(name);
        if (text == null) {
            return otherwise;
        }
        try {
            return LocalDate.parse(text);
        } catch (DateTimeParseException e) {
            throw HttpProblem.field(name, "`" + name + "` must be a day such as " + otherwise);
        }
    }

    private static Buffer json(String tenant, LocalDate from, LocalDate to, List<UsageRow> rows) {
        JsonOut out = new JsonOut()
                .put("tenant", tenant)
                .put("from", from.toString())
                .put("to", to.toString())
                .put("zone", "UTC")
                .put("scope", "instance")
                .openObject("total");
        writeFigures(out, sum(rows, from, tenant));
        out.close().openArray("rows");
        for (UsageRow row : rows) {
            out.openItem()
                    .put("day", row.day().toString())
                    .put("pool", row.pool())
                    .put("target", row.target());
            writeFigures(out, row);
            out.close();
        }
        return out.closeArray().end();
    }

    private static void writeFigures(JsonOut out, UsageRow row) {
        out.put("permits", row.permits()).put("refused", row.refused()).openObject("outcomes");
        for (Outcome.Kind kind : Outcome.Kind.values()) {
            if (row.outcomes(kind) > 0) {
                out.put(kind.word(), row.outcomes(kind));
            }
        }
        out.close()
                .put("expired", row.expired())
                .put("bytes", row.bytes())
                .put("lease_seconds", UsageCsv.seconds(row.leaseMicros()))
                .put("money", money(row.money()));
    }

    private static BigDecimal money(long billionths) {
        return new BigDecimal(Spending.money(billionths));
    }

    private static UsageRow sum(List<UsageRow> rows, LocalDate day, String tenant) {
        UsageRow sum = new UsageRow(day, tenant, "", "", 0, 0, Map.of(), 0, 0, 0, 0);
        for (UsageRow row : rows) {
            sum = sum.plus(row);
        }
        return sum;
    }
}
