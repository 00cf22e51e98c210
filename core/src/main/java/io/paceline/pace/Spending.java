package io.paceline.pace;

import io.paceline.pace.Quota.Amount;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What tenants have used of the quotas that are known only when a request has ended: bytes and money. Whoever has used one
 * up gets no permit until its window is over; what runs then still ends, so a quota may be passed by as much as runs at once.
 *
 * <p>Of this instance alone. Times are microseconds since 1970. Thread-safe; two numbers a tenant.
 */
public final class Spending {
    /** What a quota counts. */
    public enum Kind {
        BYTES(Quota.BYTES),
        MONEY(Quota.MONEY);

        private final String rule;

        Kind(String rule) {
            this.rule = rule;
        }

        @Nullable
        Amount of(Quota quota) {
            return this == BYTES ? quota.bytes() : quota.money();
        }

        private String shown(long amount) {
            return this == BYTES ? amount + " bytes" : money(amount);
        }
    }

    /** What is used up, and when the window ends. */
    public record Exhausted(String rule, long opensAtMicros, String message) {}

    /** What one tenant has spent of one thing since its window began. */
    public record Spent(String tenant, Kind kind, long windowBeginMicros, long amount) {}

    private record Key(String tenant, Kind kind) {}

    private record Counter(long windowBeginMicros, long windowEndMicros, long amount) {}

    private final Map<Key, Counter> counters = new ConcurrentHashMap<>();

    /** Adds what a request has used; money below 0 is given back. */
    public void spend(TenantSettings tenant, long bytes, long money, long nowMicros) {
        add(tenant, Kind.BYTES, Math.max(0, bytes), nowMicros);
        add(tenant, Kind.MONEY, money, nowMicros);
    }

    private void add(TenantSettings tenant, Kind kind, long amount, long nowMicros) {
        Amount quota = kind.of(tenant.quota());
        if (quota != null && amount != 0) {
            LimitSpec.Calendar window = tenant.quota().windowOf(quota);
            long begin = CalendarWindow.begin(nowMicros, window);
            long end = CalendarWindow.end(nowMicros, window);
            counters.merge(new Key(tenant.name(), kind), new Counter(begin, end, amount), Spending::plus);
        }
    }

    /** Of two windows the later one counts. */
    private static Counter plus(Counter before, Counter more) {
        if (before.windowBeginMicros != more.windowBeginMicros) {
            return before.windowBeginMicros > more.windowBeginMicros ? before : more;
        }
        boolean over = more.amount > 0 && before.amount > Long.MAX_VALUE - more.amount;
        long sum = over ? Long.MAX_VALUE : before.amount + more.amount;
        return new Counter(more.windowBeginMicros, more.windowEndMicros, sum);
    }

    /** The quota that is used up and opens last; null where none is. */
    public @Nullable Exhausted exhausted(TenantSettings tenant, long nowMicros) {
        Exhausted last = null;
        for (Kind kind : Kind.values()) {
            Amount quota = kind.of(tenant.quota());
            Counter counter = quota == null ? null : counters.get(new Key(tenant.name(), kind));
            if (quota == null
                    || counter == null
                    || counter.amount < quota.most()
                    || nowMicros >= counter.windowEndMicros) {
                continue;
            }
            if (last == null || counter.windowEndMicros > last.opensAtMicros) {
                last = new Exhausted(
                        kind.rule, counter.windowEndMicros, Quota.used(tenant.name(), kind.shown(quota.most()), quota));
            }
        }
        return last;
    }

    /** What a tenant has used in the window at hand. */
    public long used(String tenant, Kind kind, long nowMicros) {
        Counter counter = counters.get(new Key(tenant, kind));
        return counter == null || nowMicros >= counter.windowEndMicros ? 0 : Math.max(0, counter.amount);
    }

    /** All counters, for a file. */
    public List<Spent> save() {
        List<Spent> all = new ArrayList<>();
        counters.forEach(
                (key, counter) -> all.add(new Spent(key.tenant, key.kind, counter.windowBeginMicros, counter.amount)));
        return all;
    }

    /** Goes on where a counter was saved, if its window still runs and is still the one that is configured. */
    public void restore(TenantSettings tenant, Spent spent, long nowMicros) {
        Amount quota = spent.kind.of(tenant.quota());
        if (quota == null || !tenant.name().equals(spent.tenant)) {
            return;
        }
        LimitSpec.Calendar window = tenant.quota().windowOf(quota);
        if (CalendarWindow.begin(nowMicros, window) == spent.windowBeginMicros && spent.amount > 0) {
            add(tenant, spent.kind, spent.amount, nowMicros);
        }
    }

    /** Billionths as people write money: {@code 5.00}. */
    public static String money(long billionths) {
        BigDecimal exact = BigDecimal.valueOf(billionths, 9).stripTrailingZeros();
        return (exact.scale() < 2 ? exact.setScale(2) : exact).toPlainString();
    }
}
