package io.paceline.pace;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Optional;

/**
 * What a rate gives in the long run and in the worst case, in words.
 *
 * @param sentence for {@code check} and {@code try url}
 * @param warning what the writer of the rule may not have meant
 */
public record Sustained(String sentence, Optional<String> warning) {

    /** A burst that leaves less than half of the written limit to the even pace surprises. */
    private static final double SURPRISING_SHARE = 0.5;

    public static Sustained of(Rate rate) {
        String any = " in any " + Durations.words(rate.window());
        String never = ", never more than " + rate.limit() + any;
        String algorithm = rate.algorithm().word() + ": ";
        if (rate.spec() instanceof LimitSpec.Gcra gcra) {
            String spaced = algorithm + gcra.burst() + " at once, then one every "
                    + Durations.words(gcra.intervalMicros()) + " (" + rateWords(gcra.intervalMicros()) + " sustained)";
            return rate.algorithm() == Algorithm.GCRA
                    ? new Sustained(spaced + never, warning(rate, gcra))
                    : new Sustained(spaced + ", but up to " + rate.worstCase() + any, Optional.empty());
        }
        if (rate.spec() instanceof LimitSpec.Calendar calendar) {
            String sentence = algorithm + "up to " + rate.limit() + " in each " + calendarWords(rate.window())
                    + " of the calendar (" + calendar.zone().getId() + "), but up to " + rate.worstCase() + any
                    + " across a boundary";
            return new Sustained(sentence, Optional.empty());
        }
        return new Sustained(algorithm + "up to " + rate.limit() + " at once" + never, Optional.empty());
    }

    private static String calendarWords(Duration window) {
        return switch ((int) window.toDays()) {
            case 1 -> "day";
            case 7 -> "week, from Monday,";
            default -> Durations.words(window);
        };
    }

    private static Optional<String> warning(Rate rate, LimitSpec.Gcra gcra) {
        long windowMicros = Durations.micros(rate.window());
        double sustained = (double) windowMicros / gcra.intervalMicros();
        if (sustained >= SURPRISING_SHARE * rate.limit() || rate.limit() == 1) {
            return Optional.empty();
        }
        return Optional.of("burst " + gcra.burst() + " is near limit " + rate.limit() + ": after a burst only "
                + Math.round(sustained) + " of " + rate.limit() + " in each " + Durations.words(rate.window())
                + " are left; lower burst, or leave it out for a sliding-window");
    }

    /** Per second, minute, hour or day: the first unit in which it is at least 1. */
    private static String rateWords(long intervalMicros) {
        Duration[] units = {Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofHours(1), Duration.ofDays(1)};
        String[] words = {"s", "min", "h", "day"};
        int unit = 0;
        while (unit < units.length - 1 && Durations.micros(units[unit]) < intervalMicros) {
            unit++;
        }
        BigDecimal count = BigDecimal.valueOf(Durations.micros(units[unit]))
                .divide(BigDecimal.valueOf(intervalMicros), new MathContext(3, RoundingMode.HALF_UP));
        return count.stripTrailingZeros().toPlainString() + "/" + words[unit];
    }
}
