package io.paceline.pace.hint;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The three forms of a date in HTTP (RFC 9110, section 5.6.7), all of them UTC whatever the zone of this machine:
 *
 * <pre>
 *   Sun, 01 Mar 2026 12:02:00 GMT     IMF-fixdate
 *   Sunday, 01-Mar-26 12:02:00 GMT    RFC 850: a year that seems over 50 years ahead is of the century before
 *   Sun Mar  1 12:02:00 2026          asctime
 * </pre>
 *
 * <p>The name of the day must be one, but need not be the right one: it decides nothing, and sites get it wrong.
 */
final class HttpDate {
    private static final String DAY = "(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?";
    private static final String TIME = "(\\d\\d):(\\d\\d):(\\d\\d)";
    private static final Pattern IMF = pattern(DAY + ", (\\d{1,2}) (\\p{Alpha}{3}) (\\d{4}) " + TIME + " (?:GMT|UTC)");
    private static final Pattern RFC850 =
            pattern(DAY + ", (\\d{1,2})-(\\p{Alpha}{3})-(\\d{2}) " + TIME + " (?:GMT|UTC)");
    private static final Pattern ASCTIME = pattern(DAY + " (\\p{Alpha}{3}) ([ \\d]\\d) " + TIME + " (\\d{4})");
    private static final List<String> MONTHS =
            List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
    /** Longer than any of the three. */
    private static final int LONGEST = 40;

    private HttpDate() {}

    private static Pattern pattern(String text) {
        return Pattern.compile(text, Pattern.CASE_INSENSITIVE);
    }

    /** Seconds since 1970; empty where the text is no such date. {@code nowSeconds} places years of two digits. */
    static OptionalLong epochSeconds(String text, long nowSeconds) {
        if (text.length() > LONGEST) {
            return OptionalLong.empty();
        }
        Matcher imf = IMF.matcher(text);
        if (imf.matches()) {
            return date(number(imf, 3), imf.group(2), number(imf, 1), imf, 4);
        }
        Matcher rfc850 = RFC850.matcher(text);
        if (rfc850.matches()) {
            return date(century(number(rfc850, 3), nowSeconds), rfc850.group(2), number(rfc850, 1), rfc850, 4);
        }
        Matcher asctime = ASCTIME.matcher(text);
        if (asctime.matches()) {
            int day = Integer.parseInt(asctime.group(2).trim());
            return date(number(asctime, 6), asctime.group(1), day, asctime, 3);
        }
        return OptionalLong.empty();
    }

    private static int number(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }

    private static int century(int twoDigits, long nowSeconds) {
        int thisYear =
                LocalDateTime.ofEpochSecond(nowSeconds, 0, ZoneOffset.UTC).getYear();
        int year = thisYear - Math.floorMod(thisYear, 100) + twoDigits;
        return year > thisYear + 50 ? year - 100 : year;
    }

    private static OptionalLong date(int year, String month, int day, Matcher time, int hourGroup) {
        int monthOfYear = MONTHS.indexOf(month.toLowerCase(Locale.ROOT)) + 1;
        int second = number(time, hourGroup + 2);
        if (second > 60) {
            return OptionalLong.empty();
        }
        try {
            LocalDateTime minute =
                    LocalDateTime.of(year, monthOfYear, day, number(time, hourGroup), number(time, hourGroup + 1));
            return OptionalLong.of(minute.toEpochSecond(ZoneOffset.UTC) + second); // 60 is a leap second
        } catch (DateTimeException noSuchDay) {
            return OptionalLong.empty();
        }
    }
}
