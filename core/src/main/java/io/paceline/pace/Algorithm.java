package io.paceline.pace;

import java.util.Locale;

/** How a rate rule counts. */
public enum Algorithm {
    /** All of the limit may go at once; never more than the limit in any window. */
    SLIDING_WINDOW,
    /** A burst may go at once, the rest is spaced evenly; never more than the limit in any window. */
    GCRA;

    /** The word of the configuration: {@code sliding-window}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
