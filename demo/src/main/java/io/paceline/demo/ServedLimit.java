package io.paceline.demo;

import java.util.Arrays;

/** A site's own limit: so many requests served in any second, the rest refused. Refusals do not count. Not thread-safe. */
final class ServedLimit {
    private static final long SECOND_MICROS = 1_000_000;

    /** When each of the last served requests came; a ring. */
    private final long[] servedAt;

    private int next;

    ServedLimit(int perSecond) {
        servedAt = new long[perSecond];
        Arrays.fill(servedAt, Long.MIN_VALUE / 2);
    }

    /** Whether a request that comes now is served. */
    boolean take(long nowMicros) {
        if (nowMicros - servedAt[next] < SECOND_MICROS) {
            return false;
        }
        servedAt[next] = nowMicros;
        next = (next + 1) % servedAt.length;
        return true;
    }
}
