package io.paceline.sim.pace;

/** A fixed rate that learns nothing. */
record Fixed(double perSecond) implements Pacer {
    @Override
    public long intervalMicros(long nowMicros) {
        return (long) (1e6 / perSecond);
    }

    @Override
    public void answered(boolean served, long latencyMicros, long nowMicros) {
        // Fixed.
    }
}
