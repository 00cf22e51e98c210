package io.paceline.sim.pool;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One way to choose addresses and to learn from what became of them. Told only what a client sees. One thread. */
interface Policy {

    /**
     * One request that wants to leave.
     *
     * @param number of the request: 0, 1, 2, ...
     * @param target which site
     * @param session the key that should keep one address, or null
     */
    record Ask(long number, int target, @Nullable String session) {}

    /** What the policy says to a request. */
    sealed interface Choice {

        /**
         * @param address leave from here
         * @param receipt whatever the policy wants to have back with the outcome
         */
        record Use(int address, Object receipt) implements Choice {}

        /** Nothing can be had now. */
        record Refused(String reason) implements Choice {}

        /** The session has lost its address, and the client is told so instead of being moved in silence. */
        record SessionEnded() implements Choice {}
    }

    /** Chooses, now or later; {@code then} is called once. */
    void choose(Ask ask, Consumer<Choice> then);

    /** A try has ended. */
    void learn(Ask ask, Choice.Use use, Face face, long latencyMicros);

    /** The pool consists of these addresses from now on; called once before the first request. */
    void members(List<Integer> addresses);

    /** The process begins anew: what is kept outside it survives. */
    void restart();

    /** The client has done with a session. */
    void endSession(String session);

    /** The client was told that its session has moved to this address. */
    default boolean announced(Choice.Use use) {
        return false;
    }

    /** Everything broken so far that must never be, in words; empty for policies that promise nothing. */
    default List<String> violations() {
        return List.of();
    }

    /** Each list of a policy's own choosing without sessions has nothing to forget. */
    abstract class Plain implements Policy {
        @Override
        public void endSession(String session) {
            // These policies know no sessions.
        }
    }
}
