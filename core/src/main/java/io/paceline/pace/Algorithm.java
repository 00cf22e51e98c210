package io.paceline.pace;

import java.util.Locale;

/** How a rate rule counts. */
public enum Algorithm {
    /** All of the limit may go at once; never more than the limit in any window. */
    SLIDING_WINDOW,
    /** A burst may go at once, the rest is spaced evenly; never more than the limit in any window. */
    GCRA,
    /** The limit refills evenly and a burst may be saved up: up to limit + burst - 1 in the worst window. */
    TOKEN_BUCKET,
    /**
     * Counted by windows of the calendar in a named time zone, for quotas: never more than the limit in one of those, up to
     * twice the limit across the line between two.
     */
    FIXED_WINDOW;

    /** The word of the configuration: {@code sliding-window}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
