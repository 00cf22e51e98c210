package io.paceline.sim.pool;

import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong for a while: the ground truth that judgement is judged by.
 *
 * @param subject whose fault it is
 * @param address with {@link Subject#ADDRESS} and {@link Subject#CELL}, else -1
 * @param target with {@link Subject#TARGET} and {@link Subject#CELL}, else -1
 * @param provider with {@link Subject#PROVIDER}, else null
 * @param fromMicros when it begins
 * @param untilMicros when it is over
 * @param rampMicros how long its share grows from 0; 0 where it is there at once
 * @param share of tries that fail by it, 0 to 1
 * @param looks how such a try looks
 * @param slowdown factor on the latency of every try; 1 for none
 */
record Fault(
        Subject subject,
        int address,
        int target,
        @Nullable String provider,
        long fromMicros,
        long untilMicros,
        long rampMicros,
        double share,
        Looks looks,
        double slowdown) {

    static final long FOR_EVER = Long.MAX_VALUE;

    /** Whose fault it can be. */
    enum Subject {
        ADDRESS,
        CELL,
        PROVIDER,
        TARGET,
        OWN
    }

    static Fault ofAddress(int address, double share, Face face) {
        return new Fault(Subject.ADDRESS, address, -1, null, 0, FOR_EVER, 0, share, Looks.only(face), 1);
    }

    static Fault slow(int address, double factor) {
        return new Fault(Subject.ADDRESS, address, -1, null, 0, FOR_EVER, 0, 0, Looks.only(Face.OK), factor);
    }

    static Fault ofCell(int address, int target, double share, Face face) {
        return new Fault(Subject.CELL, address, target, null, 0, FOR_EVER, 0, share, Looks.only(face), 1);
    }

    static Fault ofProvider(String provider, double share, Face face) {
        return new Fault(Subject.PROVIDER, -1, -1, provider, 0, FOR_EVER, 0, share, Looks.only(face), 1);
    }

    static Fault ofTarget(int target, double share, Looks looks) {
        return new Fault(Subject.TARGET, -1, target, null, 0, FOR_EVER, 0, share, looks, 1);
    }

    static Fault ofOwnSide(double share, Face face) {
        return new Fault(Subject.OWN, -1, -1, null, 0, FOR_EVER, 0, share, Looks.only(face), 1);
    }

    /** The same, for a while. */
    Fault during(long from, long until) {
        return new Fault(subject, address, target, provider, from, until, rampMicros, share, looks, slowdown);
    }

    /** The same, growing from nothing. */
    Fault growingOver(long micros) {
        return new Fault(subject, address, target, provider, fromMicros, untilMicros, micros, share, looks, slowdown);
    }

    boolean activeAt(long nowMicros) {
        return nowMicros >= fromMicros && nowMicros < untilMicros;
    }

    double shareAt(long nowMicros) {
        if (!activeAt(nowMicros)) {
            return 0;
        }
        return rampMicros == 0 ? share : share * Math.min(1, (nowMicros - fromMicros) / (double) rampMicros);
    }
}
