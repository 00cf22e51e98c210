package io.paceline.pace;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;

/**
 * Where the windows of the calendar begin and end: parts of a day counted from midnight, days, and weeks from Monday, in a
 * time zone.
 *
 * <p>Windows above an hour follow the clock on the wall: where clocks change, one of them is longer or shorter. Shorter
 * ones follow the offset of the moment, so that the hour that comes twice has twice as many. Times are microseconds since
 * 1970. Pure functions.
 */
final class CalendarWindow {
    private static final long HOUR = 3_600_000_000L;
    private static final long DAY = 24 * HOUR;
    private static final long WEEK = 7 * DAY;

    private CalendarWindow() {}

    /** Whether there are windows of this length: a day can be divided into them, or it is one day or seven. */
    static boolean fits(long windowMicros) {
        return windowMicros == WEEK || (windowMicros > 0 && DAY % windowMicros == 0);
    }

    /** The first microsecond of the window that holds {@code now}. */
    static long begin(long now, LimitSpec.Calendar spec) {
        if (spec.windowMicros() <= HOUR) {
            long offset = offset(now, spec.zone());
            return Math.floorDiv(now + offset, spec.windowMicros()) * spec.windowMicros() - offset;
        }
        return micros(localBegin(now, spec), spec.zone());
    }

    /** The first microsecond of the window after the one that holds {@code now}. */
    static long end(long now, LimitSpec.Calendar spec) {
        if (spec.windowMicros() <= HOUR) {
            return begin(now, spec) + spec.windowMicros();
        }
        return micros(localBegin(now, spec).plus(spec.windowMicros(), ChronoUnit.MICROS), spec.zone());
    }

    private static LocalDateTime localBegin(long now, LimitSpec.Calendar spec) {
        LocalDateTime local = LocalDateTime.ofInstant(instant(now), spec.zone());
        LocalDate day = local.toLocalDate();
        if (spec.windowMicros() == WEEK) {
            return day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)).atStartOfDay();
        }
        long sinceMidnight = local.toLocalTime().toNanoOfDay() / 1_000;
        return day.atStartOfDay().plus(sinceMidnight - sinceMidnight % spec.windowMicros(), ChronoUnit.MICROS);
    }

    private static long offset(long now, ZoneId zone) {
        return zone.getRules().getOffset(instant(now)).getTotalSeconds() * 1_000_000L;
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** A time that is skipped is the first after the gap, one that comes twice its first. */
    private static long micros(LocalDateTime local, ZoneId zone) {
        return ChronoUnit.MICROS.between(
                Instant.EPOCH, ZonedDateTime.of(local, zone).toInstant());
    }
}
