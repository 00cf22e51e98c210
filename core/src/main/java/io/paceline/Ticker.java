package io.paceline;

/** The only source of time that decisions see. Thread-safe. */
@FunctionalInterface
public interface Ticker {

    /** Microseconds since 1970-01-01T00:00:00Z; never goes back. */
    long micros();
}
