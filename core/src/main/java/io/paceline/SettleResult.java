package io.paceline;

import java.util.Locale;

/** What became of a release. */
public enum SettleResult {
    /** The lease was live and has ended now. */
    RELEASED,
    /** It had been released before; nothing changed. */
    ALREADY_RELEASED,
    /** It had ended by itself before; nothing changed. */
    EXPIRED,
    /** No such lease was ever granted here; nothing changed. */
    UNKNOWN;

    /** The snake_case word used in JSON and metrics. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
