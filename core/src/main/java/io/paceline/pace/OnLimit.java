package io.paceline.pace;

import java.util.Locale;

/** What a rule does with a request that is over its limit. */
public enum OnLimit {
    /** Refuses it and says when to come back. */
    REJECT,
    /** Holds it up, first come first served, where its slot comes within {@code max_wait}. */
    WAIT,
    /** Answers with a ticket for the slot, where it comes within {@code max_wait} and the caller did not ask to be held. */
    RESERVE;

    /** The word of the configuration. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
