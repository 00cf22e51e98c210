package io.paceline.health;

import java.util.Objects;

/**
 * What the judgement has decided about an address or a cell: replaced as a whole, by compare-and-set.
 *
 * @param state where it stands
 * @param epoch grows whenever service ends or starts; an outcome of an older epoch trains nothing
 * @param sinceMicros when it entered this state
 * @param untilMicros when the state ends by itself: the end of a wait, of a slow start; 0 where it does not
 * @param waitMicros the length of the last quarantine; 0 where there was none or it is forgiven
 * @param relapses quarantines in a row, as far as they are remembered
 * @param rampFromMicros with {@link State#PROBING}: when slow start began; 0 while half-open
 * @param outSinceMicros when service ended, relapses included; 0 while in service
 */
public record Standing(
        State state,
        int epoch,
        long sinceMicros,
        long untilMicros,
        long waitMicros,
        int relapses,
        long rampFromMicros,
        long outSinceMicros) {

    public Standing {
        Objects.requireNonNull(state, "state");
    }

    /** How every address and cell begins. */
    public static Standing fresh(int epoch, long nowMicros) {
        return new Standing(State.HEALTHY, epoch, nowMicros, 0, 0, 0, 0, 0);
    }

    /** The same subject in service from now on, with its memory of waits and relapses, and the same epoch. */
    public Standing inState(State next, long nowMicros) {
        return new Standing(next, epoch, nowMicros, 0, waitMicros, relapses, 0, 0);
    }

    /** Leases may be granted as to any other, at whatever weight. */
    public boolean inService() {
        return state != State.QUARANTINED && !halfOpen();
    }

    /** Only single leases that test it may be granted. */
    public boolean halfOpen() {
        return state == State.PROBING && rampFromMicros == 0;
    }

    /** Full weight is being approached. */
    public boolean slowStarting() {
        return state == State.PROBING && rampFromMicros != 0;
    }
}
