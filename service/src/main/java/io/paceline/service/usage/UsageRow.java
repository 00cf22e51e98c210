package io.paceline.service.usage;

import io.paceline.Outcome;
import java.time.LocalDate;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * What one tenant has used from one pool on one target in one day.
 *
 * @param day of UTC
 * @param target its name; {@link #OTHER} for those beyond the ones that are told apart
 * @param permits that were used, each by what it costs: one given back does not count
 * @param refused requests that were refused, for whatever reason
 * @param outcomes of leases that were released, by kind
 * @param expired leases that nobody released
 * @param bytes octets received, as far as callers said
 * @param leaseMicros how long its leases lived together
 * @param money billionths of the currency in which prices are written
 */
public record UsageRow(
        LocalDate day,
        String tenant,
        String pool,
        String target,
        long permits,
        long refused,
        Map<Outcome.Kind, Long> outcomes,
        long expired,
        long bytes,
        long leaseMicros,
        long money) {

    /** The name of all targets beyond the bound. */
    public static final String OTHER = "other";

    public UsageRow {
        Map<Outcome.Kind, Long> all = new EnumMap<>(Outcome.Kind.class);
        all.putAll(outcomes);
        outcomes = Collections.unmodifiableMap(all);
    }

    /** Leases that ended with this kind of outcome. */
    public long outcomes(Outcome.Kind kind) {
        return outcomes.getOrDefault(kind, 0L);
    }

    /** The sum of two rows, under the names of this one. */
    public UsageRow plus(UsageRow other) {
        Map<Outcome.Kind, Long> sum = new EnumMap<>(Outcome.Kind.class);
        sum.putAll(outcomes);
        other.outcomes.forEach((kind, count) -> sum.merge(kind, count, Long::sum));
        return new UsageRow(
                day,
                tenant,
                pool,
                target,
                permits + other.permits,
                refused + other.refused,
                sum,
                expired + other.expired,
                bytes + other.bytes,
                leaseMicros + other.leaseMicros,
                money + other.money);
    }
}
