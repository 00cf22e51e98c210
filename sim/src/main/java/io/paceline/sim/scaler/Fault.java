package io.paceline.sim.scaler;

/** Something that goes wrong; seconds since the scenario's start. */
sealed interface Fault {

    /** From one second (included) to another (excluded). */
    record Span(double from, double to) {

        boolean covers(double second) {
            return second >= from && second < to;
        }
    }

    /** That share of attempts fails. */
    record Outage(Span span, double share) implements Fault {}

    /** Attempts that begin then take so many times as long. */
    record Slow(Span span, double factor) implements Fault {}

    /** What the monitor sees of the queue is wrong. */
    record Blind(Span span, Kind kind) implements Fault {

        /** In which way. */
        enum Kind {
            DOWN,
            ZERO,
            STALE
        }
    }

    /** Every so many seconds one worker dies with its tasks. */
    record Crashes(Span span, double everySeconds) implements Fault {}

    /** During that span the scaler's clock is so many seconds off. */
    record WrongClock(Span span, double bySeconds) implements Fault {}

    /** The scaler is stopped and started anew at that second, without its memory. */
    record Restart(double atSecond) implements Fault {}
}
