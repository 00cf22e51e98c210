package io.paceline.service.usage;

import io.paceline.Decision;
import io.paceline.GateConfig;
import io.paceline.GateListener;
import io.paceline.Lease;
import io.paceline.LeaseId;
import io.paceline.Outcome;
import io.paceline.Request;
import io.paceline.Ticker;
import io.paceline.pace.BadTargetException;
import io.paceline.pace.Prices;
import io.paceline.pace.Spending;
import io.paceline.pace.TargetUrl;
import io.paceline.pace.TenantSettings;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What configured tenants use, by tenant, pool, target and day: for bills, and for the quotas on bytes and money, which it
 * tells {@link Spending}.
 *
 * <p>Counts what this instance has granted. Thread-safe; bounded: {@link #DAYS} days, {@link #TARGETS} targets for each
 * tenant and day, {@link #ROWS} rows in all; further targets are counted as {@link UsageRow#OTHER}.
 */
public final class UsageBook implements GateListener {

    /** Days that are kept: two months, so that last month's bill can still be written at the end of this one. */
    public static final int DAYS = 62;

    /** Targets that are told apart for each tenant and day. */
    public static final int TARGETS = 200;

    /** Rows in all: at some 400 octets each, 20 MB. */
    public static final int ROWS = 50_000;

    /** Leases that are followed to their end. */
    private static final int LEASES = 500_000;

    /** A lease that was lost sight of, because its address was removed, say, is forgotten so long after it ended. */
    private static final long LOST_MICROS = 7_200_000_000L;

    private static final long DAY_MICROS = 86_400_000_000L;

    private final Ticker ticker;
    private final Supplier<GateConfig> config;
    private final Function<String, @Nullable String> kindOf;
    private final Spending spending;
    private final Map<Key, Counts> rows = new ConcurrentHashMap<>();
    private final Map<DayOfTenant, AtomicInteger> targets = new ConcurrentHashMap<>();
    private final Map<Long, Open> open = new ConcurrentHashMap<>();

    private record Key(long day, String tenant, String pool, String target) {}

    private record DayOfTenant(long day, String tenant) {}

    /** A lease that lives. */
    private record Open(
            String tenant,
            Counts began,
            String pool,
            String target,
            int cost,
            long money,
            long fromMicros,
            long untilMicros) {}

    /** The counters of one row, each change of which is one step. */
    private static final class Counts {
        private long permits;
        private long refused;
        private final Map<Outcome.Kind, Long> outcomes = new EnumMap<>(Outcome.Kind.class);
        private long expired;
        private long bytes;
        private long leaseMicros;
        private long money;

        private synchronized void granted(long cost, long price) {
            permits += cost;
            money += price;
        }

        private synchronized void refused() {
            refused++;
        }

        private synchronized void ended(Outcome outcome, long tookMicros, long price) {
            outcomes.merge(outcome.kind(), 1L, Long::sum);
            bytes += Math.max(0, outcome.bytes());
            leaseMicros += tookMicros;
            money += price;
        }

        private synchronized void expired(long tookMicros) {
            expired++;
            leaseMicros += tookMicros;
        }

        private synchronized void add(UsageRow row) {
            permits += row.permits();
            refused += row.refused();
            row.outcomes().forEach((kind, count) -> outcomes.merge(kind, count, Long::sum));
            expired += row.expired();
            bytes += row.bytes();
            leaseMicros += row.leaseMicros();
            money += row.money();
        }

        private synchronized UsageRow row(Key key) {
            return new UsageRow(
                    LocalDate.ofEpochDay(key.day),
                    key.tenant,
                    key.pool,
                    key.target,
                    permits,
                    refused,
                    outcomes,
                    expired,
                    bytes,
                    leaseMicros,
                    money);
        }
    }

    /**
     * @param config what is configured now: tenants and targets
     * @param kindOf the tag {@code kind} of an address, by its id
     * @param spending is told what the quotas on bytes and money count
     */
    public UsageBook(
            Ticker ticker, Supplier<GateConfig> config, Function<String, @Nullable String> kindOf, Spending spending) {
        this.ticker = ticker;
        this.config = config;
        this.kindOf = kindOf;
        this.spending = spending;
    }

    // ---- counting

    @Override
    public void decided(Request request, String pool, Decision decision, long startedAtMicros, long answeredAtMicros) {
        TenantSettings tenant =
                request.tenant().isEmpty() ? null : config.get().tenants().find(request.tenant());
        if (tenant == null) {
            return;
        }
        if (decision instanceof Decision.Granted granted) {
            granted.leases().forEach(lease -> granted(tenant, request, lease));
        } else if (decision instanceof Decision.Refused) {
            counts(ticker.micros(), tenant.name(), pool, targetOf(request)).refused();
        }
    }

    private void granted(TenantSettings tenant, Request request, Lease lease) {
        long now = ticker.micros();
        String target = lease.target().name();
        Counts counts = counts(now, tenant.name(), lease.pool(), target);
        long price = tenant.prices().any()
                ? request.cost()
                        * tenant.prices()
                                .permit(lease.pool(), lease.address().tags().get("kind"))
                : 0;
        counts.granted(request.cost(), price);
        spending.spend(tenant, 0, price, now);
        LeaseId id = lease.id();
        if (id != null && open.size() < LEASES) {
            open.put(
                    id.value(),
                    new Open(
                            tenant.name(),
                            counts,
                            lease.pool(),
                            target,
                            request.cost(),
                            price,
                            lease.grantedAtMicros(),
                            lease.expiresAtMicros()));
        }
    }

    /** Refusals are told before anybody has named their target. */
    private String targetOf(Request request) {
        try {
            return config.get()
                    .targets()
                    .targetOf(TargetUrl.parseLoosely(request.target()))
                    .name();
        } catch (BadTargetException e) {
            return UsageRow.OTHER;
        }
    }

    @Override
    public void settled(LeaseId lease, String pool, String addressId, String target, Outcome outcome, boolean trained) {
        Open ended = open.isEmpty() ? null : open.remove(lease.value());
        if (ended == null) {
            return;
        }
        long now = ticker.micros();
        TenantSettings tenant = config.get().tenants().find(ended.tenant);
        if (outcome.kind() == Outcome.Kind.CANCELED) {
            ended.began.granted(-ended.cost, -ended.money);
            if (tenant != null) {
                spending.spend(tenant, 0, -ended.money, now);
            }
        }
        Prices prices = tenant == null ? Prices.NONE : tenant.prices();
        long price = prices.any() ? prices.bytes(ended.pool, kindOf.apply(addressId), outcome.bytes()) : 0;
        counts(now, ended.tenant, ended.pool, ended.target).ended(outcome, Math.max(0, now - ended.fromMicros), price);
        if (tenant != null) {
            spending.spend(tenant, outcome.bytes(), price, now);
        }
    }

    @Override
    public void expired(long lease, String pool, String addressId) {
        Open ended = open.remove(lease);
        if (ended != null) {
            long now = ticker.micros();
            counts(now, ended.tenant, ended.pool, ended.target).expired(Math.max(0, now - ended.fromMicros));
        }
    }

    private Counts counts(long nowMicros, String tenant, String pool, String target) {
        return counts(new Key(Math.floorDiv(nowMicros, DAY_MICROS), tenant, pool, target));
    }

    private Counts counts(Key key) {
        Counts known = rows.get(key);
        if (known != null) {
            return known;
        }
        AtomicInteger ofDay =
                targets.computeIfAbsent(new DayOfTenant(key.day, key.tenant), absent -> new AtomicInteger());
        boolean full = rows.size() >= ROWS || ofDay.get() >= TARGETS;
        if (!full) {
            ofDay.incrementAndGet();
        }
        Key bounded = full ? new Key(key.day, key.tenant, key.pool, UsageRow.OTHER) : key;
        return rows.computeIfAbsent(bounded, absent -> new Counts());
    }

    // ---- for people and files

    /** Rows of a tenant, the oldest day first, then by pool and target; both days are in it. */
    public List<UsageRow> usage(String tenant, LocalDate from, LocalDate to) {
        List<UsageRow> found = new ArrayList<>();
        rows.forEach((key, counts) -> {
            if (key.tenant.equals(tenant) && key.day >= from.toEpochDay() && key.day <= to.toEpochDay()) {
                found.add(counts.row(key));
            }
        });
        found.sort(ORDER);
        return found;
    }

    private static final Comparator<UsageRow> ORDER = Comparator.comparing(UsageRow::day)
            .thenComparing(UsageRow::tenant)
            .thenComparing(UsageRow::pool)
            .thenComparing(UsageRow::target);

    /** Live leases of a tenant, granted by this instance. */
    public long leases(String tenant) {
        return open.values().stream().filter(one -> one.tenant.equals(tenant)).count();
    }

    /** The day it is, of UTC. */
    public LocalDate today() {
        return Instant.EPOCH
                .plus(ticker.micros(), ChronoUnit.MICROS)
                .atZone(ZoneOffset.UTC)
                .toLocalDate();
    }

    /** Every row that is kept, and forgets what is too old. */
    List<UsageRow> save() {
        long now = ticker.micros();
        long oldest = Math.floorDiv(now, DAY_MICROS) - DAYS;
        rows.keySet().removeIf(key -> key.day <= oldest);
        targets.keySet().removeIf(key -> key.day <= oldest);
        open.values().removeIf(one -> one.untilMicros + LOST_MICROS < now);
        List<UsageRow> all = new ArrayList<>();
        rows.forEach((key, counts) -> all.add(counts.row(key)));
        all.sort(ORDER);
        return all;
    }

    /** Goes on where {@link #save} was. */
    void restore(UsageRow row) {
        counts(new Key(row.day().toEpochDay(), row.tenant(), row.pool(), row.target()))
                .add(row);
    }

    List<Spending.Spent> spent() {
        return spending.save();
    }

    void restore(Spending.Spent spent) {
        TenantSettings tenant = config.get().tenants().find(spent.tenant());
        if (tenant != null) {
            spending.restore(tenant, spent, ticker.micros());
        }
    }

    /** What a tenant has used of a quota in the window at hand. */
    public long used(String tenant, Spending.Kind kind) {
        return spending.used(tenant, kind, ticker.micros());
    }
}
