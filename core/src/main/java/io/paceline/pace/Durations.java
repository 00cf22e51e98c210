package io.paceline.pace;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/** Durations as numbers of microseconds, and in the words of messages. */
final class Durations {
    private Durations() {}

    static long micros(Duration duration) {
        return Math.addExact(Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1_000);
    }

    static String words(Duration duration) {
        return seconds(BigDecimal.valueOf(duration.getSeconds()).add(BigDecimal.valueOf(duration.getNano(), 9)));
    }

    static String words(long micros) {
        return seconds(BigDecimal.valueOf(micros, 6));
    }

    /** Four significant digits at most, for people. */
    private static String seconds(BigDecimal seconds) {
        if (seconds.signum() == 0) {
            return "0 s";
        }
        if (seconds.abs().compareTo(BigDecimal.ONE) < 0) {
            return plain(seconds.movePointRight(3)) + " ms";
        }
        return plain(seconds) + " s";
    }

    private static String plain(BigDecimal number) {
        int scale = Math.max(0, 4 - (number.precision() - number.scale()));
        return number.setScale(Math.min(scale, 3), RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }
}
