package io.paceline.service.advice;

/** How long callers waited: a mean, and percentiles in buckets that grow by a sixth. */
final class Waits {
    private static final double GROWTH = Math.log(7.0 / 6);
    private static final long SHORTEST_MICROS = 1_000;
    /** The last bucket begins above a day. */
    private static final int BUCKETS = 120;

    private final long[] counts = new long[BUCKETS];
    private long count;
    private double sumMicros;

    void add(long micros) {
        long waited = Math.max(0, micros);
        count++;
        sumMicros += waited;
        counts[bucket(waited)]++;
    }

    private static int bucket(long micros) {
        return micros < SHORTEST_MICROS
                ? 0
                : Math.min(BUCKETS - 1, 1 + (int) (Math.log((double) micros / SHORTEST_MICROS) / GROWTH));
    }

    double meanSeconds() {
        return count == 0 ? 0 : sumMicros / count / 1e6;
    }

    /** A wait that so large a share stayed below: the upper end of its bucket. */
    double percentileSeconds(double share) {
        long rank = (long) Math.ceil(share * count);
        long seen = 0;
        for (int i = 0; i < BUCKETS; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return SHORTEST_MICROS * Math.exp(i * GROWTH) / 1e6;
            }
        }
        return 0;
    }
}
