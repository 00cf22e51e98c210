package io.paceline.demo.history;

import org.jspecify.annotations.Nullable;

/**
 * Something that a caller asked for and was told. All times are microseconds on one monotonic clock: what a gatekeeper
 * decided, it decided between the call and its answer.
 */
public sealed interface Event {

    /** When it was asked for. */
    long calledMicros();

    /** When the answer was there, or was given up. */
    long answeredMicros();

    /** Who was asked: the name of one process from its start to its end. */
    String instance();

    /** @param session null without one */
    record Ask(String pool, String target, @Nullable String session) {}

    /**
     * The right to send one request.
     *
     * @param lease its text
     * @param lifeMicros how long it lasts, as told; it began no earlier than the call
     * @param migrated its session was told that it has moved
     */
    record Permit(
            long calledMicros,
            long answeredMicros,
            String instance,
            Ask ask,
            String lease,
            String address,
            long lifeMicros,
            boolean migrated)
            implements Event {}

    /** @param reason the word of the API, such as {@code no_address} */
    record Refusal(long calledMicros, long answeredMicros, String instance, Ask ask, String reason) implements Event {}

    /** No answer came: nobody knows whether there is a permit. */
    record Silence(long calledMicros, long answeredMicros, String instance, Ask ask) implements Event {}

    /** @param canceled the permit was given back unused */
    record Release(long calledMicros, long answeredMicros, String instance, String lease, boolean canceled, End end)
            implements Event {}

    /** What a release was told. */
    enum End {
        RELEASED,
        ALREADY_RELEASED,
        EXPIRED,
        UNKNOWN,
        /** Nothing: no answer came. */
        SILENCE
    }

    /** @param lifeMicros what is left of the lease, as told; 0 where it was not renewed */
    record Renewal(long calledMicros, long answeredMicros, String instance, String lease, long lifeMicros)
            implements Event {}

    /**
     * A person has banned an address, or lifted the ban.
     *
     * @param carriedOut what was told; false where no answer came
     */
    record Order(
            long calledMicros, long answeredMicros, String instance, String address, boolean ban, boolean carriedOut)
            implements Event {}

    /** How an instance stood to the shared store. */
    record Look(long calledMicros, long answeredMicros, String instance, Mode mode) implements Event {}

    /** What a look shows. */
    enum Mode {
        /** The shared store decides. */
        SHARED,
        /** It goes on alone, or waits to. */
        APART,
        /** It did not say. */
        UNKNOWN,
        /** The process has ended. */
        GONE
    }

    /**
     * Something was done to the store or to an instance.
     *
     * @param calledMicros when it began
     * @param answeredMicros when its cause was over
     * @param instance whom it befell; empty for the store
     */
    record Fault(long calledMicros, long answeredMicros, String instance, String name) implements Event {}
}
