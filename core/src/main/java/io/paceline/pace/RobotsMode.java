package io.paceline.pace;

import java.util.Locale;

/** What a site's robots.txt is to us: {@code targets[].robots}. */
public enum RobotsMode {
    /** What it disallows is refused, and its crawl delay kept. */
    OBEY,
    /** Its crawl delay is kept; what to fetch is for the caller to know. */
    DELAY_ONLY,
    /** It is not fetched. */
    IGNORE;

    /** What holds where nothing is configured. */
    public static final RobotsMode DEFAULT = IGNORE;

    /** The word of the configuration. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
