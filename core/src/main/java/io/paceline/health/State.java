package io.paceline.health;

import java.util.Locale;

/** The states of an address, and of an address on one target (a cell). Callers of the API never see them. */
public enum State {
    /** Leased at full weight. */
    HEALTHY,
    /** Suspect, or too sick for a pool that can spare no more: still leased, at half its weight. */
    DEGRADED,
    /** Not leased until its wait is over. */
    QUARANTINED,
    /** Half-open: single leases test it; then slow start: leased at a weight that grows. */
    PROBING,
    /** Out after too many relapses, or for want of good credentials; tested again every day, and when nobody else is left. */
    DEAD;

    /** The snake_case word used in JSON, metrics and logs. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
