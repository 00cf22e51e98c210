package io.paceline.service.config;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 100ms}, {@code 30s}, {@code 1h30m}, {@code 1d}. */
public final class DurationText {

    private static final Pattern PART = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,6})?)(ms|s|m|h|d)");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+(\\.[0-9]+)?");
    private static final Duration MAX = Duration.ofDays(3_650);

    private DurationText() {}

    /** @throws IllegalArgumentException saying what to write instead */
    public static Duration parse(String text) {
        if (NUMBER.matcher(text).matches()) {
            throw new IllegalArgumentException("has no unit: write " + text + "s, or one of ms, s, m, h, d");
        }
        Matcher part = PART.matcher(text);
        Duration total = Duration.ZERO;
        Duration lastUnit = MAX;
        int at = 0;
        while (part.find() && part.start() == at) {
            Duration unit = unit(part.group(2));
            if (unit.compareTo(lastUnit) >= 0) {
                throw malformed();
            }
            total = total.plus(times(unit, new BigDecimal(part.group(1))));
            lastUnit = unit;
            at = part.end();
        }
        if (at == 0 || at < text.length()) {
            throw malformed();
        }
        if (total.compareTo(MAX) > 0) {
            throw new IllegalArgumentException("is longer than ten years: check the unit");
        }
        return total;
    }

    /** The shortest text that {@link #parse} reads back: {@code 1h30m}. */
    static String format(Duration duration) {
        if (duration.isZero()) {
            return "0s";
        }
        StringBuilder text = new StringBuilder();
        append(text, duration.toDays(), "d");
        append(text, duration.toHoursPart(), "h");
        append(text, duration.toMinutesPart(), "m");
        append(text, duration.toSecondsPart(), "s");
        append(text, duration.toMillisPart(), "ms");
        return text.toString();
    }

    private static void append(StringBuilder text, long count, String unit) {
        if (count != 0) {
            text.append(count).append(unit);
        }
    }

    private static Duration unit(String word) {
        return switch (word) {
            case "ms" -> Duration.ofMillis(1);
            case "s" -> Duration.ofSeconds(1);
            case "m" -> Duration.ofMinutes(1);
            case "h" -> Duration.ofHours(1);
            default -> Duration.ofDays(1);
        };
    }

    private static Duration times(Duration unit, BigDecimal count) {
        return Duration.ofNanos(BigDecimal.valueOf(unit.toNanos())
                .multiply(count)
                .setScale(0, RoundingMode.HALF_UP)
                .min(BigDecimal.valueOf(Long.MAX_VALUE))
                .longValueExact());
    }

    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException(
                "is no duration: write a number with ms, s, m, h or d, such as 30s or 1h30m");
    }
}
