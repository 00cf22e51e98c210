package io.paceline;

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

    /** A lease ended by itself. */
    default void expired(String pool, String addressId) {}

    /** An address or a cell changed its standing. */
    default void transition(Transition transition) {}

    /** A target, or a cell, was paused at its own wish, or by our own back-off. */
    default void paused(Pause pause) {}

    /** A rule would have refused, had it not been a dry run. */
    default void dryRunRefusal(String rule) {}

    /** A bucket of the rule has come near its limit: four fifths of it are in use. Told again once it has been away. */
    default void nearLimit(String rule, String target) {}

    /** The store failed; {@code operation} is a word for a metric. */
    default void storeError(String operation, Throwable cause) {}
}
