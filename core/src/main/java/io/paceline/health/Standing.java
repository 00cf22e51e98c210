package io.paceline.health;

import java.util.Objects;

/**
 * What judgement and people have decided about an address or a cell: replaced as a whole, by compare-and-set.
 *
 * @param state where it stands by judgement
 * @param epoch grows whenever judgement or a ban ends or starts service; an outcome of an older epoch trains nothing
 * @param sinceMicros when it entered this state
 * @param untilMicros when the state ends by itself: the end of a wait, of a slow start; 0 where it does not
 * @param waitMicros the length of the last quarantine; 0 where there was none or it is forgiven
 * @param relapses quarantines in a row, as far as they are remembered
 * @param rampFromMicros with {@link State#PROBING}: when slow start began; 0 while half-open
 * @param outSinceMicros when service ended, relapses included; with {@link State#DEGRADED} when it was convicted though the
 *     pool could not spare it; 0 while in service otherwise
 * @param hold what people have set beside the state
 */
public record Standing(
        State state,
        int epoch,
        long sinceMicros,
        long untilMicros,
        long waitMicros,
        int relapses,
        long rampFromMicros,
        long outSinceMicros,
        Hold hold) {

    public Standing {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(hold, "hold");
    }

    /** A standing by judgement alone. */
    public Standing(
            State state,
            int epoch,
            long sinceMicros,
            long untilMicros,
            long waitMicros,
            int relapses,
            long rampFromMicros,
            long outSinceMicros) {
        this(state, epoch, sinceMicros, untilMicros, waitMicros, relapses, rampFromMicros, outSinceMicros, Hold.NONE);
    }

    /** How every address and cell begins. */
    public static Standing fresh(int epoch, long nowMicros) {
        return new Standing(State.HEALTHY, epoch, nowMicros, 0, 0, 0, 0, 0);
    }

    /** The same subject in service from now on, with its memory of waits and relapses, and the same epoch. */
    public Standing inState(State next, long nowMicros) {
        return new Standing(next, epoch, nowMicros, 0, waitMicros, relapses, 0, 0, hold);
    }

    /** The same by judgement, under another hold. A ban's begin and end are a new epoch: old outcomes say nothing then. */
    public Standing under(Hold other) {
        int next = hold.banned() == other.banned() ? epoch : epoch + 1;
        return new Standing(
                state, next, sinceMicros, untilMicros, waitMicros, relapses, rampFromMicros, outSinceMicros, other);
    }

    /** This judgement under what people had set when it was passed: judgement never touches that. */
    public Standing keeping(Hold set) {
        return hold.equals(set)
                ? this
                : new Standing(
                        state,
                        epoch,
                        sinceMicros,
                        untilMicros,
                        waitMicros,
                        relapses,
                        rampFromMicros,
                        outSinceMicros,
                        set);
    }

    /** Leases may be granted as to any other, at whatever weight. */
    public boolean inService() {
        return hold.isNone() && fit();
    }

    /** Leases may be granted to sessions that are bound to it. */
    public boolean servesSessions() {
        return !hold.closed() && fit();
    }

    /** In service by judgement, whatever people have set. */
    public boolean fit() {
        return state == State.HEALTHY || state == State.DEGRADED || slowStarting();
    }

    /** Out by judgement, and not tested yet. */
    public boolean ejected() {
        return !fit() && !tested();
    }

    /** Only single leases that test it may be granted. */
    public boolean halfOpen() {
        return hold.isNone() && tested();
    }

    /** On its way back by judgement, whatever people have set: a dead one stays dead until its tests are passed. */
    private boolean tested() {
        return (state == State.PROBING && rampFromMicros == 0) || (state == State.DEAD && untilMicros == 0);
    }

    /** Convicted, and in service only because the pool cannot spare it: cap or floor forbade to put it out. */
    public boolean spared() {
        return state == State.DEGRADED && outSinceMicros != 0;
    }

    /** The same subject in service, spared from now on. */
    Standing asSpared(long nowMicros) {
        return new Standing(State.DEGRADED, epoch, nowMicros, 0, waitMicros, relapses, 0, nowMicros, hold);
    }

    /** Full weight is being approached. */
    public boolean slowStarting() {
        return state == State.PROBING && rampFromMicros != 0;
    }

    /** One of the members over which cap and floor are counted: neither dead nor held by people. */
    public boolean counts() {
        return hold.isNone() && state != State.DEAD;
    }

    /** Its sessions have lost it for good. */
    public boolean gone() {
        return hold.banned() || state == State.DEAD;
    }

    /** Outcomes may move it: it is leased, or tested. */
    public boolean judged() {
        return !hold.closed() && (fit() || tested());
    }

    /** With panic it may be leased though it is out: never what is dead, or held by people. */
    public boolean leasedInPanic() {
        return counts() && !fit();
    }

    /** When something about it ends by itself, the first of what does; 0 where nothing does. */
    public long dueMicros() {
        long ban = hold.banUntilMicros();
        return ban == 0 || untilMicros == 0 ? Math.max(ban, untilMicros) : Math.min(ban, untilMicros);
    }

    /** While nothing is leased: when it may be tested or leased again, at the earliest; 0 where nobody knows. */
    public long returnMicros() {
        boolean openEnded = hold.frozen() || hold.draining() || (hold.banned() && hold.banUntilMicros() == 0);
        if (openEnded) {
            return 0;
        }
        return Math.max(hold.banUntilMicros(), fit() ? 0 : untilMicros);
    }

    /** The word that people read: what people have set, else the state. */
    public String word() {
        return hold.isNone() ? state.word() : hold.word();
    }
}
