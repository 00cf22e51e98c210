package io.paceline.pace.hint;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * {@code Retry-After} in both forms, seconds and date (RFC 9110, section 10.2.3), and what sites write instead.
 *
 * <p>Fractions are rounded up; a list of seconds, which an intermediary makes of a repeated field, means its longest; a
 * point in time in place of seconds is taken as one. Anything else (a sign, a unit, words) is no time.
 */
final class RetryAfter {
    private RetryAfter() {}

    /** @param siteNowMicros the site's own clock, where it told it, else ours: dates are relative to it */
    static Wish read(List<String> values, long siteNowMicros) {
        Wish longest = Wish.UNREADABLE;
        for (String value : values) {
            longest = longest.or(read(Text.trim(value), siteNowMicros));
        }
        return longest;
    }

    private static Wish read(String value, long siteNowMicros) {
        BigDecimal seconds = number(value);
        if (seconds != null) {
            return Wish.secondsUnlessEpoch(seconds, siteNowMicros);
        }
        OptionalLong date = HttpDate.epochSeconds(value, siteNowMicros / 1_000_000);
        if (date.isPresent()) {
            return Wish.until(date.getAsLong(), siteNowMicros);
        }
        return value.indexOf(',') < 0 ? Wish.UNREADABLE : list(value, siteNowMicros);
    }

    /** Whole seconds are all that the field knows: a fraction means the next one. */
    private static @Nullable BigDecimal number(String value) {
        BigDecimal seconds = Wish.number(value);
        return seconds == null ? null : seconds.setScale(0, RoundingMode.CEILING);
    }

    private static Wish list(String value, long siteNowMicros) {
        Wish longest = Wish.UNREADABLE;
        for (String member : Text.members(value, ',')) {
            BigDecimal seconds = number(Text.trim(member));
            if (seconds == null) {
                return Wish.UNREADABLE;
            }
            longest = longest.or(Wish.secondsUnlessEpoch(seconds, siteNowMicros));
        }
        return longest;
    }
}
