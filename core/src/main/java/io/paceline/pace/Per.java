package io.paceline.pace;

import java.util.Locale;

/** A word of {@code per}: one part of what tells the buckets of a rule apart. */
public enum Per {
    /** Each target that matches has its own. */
    TARGET,
    /** Each address that serves has its own, in each pool. */
    ADDRESS,
    /** Each session has its own; requests without a session share one. */
    SESSION,
    /** Each client id has its own; requests without one share one. */
    CLIENT,
    /** Each tenant has its own. */
    TENANT,
    /** One for all that match. */
    RULE,
    /** One for everybody: as {@link #RULE}, whoever the rule belongs to. */
    GLOBAL;

    /** The word of the configuration. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the word leaves one bucket, so that beside another word it would say nothing. */
    boolean standsAlone() {
        return this == RULE || this == GLOBAL;
    }
}
