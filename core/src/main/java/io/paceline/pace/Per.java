package io.paceline.pace;

import java.util.Locale;

/** What shares a bucket of a rule. */
public enum Per {
    /** Each target that matches has its own. */
    TARGET,
    /** One for all that match. */
    RULE;

    /** The word of the configuration. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
