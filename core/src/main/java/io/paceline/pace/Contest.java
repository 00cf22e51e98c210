package io.paceline.pace;

import java.util.Locale;

/** What rules compete for: of those that match, one wins how often, and one how many at once. */
public enum Contest {
    RATE,
    CONCURRENCY;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
