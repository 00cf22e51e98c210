package io.paceline.sim.pool;

/**
 * A control URL and when it is dead.
 *
 * @param fromMicros it is dead from then on
 * @param untilMicros until then; {@link Fault#FOR_EVER} where nobody mends it
 */
record Control(String url, long fromMicros, long untilMicros) {

    /** One that always answers. */
    static Control alive(String url) {
        return new Control(url, Fault.FOR_EVER, Fault.FOR_EVER);
    }

    boolean deadAt(long nowMicros) {
        return nowMicros >= fromMicros && nowMicros < untilMicros;
    }

    /** Whether anybody can ever find it dead. */
    boolean dies() {
        return fromMicros != Fault.FOR_EVER;
    }
}
