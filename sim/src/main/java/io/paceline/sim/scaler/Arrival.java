package io.paceline.sim.scaler;

/**
 * A task before its life begins; times are microseconds since the scenario's start.
 *
 * @param id counts from 0
 * @param atMicros when it comes in
 * @param workSeconds what one undisturbed attempt takes
 * @param dueMicros when it must be done, or {@link #NO_DUE}
 * @param pausedUntilMicros its target allows it from then on; 0 is at once
 */
record Arrival(long id, long atMicros, double workSeconds, long dueMicros, long pausedUntilMicros) {

    static final long NO_DUE = -1;
}
