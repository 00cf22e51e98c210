package io.paceline.service.api;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Times as the API writes them: seconds with up to three decimals, rounded to the side that keeps a promise. */
final class Numbers {

    private Numbers() {}

    /** A wait: rounded up, so that whoever comes back after it never comes too early. */
    static long millisUp(long micros) {
        return ceilDiv(Math.max(0, micros), 1_000L);
    }

    /** A time that is left: rounded down, so that whoever keeps to it is never too late. */
    static long millisDown(long micros) {
        return Math.max(0, micros) / 1_000;
    }

    /** Whole seconds for {@code Retry-After}, rounded up and at least 1: a herd that comes back at once is no wait. */
    static long retryAfterSeconds(long micros) {
        return Math.max(1, ceilDiv(micros, 1_000_000L));
    }

    /** {@code 1.5}, {@code 60}: a decimal number without trailing zeros or an exponent. */
    static String seconds(long millis) {
        if (millis % 1_000 == 0) {
            return Long.toString(millis / 1_000);
        }
        return BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString();
    }

    /** A bound as a person would write it: no {@code 1.0E7}. */
    static String plain(double value) {
        return BigDecimal.valueOf(value)
                .setScale(3, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }

    /** Java 18 has it in Math. */
    private static long ceilDiv(long dividend, long divisor) {
        return -Math.floorDiv(-dividend, divisor);
    }
}
