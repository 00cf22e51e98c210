package io.paceline.pace;

import java.util.Locale;

/** What a rule does with a request that is over its limit. */
public enum OnLimit {
    /** Refuses it and says when to come back. */
    REJECT,
    /** Holds it up, first come first served, where its slot comes within {@code max_wait}. */
    WAIT;

    /** The word of the configuration. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
