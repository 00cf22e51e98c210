package io.paceline.pace;

import com.dynatrace.hash4j.hashing.Hashing;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One bucket that a permit is charged to: the part of a rule that the store must know.
 *
 * @param rule the rule's name, for refusals and metrics
 * @param key the bucket's name, unique over rules and scopes; without the address, where the scope names one
 * @param hash 64 bits of the key: what the embedded store counts by
 * @param spec how the bucket counts
 * @param maxWaitMicros the longest wait that the rule allows; 0 where it rejects
 * @param dryRun true where the bucket only counts and never refuses
 * @param scope what shares the bucket
 * @param reserves true where the rule answers a wait with a ticket, whoever did not ask to be held
 * @param cost what one permit counts for at a rate; how many are live always counts each as one
 */
public record Charge(
        String rule,
        String key,
        long hash,
        LimitSpec spec,
        long maxWaitMicros,
        boolean dryRun,
        Scope scope,
        boolean reserves,
        int cost) {

    /** Two separators: no name has one, so no bucket of a rule ends so. */
    private static final String LOW = "||low";

    public Charge {
        Objects.requireNonNull(rule, "rule");
        Objects.requireNonNull(spec, "spec");
        Objects.requireNonNull(scope, "scope");
        if (maxWaitMicros < 0) {
            throw new IllegalArgumentException("maxWaitMicros " + maxWaitMicros + " is negative");
        }
        if (cost < 1) {
            throw new IllegalArgumentException("cost " + cost + " is not at least 1");
        }
    }

    /** A bucket in which each permit counts as one. */
    public Charge(
            String rule,
            String key,
            long hash,
            LimitSpec spec,
            long maxWaitMicros,
            boolean dryRun,
            Scope scope,
            boolean reserves) {
        this(rule, key, hash, spec, maxWaitMicros, dryRun, scope, reserves, 1);
    }

    /** A bucket that depends on nothing but its key. */
    public static Charge of(String rule, String key, LimitSpec spec, long maxWaitMicros, boolean dryRun) {
        return of(rule, key, spec, maxWaitMicros, dryRun, Scope.TARGET, false);
    }

    public static Charge of(
            String rule,
            String key,
            LimitSpec spec,
            long maxWaitMicros,
            boolean dryRun,
            Scope scope,
            boolean reserves) {
        return new Charge(rule, key, hash(key), spec, maxWaitMicros, dryRun, scope, reserves);
    }

    private static long hash(String key) {
        return Hashing.komihash5_0().hashCharsToLong(key);
    }

    /** True for how often, false for how many at once. */
    public boolean isRate() {
        return !(spec instanceof LimitSpec.Concurrency);
    }

    /** The hash of this bucket for one address of one chain, where the scope names the address. */
    public long hashAt(int chain, long address) {
        long x = hash ^ (address + (chain + 1L) * 0x9E3779B97F4A7C15L);
        x = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
        x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
        return x ^ (x >>> 31);
    }

    /** This bucket for one address of one chain. */
    public Charge at(int chain, long address) {
        return new Charge(rule, key, hashAt(chain, address), spec, maxWaitMicros, dryRun, scope, reserves, cost);
    }

    /** This bucket for one caller, where the scope names one of the three. Each part says how long it is: none can pose as two. */
    Charge of(String tenant, String clientId, @Nullable String session) {
        StringBuilder full = new StringBuilder(key);
        append(full, Per.TENANT, tenant);
        append(full, Per.CLIENT, clientId);
        append(full, Per.SESSION, session == null ? "" : session);
        return of(rule, full.toString(), spec, maxWaitMicros, dryRun, scope, reserves);
    }

    private void append(StringBuilder full, Per word, String value) {
        if (scope.has(word)) {
            full.append(Names.SEPARATOR)
                    .append(word.word())
                    .append(value.length())
                    .append(':')
                    .append(value);
        }
    }

    /** Whether this is a second clock for low priority, not the rule's own. */
    public boolean isLow() {
        return key.endsWith(LOW);
    }

    /** Whether low priority has a clock of its own here; a target's own pace and a tenant's quota are the same for all. */
    boolean hasLow() {
        return isRate() && !dryRun && !(spec instanceof LimitSpec.Pace) && !Quota.isName(rule);
    }

    /** The clock that a request of low priority passes besides: four fifths of the rate. */
    Charge low() {
        return of(rule, key + LOW, LowShare.of(spec), maxWaitMicros, false, scope, reserves);
    }

    /** The same bucket, counted in another way. */
    public Charge countedBy(LimitSpec other) {
        return other.equals(spec)
                ? this
                : new Charge(rule, key, hash, other, maxWaitMicros, dryRun, scope, reserves, cost);
    }

    /** The same bucket under another name for refusals. */
    public Charge called(String name) {
        return new Charge(name, key, hash, spec, maxWaitMicros, dryRun, scope, reserves, cost);
    }

    /**
     * The same bucket for a permit that counts for so many, where it is a rule's rate. A target's own pace, a pause or a crawl
     * delay, keeps requests apart, whatever each is worth.
     */
    Charge costing(int each) {
        return each == cost || !isRate() || key.charAt(0) == Names.SEPARATOR
                ? this
                : new Charge(rule, key, hash, spec, maxWaitMicros, dryRun, scope, reserves, each);
    }

    /** Whether no wait helps: the permit costs more than the bucket ever has at once. */
    public boolean neverFits() {
        return cost > spec.mostAtOnce();
    }
}
