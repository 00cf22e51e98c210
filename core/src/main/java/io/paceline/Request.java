package io.paceline;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks for: a permit for one target, on an address that fits.
 *
 * @param target the URL, or a bare host
 * @param session the key that keeps one address, or null
 * @param sessionTtl how long the session's binding lasts; null for the pool's {@code session.ttl}
 * @param clientId who asks; a crawler machine, say. Empty where unknown
 * @param tenant whose sessions and quotas these are. Empty for the only one
 * @param pool the pool to serve from; null for the target's, else the first
 * @param task chooses a strategy of the pool's {@code tasks}; null for the pool's own
 * @param tags every tag must be equal on the address
 * @param maxWait the longest wait accepted, for a slot or for an address; null for the rule's (and none for an address)
 * @param hold when the answer comes where there is a wait
 * @param priority who goes first among those who wait
 * @param count how many permits at most; as many as are free now are granted
 * @param cost what each permit counts for at the rates of rules: a page that fetches five things may cost 5
 * @param lease false asks for permits that need no release
 * @param exclude ids of addresses that must not serve: those that a retry has tried
 */
public record Request(
        String target,
        @Nullable String session,
        @Nullable Duration sessionTtl,
        String clientId,
        String tenant,
        @Nullable String pool,
        @Nullable String task,
        Map<String, String> tags,
        @Nullable Duration maxWait,
        Hold hold,
        Priority priority,
        int count,
        int cost,
        boolean lease,
        Set<String> exclude) {

    /** When a request that has to wait for its slot is answered. */
    public enum Hold {
        /** When the slot has come. */
        ALWAYS,
        /** When the slot has come; at once with a ticket where the rule says {@code on_limit: reserve}. */
        BY_RULE,
        /** At once, with a ticket. */
        NEVER
    }

    /** Who goes first among those who wait. */
    public enum Priority {
        /** Has four fifths of each rate at most, and goes last where callers wait in line. */
        LOW,
        NORMAL,
        /** Goes first where callers wait in line. */
        HIGH
    }

    /** The most permits that one call may ask for. */
    public static final int MAX_COUNT = 1_000;

    /** The highest cost of a permit; rules set the bound that matters. */
    public static final int MAX_COST = 1_000_000;

    public Request {
        Objects.requireNonNull(target, "target");
        tags = Tags.normal(tags);
        exclude = Set.copyOf(exclude);
        if (count < 1 || count > MAX_COUNT) {
            throw new IllegalArgumentException("count " + count + " is not between 1 and " + MAX_COUNT);
        }
        if (cost < 1 || cost > MAX_COST) {
            throw new IllegalArgumentException("cost " + cost + " is not between 1 and " + MAX_COST);
        }
        if (count > 1 && session != null) {
            throw new IllegalArgumentException("count " + count + " with a session: ask for the permits one by one");
        }
        if (sessionTtl != null && (sessionTtl.isNegative() || sessionTtl.isZero())) {
            throw new IllegalArgumentException("sessionTtl " + sessionTtl + " is not above 0");
        }
        if (maxWait != null && maxWait.isNegative()) {
            throw new IllegalArgumentException("maxWait " + maxWait + " is negative");
        }
    }

    /** A request for one lease on the target, anonymous, of any address. */
    public static Request to(String target) {
        return builder(target).build();
    }

    public static Builder builder(String target) {
        return new Builder(target);
    }

    public Builder toBuilder() {
        Builder builder = new Builder(target);
        builder.session = session;
        builder.sessionTtl = sessionTtl;
        builder.clientId = clientId;
        builder.tenant = tenant;
        builder.pool = pool;
        builder.task = task;
        builder.tags = tags;
        builder.maxWait = maxWait;
        builder.hold = hold;
        builder.priority = priority;
        builder.count = count;
        builder.cost = cost;
        builder.lease = lease;
        builder.exclude = exclude;
        return builder;
    }

    /** Not thread-safe; may be built from more than once. */
    public static final class Builder {
        private final String target;
        private @Nullable String session;
        private @Nullable Duration sessionTtl;
        private String clientId = "";
        private String tenant = "";
        private @Nullable String pool;
        private @Nullable String task;
        private Map<String, String> tags = Map.of();
        private @Nullable Duration maxWait;
        private Hold hold = Hold.ALWAYS;
        private Priority priority = Priority.NORMAL;
        private int count = 1;
        private int cost = 1;
        private boolean lease = true;
        private Set<String> exclude = Set.of();

        private Builder(String target) {
            this.target = target;
        }

        public Builder session(@Nullable String session) {
            this.session = session;
            return this;
        }

        public Builder sessionTtl(@Nullable Duration sessionTtl) {
            this.sessionTtl = sessionTtl;
            return this;
        }

        public Builder clientId(String clientId) {
            this.clientId = clientId;
            return this;
        }

        public Builder tenant(String tenant) {
            this.tenant = tenant;
            return this;
        }

        public Builder pool(@Nullable String pool) {
            this.pool = pool;
            return this;
        }

        public Builder task(@Nullable String task) {
            this.task = task;
            return this;
        }

        public Builder tags(Map<String, String> tags) {
            this.tags = tags;
            return this;
        }

        public Builder maxWait(@Nullable Duration maxWait) {
            this.maxWait = maxWait;
            return this;
        }

        /** True: the answer comes when the slot has come. False: at once, with a ticket where there is a wait. */
        public Builder hold(boolean hold) {
            return hold(hold ? Hold.ALWAYS : Hold.NEVER);
        }

        public Builder hold(Hold hold) {
            this.hold = hold;
            return this;
        }

        public Builder priority(Priority priority) {
            this.priority = priority;
            return this;
        }

        public Builder count(int count) {
            this.count = count;
            return this;
        }

        public Builder cost(int cost) {
            this.cost = cost;
            return this;
        }

        public Builder lease(boolean lease) {
            this.lease = lease;
            return this;
        }

        public Builder exclude(Set<String> exclude) {
            this.exclude = exclude;
            return this;
        }

        /** @throws IllegalArgumentException naming the field and the value that cannot be */
        public Request build() {
            return new Request(
                    target,
                    session,
                    sessionTtl,
                    clientId,
                    tenant,
                    pool,
                    task,
                    tags,
                    maxWait,
                    hold,
                    priority,
                    count,
                    cost,
                    lease,
                    exclude);
        }
    }
}
