package io.paceline.pace;

import io.paceline.Target;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One entry of {@code rules}: a limit on how often, on how many at once, or on both.
 *
 * <p>An entry with both takes part in both contests, and may win one of them alone.
 *
 * @param name unique in a book; part of every bucket's key, so counters live as long as the name does
 * @param pattern which requests it is for
 * @param rate how often; null where it says nothing about that
 * @param concurrency how many leases at once; null where it says nothing about that
 * @param priority the highest that matches wins
 * @param onLimit what happens over the limit
 * @param maxWait the longest wait under {@link OnLimit#WAIT} and {@link OnLimit#RESERVE}; zero under {@link OnLimit#REJECT}
 * @param per what shares a bucket
 * @param always applies on top of whichever rule wins
 * @param dryRun only counts: never competes, never refuses
 * @param headers fields that requests should carry for which it is the rate rule that wins
 */
public record Rule(
        String name,
        HostPattern pattern,
        @Nullable Rate rate,
        @Nullable Integer concurrency,
        int priority,
        OnLimit onLimit,
        Duration maxWait,
        Scope per,
        boolean always,
        boolean dryRun,
        Map<String, String> headers) {

    /** The longest wait of a rule that waits and does not say how long. */
    public static final Duration DEFAULT_MAX_WAIT = Duration.ofSeconds(10);

    /** A caller held up for longer is no caller any more. */
    private static final Duration MAX_MAX_WAIT = Duration.ofHours(1);

    public Rule {
        Names.check("name", name);
        Objects.requireNonNull(pattern, "pattern");
        Objects.requireNonNull(onLimit, "onLimit");
        Objects.requireNonNull(per, "per");
        headers = SuggestedFields.checked(headers);
        if (rate == null && concurrency == null) {
            throw new IllegalArgumentException(
                    "neither limit nor concurrency is set: write limit and window, or concurrency");
        }
        if (concurrency != null && concurrency < 1) {
            throw new IllegalArgumentException("concurrency " + concurrency + " is not at least 1");
        }
        if (maxWait.isNegative() || maxWait.compareTo(MAX_MAX_WAIT) > 0) {
            throw new IllegalArgumentException("max_wait " + Durations.words(maxWait) + " is not between 0 and 1 hour");
        }
        if (onLimit == OnLimit.REJECT && !maxWait.isZero()) {
            throw new IllegalArgumentException("max_wait " + Durations.words(maxWait)
                    + " means nothing where on_limit is reject: leave it out, or write on_limit: wait (or reserve)");
        }
    }

    /** Starts an entry; without a name it is called by its pattern. */
    public static Builder builder(HostPattern pattern) {
        return new Builder(pattern);
    }

    /** The same under another name. */
    Rule named(String other) {
        return new Rule(other, pattern, rate, concurrency, priority, onLimit, maxWait, per, always, dryRun, headers);
    }

    /** The spec of the rate, or null where there is none. */
    public @Nullable LimitSpec rateSpec() {
        return rate == null ? null : rate.spec();
    }

    /** The spec of the concurrency limit, or null where there is none. */
    public @Nullable LimitSpec concurrencySpec() {
        return concurrency == null ? null : new LimitSpec.Concurrency(concurrency);
    }

    /** The charges of this rule for requests of the target, none for a kind that it does not limit. */
    @Nullable
    Charge charge(Contest contest, Target target) {
        LimitSpec spec = contest == Contest.RATE ? rateSpec() : concurrencySpec();
        if (spec == null) {
            return null;
        }
        boolean reserves = onLimit == OnLimit.RESERVE;
        return Charge.of(name, key(contest, target), spec, Durations.micros(maxWait), dryRun, per, reserves);
    }

    /**
     * {@code name|target}, or {@code name} alone; names have no separator, so no two buckets share a key. What the caller
     * and the address add comes with the request.
     */
    private String key(Contest contest, Target target) {
        String scope = per.has(Per.TARGET) ? Names.SEPARATOR + target.name() : "";
        return contest == Contest.RATE ? name + scope : name + scope + Names.SEPARATOR + Names.SEPARATOR + "at-once";
    }

    /** Not thread-safe. */
    public static final class Builder {
        private final HostPattern pattern;
        private @Nullable String name;
        private @Nullable Integer limit;
        private @Nullable Duration window;
        private @Nullable Integer burst;
        private @Nullable Algorithm algorithm;
        private @Nullable ZoneId zone;
        private @Nullable Integer concurrency;
        private int priority;
        private OnLimit onLimit = OnLimit.REJECT;
        private @Nullable Duration maxWait;
        private Scope per = Scope.TARGET;
        private boolean always;
        private boolean dryRun;
        private Map<String, String> headers = Map.of();

        private Builder(HostPattern pattern) {
            this.pattern = pattern;
        }

        public Builder name(@Nullable String name) {
            this.name = name;
            return this;
        }

        public Builder limit(@Nullable Integer limit) {
            this.limit = limit;
            return this;
        }

        public Builder window(@Nullable Duration window) {
            this.window = window;
            return this;
        }

        public Builder burst(@Nullable Integer burst) {
            this.burst = burst;
            return this;
        }

        /** Null for the default: sliding-window, or gcra where a burst is given. */
        public Builder algorithm(@Nullable Algorithm algorithm) {
            this.algorithm = algorithm;
            return this;
        }

        /** Null for UTC; for {@link Algorithm#FIXED_WINDOW} alone. */
        public Builder zone(@Nullable ZoneId zone) {
            this.zone = zone;
            return this;
        }

        public Builder concurrency(@Nullable Integer concurrency) {
            this.concurrency = concurrency;
            return this;
        }

        public Builder priority(int priority) {
            this.priority = priority;
            return this;
        }

        public Builder onLimit(OnLimit onLimit) {
            this.onLimit = onLimit;
            return this;
        }

        /** Null for the default: {@link #DEFAULT_MAX_WAIT} where the rule waits or reserves. */
        public Builder maxWait(@Nullable Duration maxWait) {
            this.maxWait = maxWait;
            return this;
        }

        public Builder per(Per... words) {
            return per(Scope.of(words));
        }

        public Builder per(Scope per) {
            this.per = per;
            return this;
        }

        public Builder always(boolean always) {
            this.always = always;
            return this;
        }

        public Builder dryRun(boolean dryRun) {
            this.dryRun = dryRun;
            return this;
        }

        public Builder headers(Map<String, String> headers) {
            this.headers = headers;
            return this;
        }

        /** @throws IllegalArgumentException naming the configuration's field and its value */
        public Rule build() {
            Duration wait = maxWait != null ? maxWait : onLimit == OnLimit.REJECT ? Duration.ZERO : DEFAULT_MAX_WAIT;
            return new Rule(
                    name != null ? name : defaultName(),
                    pattern,
                    rate(),
                    concurrency,
                    priority,
                    onLimit,
                    wait,
                    per,
                    always,
                    dryRun,
                    headers);
        }

        private @Nullable Rate rate() {
            if (limit == null) {
                if (window != null || burst != null || algorithm != null || zone != null) {
                    throw new IllegalArgumentException(
                            "limit is missing: window, burst, algorithm and zone say nothing without it");
                }
                return null;
            }
            if (window == null) {
                throw new IllegalArgumentException(
                        "window is missing: write for example window: 1m beside limit: " + limit);
            }
            Algorithm chosen =
                    algorithm != null ? algorithm : burst != null ? Algorithm.GCRA : Algorithm.SLIDING_WINDOW;
            return new Rate(limit, window, burst, chosen, zone);
        }

        /** A rate rule and a concurrency rule of one pattern, both unnamed, are the common pair: they get two names. */
        private String defaultName() {
            String text = pattern.toString().replace(Names.SEPARATOR, ' ');
            String kind = limit == null ? text + " at once" : text;
            String full = (always ? kind + " always" : kind) + (dryRun ? " dry run" : "");
            return full.length() <= 200 ? full : full.substring(0, 200);
        }
    }
}
