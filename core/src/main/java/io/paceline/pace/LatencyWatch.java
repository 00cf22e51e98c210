package io.paceline.pace;

/**
 * Whether a target answers much slower than it used to: a site under strain gets slow before it refuses.
 *
 * <p>Two moving averages of the latency of successes, over about 20 of them and over about 500. Twice the long one is slow,
 * and slow it stays until below one and a half. What is slow does not become the norm. No single answer counts for more than
 * ten times the norm. Immutable.
 *
 * @param normMicros the long average; 0 where nothing is known
 * @param recentMicros the short one
 * @param outcomes how many were seen, up to 500
 * @param slowFor outcomes since it has been slow; 0 where it is not
 */
public record LatencyWatch(double normMicros, double recentMicros, int outcomes, int slowFor) {
    public static final LatencyWatch NEW = new LatencyWatch(0, 0, 0, 0);

    /** Before so many outcomes nobody knows what is usual. */
    static final int KNOWN = 50;

    /** While it stays slow, the pace falls again after so many outcomes. */
    static final int AGAIN = 50;

    private static final int SHORT = 20;
    private static final int LONG = 500;
    private static final double SLOW = 2;
    private static final double WELL = 1.5;
    private static final double MOST = 10;

    /** After one more success that took so long. */
    public LatencyWatch after(long latencyMicros) {
        double latency = normMicros == 0 ? (double) latencyMicros : Math.min((double) latencyMicros, MOST * normMicros);
        double recent = recentMicros + (latency - recentMicros) / Math.min(outcomes + 1, SHORT);
        boolean known = outcomes >= KNOWN;
        boolean slow = known && recent > (slowFor > 0 ? WELL : SLOW) * normMicros;
        double norm = slow ? normMicros : normMicros + (latency - normMicros) / Math.min(outcomes + 1, LONG);
        return new LatencyWatch(norm, recent, Math.min(outcomes + 1, LONG), slow ? slowFor + 1 : 0);
    }

    /** Whether the last outcome made it slow, or it has stayed slow for another while: the pace must fall. */
    public boolean tooFast() {
        return slowFor > 0 && (slowFor - 1) % AGAIN == 0;
    }
}
