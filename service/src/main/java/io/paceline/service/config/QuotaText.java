package io.paceline.service.config;

import io.paceline.pace.Quota.Amount;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Amounts in a window as people write them: {@code 100000/day}, {@code 10GiB/day}, {@code 5.00/week}. */
final class QuotaText {

    private static final Pattern SIZE = Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,9})?) ?([kKMGT]i?B|B)?");
    private static final Pattern MONEY = Pattern.compile("[0-9]{1,9}(?:\\.[0-9]{1,9})?");
    private static final Pattern COUNT = Pattern.compile("[0-9]{1,10}");
    private static final BigDecimal BILLION = BigDecimal.valueOf(1_000_000_000);

    private static final Map<String, Duration> WINDOWS = Map.of(
            "minute", Duration.ofMinutes(1),
            "hour", Duration.ofHours(1),
            "day", Duration.ofDays(1),
            "week", Duration.ofDays(7),
            "min", Duration.ofMinutes(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1),
            "w", Duration.ofDays(7));

    private QuotaText() {}

    /** Permits: a whole number. */
    static Amount permits(String text) {
        return amount("permits", text, "100000/day", number -> {
            if (!COUNT.matcher(number).matches()) {
                throw unfit("permits", text, "100000/day");
            }
            return Long.parseLong(number);
        });
    }

    /** Octets: {@code 10GiB} is 10 x 2^30, {@code 10GB} is 10 x 10^9. */
    static Amount bytes(String text) {
        return amount("bytes", text, "10GiB/day", number -> {
            Matcher size = SIZE.matcher(number);
            if (!size.matches()) {
                throw unfit("bytes", text, "10GiB/day");
            }
            return whole(new BigDecimal(size.group(1)).multiply(unit(size.group(2))));
        });
    }

    /** Billionths of the currency. */
    static Amount money(String text) {
        return amount("money", text, "5.00/day", number -> {
            if (!MONEY.matcher(number).matches()) {
                throw unfit("money", text, "5.00/day");
            }
            return whole(new BigDecimal(number).multiply(BILLION));
        });
    }

    /** A price, in billionths of the currency. */
    static long price(String name, String text) {
        if (!MONEY.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    name + " \"" + text + "\" is no price: write an amount of money, such as " + name + ": 0.0005");
        }
        return whole(new BigDecimal(text).multiply(BILLION));
    }

    private static Amount amount(String name, String text, String example, Function<String, Long> most) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException(name + " \"" + text
                    + "\" has no window: write the amount, a slash and a minute, hour, day or week, such as "
                    + example);
        }
        String word = text.substring(slash + 1).trim().toLowerCase(Locale.ROOT);
        Duration window = WINDOWS.get(word);
        if (window == null) {
            window = written(name, text, word, example);
        }
        long counted = most.apply(text.substring(0, slash).trim());
        try {
            return new Amount(counted, window);
        } catch (IllegalArgumentException unfit) {
            throw new IllegalArgumentException(
                    name + " \"" + text + "\": " + unfit.getMessage() + ", such as " + example, unfit);
        }
    }

    /** A window such as {@code 6h}. */
    private static Duration written(String name, String text, String word, String example) {
        if (word.startsWith("month") || word.startsWith("year")) {
            throw new IllegalArgumentException(name + " \"" + text
                    + "\": months and years are no windows, they differ in length; write a day or a week, such as "
                    + example);
        }
        try {
            return DurationText.parse(word);
        } catch (IllegalArgumentException unknown) {
            throw unfit(name, text, example);
        }
    }

    private static IllegalArgumentException unfit(String name, String text, String example) {
        return new IllegalArgumentException(name + " \"" + text + "\" is no amount in a window: write " + name + ": "
                + example + " (a minute, hour, day or week)");
    }

    private static BigDecimal unit(@Nullable String word) {
        if (word == null || word.equals("B")) {
            return BigDecimal.ONE;
        }
        int power = 1 + "kMGT".indexOf(word.charAt(0) == 'K' ? 'k' : word.charAt(0));
        return BigDecimal.valueOf(word.length() == 3 ? 1_024 : 1_000).pow(power);
    }

    private static long whole(BigDecimal number) {
        return number.setScale(0, RoundingMode.HALF_UP)
                .min(BigDecimal.valueOf(Long.MAX_VALUE))
                .longValueExact();
    }
}
