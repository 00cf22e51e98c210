package io.paceline.scale;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * A calendar minimum: at least so many workers between two times of day, in a named zone.
 *
 * <p>Safe on the nights that change the clock: a window in the hour that is skipped happens right after it, one in the
 * hour that is repeated runs through both. A window may pass midnight ({@code 22:00} to {@code 06:00}); then
 * {@code days} are the days on which it begins. Equal times mean the whole day.
 *
 * @param days on which it begins; empty means every day
 */
public record Schedule(String name, Set<DayOfWeek> days, LocalTime from, LocalTime to, ZoneId zone, int min) {

    public Schedule {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        Objects.requireNonNull(zone, "zone");
        days = days.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(days));
        if (min < 0) {
            throw new IllegalArgumentException("schedule " + name + ": min " + min + " is below 0");
        }
    }

    /** The minimum that holds at that time; 0 outside the window. */
    public int minAt(long nowMicros) {
        LocalDate today = Micros.instant(nowMicros).atZone(zone).toLocalDate();
        return covers(today, nowMicros) || covers(today.minusDays(1), nowMicros) ? min : 0;
    }

    private boolean covers(LocalDate begins, long nowMicros) {
        if (!days.isEmpty() && !days.contains(begins.getDayOfWeek())) {
            return false;
        }
        LocalDate ends = to.isAfter(from) ? begins : begins.plusDays(1);
        long start = Micros.of(ZonedDateTime.of(begins, from, zone)
                .withEarlierOffsetAtOverlap()
                .toInstant());
        long end = Micros.of(
                ZonedDateTime.of(ends, to, zone).withLaterOffsetAtOverlap().toInstant());
        return nowMicros >= start && nowMicros < end;
    }
}
