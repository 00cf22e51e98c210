package io.paceline;

import io.paceline.health.ControlResult;
import io.paceline.health.ControlUrl;
import io.paceline.health.Verdict;
import io.paceline.pace.LatencyWatch;
import org.jspecify.annotations.Nullable;

/**
 * Hears what the gatekeeper did, after it did it and outside every lock. For logs, metrics and events; what an
 * implementation throws is swallowed by nobody, so it must not throw. Called from many threads.
 */
public interface GateListener {

    /** Hears nothing. */
    GateListener NONE = new GateListener() {};

    /** A request got its answer (the redemption of a ticket gets one of its own). */
    default void decided(
            Request request, String pool, Decision decision, long startedAtMicros, long answeredAtMicros) {}

    /**
     * A lease was settled.
     *
     * @param target the target's name
     * @param trained false where the outcome was of an older epoch and taught nothing
     */
    default void settled(String pool, String addressId, String target, Outcome outcome, boolean trained) {}

    /** As {@link #settled(String, String, String, Outcome, boolean)}, which it calls unless overridden, with the lease. */
    default void settled(
            LeaseId lease, String pool, String addressId, String target, Outcome outcome, boolean trained) {
        settled(pool, addressId, target, outcome, trained);
    }

    /** True where {@link #chosen} wants to be told: reasons cost a look at the pool for each grant. */
    default boolean wantsChoices() {
        return false;
    }

    /** Why a lease went to its address; told before {@link #decided}. */
    default void chosen(Lease lease, Choice choice) {}

    /** A lease ended by itself. */
    default void expired(String pool, String addressId) {}

    /** As {@link #expired(String, String)}, which it calls unless overridden, with the lease's {@link LeaseId#value()}. */
    default void expired(long lease, String pool, String addressId) {
        expired(pool, addressId);
    }

    /** An address or a cell changed its standing. */
    default void transition(Transition transition) {}

    /** A target, or a cell, was paused at its own wish, or by our own back-off. */
    default void paused(Pause pause) {}

    /**
     * A target's adaptive pace fell, because it answers much slower than it used to.
     *
     * @param perSecond its pace from now on
     * @param watch how slow
     */
    default void slowed(String target, double perSecond, LatencyWatch watch) {}

    /**
     * A target, a tag or our own side was found guilty, or is well again. (What becomes of addresses and cells are transitions.)
     *
     * @param name the target, the tag as {@code provider=acme}, or the pool
     * @param verdict the evidence; null where it is well again
     */
    default void verdict(String pool, Verdict.Guilty guilty, String name, @Nullable Verdict verdict) {}

    /** A control URL died, or came back to life: nobody is judged by a dead one. */
    default void controlUrl(ControlUrl url) {}

    /**
     * An active probe has ended.
     *
     * @param result what it says about the address
     */
    default void probed(String pool, String addressId, ControlResult result) {}

    /** A rule would have refused, had it not been a dry run. */
    default void dryRunRefusal(String rule) {}

    /** A bucket of the rule has come near its limit: four fifths of it are in use. Told again once it has been away. */
    default void nearLimit(String rule, String target) {}

    /** The store failed; {@code operation} is a word for a metric. */
    default void storeError(String operation, Throwable cause) {}
}
