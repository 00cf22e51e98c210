package io.paceline.store;

import java.util.List;

/**
 * Some of a chain's live sessions.
 *
 * @param next where the next page begins; {@link #END} after the last. While sessions come and go, one may be missed or
 *     shown twice
 */
public record SessionPage(List<SessionRow> rows, long next) {
    /** There is no next page. */
    public static final long END = -1;

    public SessionPage {
        rows = List.copyOf(rows);
    }
}
