package io.paceline.scale;

/** How far a decision may trust a figure, best first. */
public enum Quality {
    /** Measured in full, and fresh. */
    GOOD,
    /** A lower bound, or in contradiction with another figure: may raise the count, never lower it. */
    PARTIAL,
    /** Too old to act on. */
    STALE,
    /** Never read, or the reading failed. */
    UNKNOWN;

    /** Whether a decision may look at the value at all. */
    public boolean usable() {
        return this == GOOD || this == PARTIAL;
    }

    static Quality worse(Quality a, Quality b) {
        return a.compareTo(b) >= 0 ? a : b;
    }
}
