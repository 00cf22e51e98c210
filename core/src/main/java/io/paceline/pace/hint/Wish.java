package io.paceline.pace.hint;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * What one field value asks for: a time to wait in microseconds, 0 for "no wait", or {@link #UNREADABLE}.
 *
 * @param waitMicros as asked, before any cap
 * @param note what was put right, or why nothing can be made of it; null where it was plain
 */
record Wish(long waitMicros, @Nullable String note) {
    static final Wish UNREADABLE = new Wish(-1, "is no time");

    /** Stands for any time beyond every cap; far enough from the end of a long to be added to. */
    static final long FAR_MICROS = Long.MAX_VALUE / 4;

    private static final long YEAR_SECONDS = 366L * 86_400;
    /** What no wait is in seconds, and every epoch of our time is: 2001 on. */
    private static final long SMALLEST_EPOCH = 1_000_000_000L;

    private static final long SMALLEST_EPOCH_MILLIS = SMALLEST_EPOCH * 1_000 / 10;
    private static final long SMALLEST_EPOCH_MICROS = SMALLEST_EPOCH_MILLIS * 1_000;

    static Wish ofMicros(long micros) {
        return micros > 0 ? new Wish(micros, null) : new Wish(0, "asks for no wait");
    }

    static Wish until(long epochSeconds, long nowMicros) {
        return epochSeconds > FAR_MICROS / 1_000_000
                ? new Wish(FAR_MICROS, null)
                : ofMicros(epochSeconds * 1_000_000 - nowMicros);
    }

    Wish with(String remark) {
        return new Wish(waitMicros, remark);
    }

    boolean asksForWait() {
        return waitMicros > 0;
    }

    /** The longer of two. */
    Wish or(Wish other) {
        return other.waitMicros > waitMicros ? other : this;
    }

    // ---- numbers

    /** A number of digits, with a fraction or without; null for anything else: no sign, no exponent, no "NaN". */
    static @Nullable BigDecimal number(String text) {
        boolean fraction = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.' && !fraction && i > 0 && i < text.length() - 1) {
                fraction = true;
            } else if (c < '0' || c > '9') {
                return null;
            }
        }
        return text.isEmpty() || text.length() > 100 ? null : new BigDecimal(text);
    }

    /** So many seconds from now, rounded up to the microsecond: never a shorter wait than was asked for. */
    static Wish seconds(BigDecimal seconds) {
        BigDecimal micros = seconds.movePointRight(6).setScale(0, RoundingMode.CEILING);
        return micros.compareTo(BigDecimal.valueOf(FAR_MICROS)) >= 0
                ? new Wish(FAR_MICROS, null)
                : ofMicros(micros.longValueExact());
    }

    /**
     * A number that some sites mean as seconds from now and others as a point in time: its size decides. Below 10^9 (31
     * years) it is seconds from now, then seconds, milliseconds or microseconds since 1970.
     */
    static Wish secondsOrEpoch(BigDecimal number, long nowMicros) {
        if (number.compareTo(BigDecimal.valueOf(SMALLEST_EPOCH)) < 0) {
            return seconds(number);
        }
        return ofEpoch(number, nowMicros);
    }

    private static Wish ofEpoch(BigDecimal number, long nowMicros) {
        BigDecimal seconds = number.compareTo(BigDecimal.valueOf(SMALLEST_EPOCH_MILLIS)) < 0
                ? number
                : number.movePointLeft(number.compareTo(BigDecimal.valueOf(SMALLEST_EPOCH_MICROS)) < 0 ? 3 : 6);
        BigDecimal ahead = seconds.subtract(BigDecimal.valueOf(nowMicros, 6));
        return ahead.signum() > 0 ? seconds(ahead) : new Wish(0, "is in the past");
    }

    /**
     * A number in a field that is defined as seconds from now. A value that is a point in time within a year of now was
     * meant as one: literally it would ask for half a century.
     */
    static Wish secondsUnlessEpoch(BigDecimal number, long nowMicros) {
        if (number.compareTo(BigDecimal.valueOf(SMALLEST_EPOCH)) >= 0) {
            BigDecimal seconds =
                    number.compareTo(BigDecimal.valueOf(SMALLEST_EPOCH_MILLIS)) < 0 ? number : number.movePointLeft(3);
            BigDecimal distance = seconds.subtract(BigDecimal.valueOf(nowMicros, 6));
            if (distance.abs().compareTo(BigDecimal.valueOf(YEAR_SECONDS)) < 0) {
                return ofEpoch(number, nowMicros).with("was read as a point in time");
            }
        }
        return seconds(number);
    }
}
