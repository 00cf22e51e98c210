package io.paceline.sim.pace;

/** Plain additive increase, multiplicative decrease: 0.01 a second faster each second, half at a refusal, once in 2 s. */
final class Aimd implements Pacer {
    private static final double STEP = 0.01;
    private static final double LEAST = 0.02;
    private static final long ONE_EVENT_MICROS = 2_000_000;

    private double perSecond = LEAST;
    private long sinceMicros;
    private long fellMicros = -ONE_EVENT_MICROS;

    @Override
    public long intervalMicros(long nowMicros) {
        perSecond += STEP * (nowMicros - sinceMicros) / 1e6;
        sinceMicros = nowMicros;
        return (long) (1e6 / perSecond);
    }

    @Override
    public void answered(boolean served, long latencyMicros, long nowMicros) {
        if (!served && nowMicros - fellMicros >= ONE_EVENT_MICROS) {
            perSecond = Math.max(LEAST, perSecond / 2);
            fellMicros = nowMicros;
        }
    }
}
