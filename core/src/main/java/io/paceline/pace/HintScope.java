package io.paceline.pace;

import java.util.Locale;

/** Whom a wait that a site asks for is meant for: {@code targets[].hints}. */
public enum HintScope {
    /** The whole fleet pauses the target: another address would only be told the same. */
    TARGET,
    /** The address that was told pauses there: for sites that count by address. */
    ADDRESS;

    /** The word of the configuration. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
