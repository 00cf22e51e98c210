package io.paceline;

import org.jspecify.annotations.Nullable;

/**
 * Hears what the gatekeeper did, after it did it and outside every lock. For logs, metrics and events; what an
 * implementation throws is swallowed by nobody, so it must not throw. Called from many threads.
 */
public interface GateListener {

    /** Hears nothing. */
    GateListener NONE = new GateListener() {};

    /** A request got its first and only answer (a reserved ticket's redemption is another request). */
    default void decided(Request request, Decision decision, long startedAtMicros, long answeredAtMicros) {}

    /** A lease ended with an outcome; {@code epochStale} where the outcome was too old to train anything. */
    default void settled(Lease lease, Outcome outcome, boolean epochStale) {}

    /** A lease ended by itself. */
    default void expired(String pool, String addressId) {}

    /**
     * An address, or the cell of an address and a target, changed its state.
     *
     * @param target null where the whole address changed
     * @param untilMicros when the new state ends by itself; 0 where it does not
     * @param reason one sentence with the figures, for a log line
     */
    default void transition(
            String pool,
            String addressId,
            @Nullable String target,
            String from,
            String to,
            long untilMicros,
            String cause,
            String reason) {}

    /** A rule would have refused, had it not been a dry run. */
    default void dryRunRefusal(String rule) {}

    /** The store failed; {@code operation} is a word for a metric. */
    default void storeError(String operation, Throwable cause) {}
}
