package io.paceline.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schedules and deadlines on ordinary nights and on those that move the clock. */
class CalendarTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "2026-03-02T01:29:59Z, 0", // 02:29:59 in winter
        "2026-03-02T01:30:00Z, 4",
        "2026-03-02T02:59:59Z, 4",
        "2026-03-02T03:00:00Z, 0",
        "2026-03-29T00:59:59Z, 0", // spring: 02:30 does not exist, it is 03:30 summer time
        "2026-03-29T01:30:00Z, 4",
        "2026-03-29T01:59:59Z, 4",
        "2026-03-29T02:00:00Z, 0",
        "2026-10-25T00:30:00Z, 4", // autumn: 02:30 comes twice, the window runs through both
        "2026-10-25T01:30:00Z, 4",
        "2026-10-25T02:59:59Z, 4",
        "2026-10-25T03:00:00Z, 0"
    })
    void aWindowFollowsTheWallClock(String instant, int min) {
        Schedule night = new Schedule("night", Set.of(), LocalTime.of(2, 30), LocalTime.of(4, 0), BERLIN, 4);
        assertThat(night.minAt(Micros.of(Instant.parse(instant)))).isEqualTo(min);
    }

    @Test
    void aWindowMayPassMidnightAndBelongsToTheDayOnWhichItBegins() {
        Schedule friday =
                new Schedule("weekend", Set.of(DayOfWeek.FRIDAY), LocalTime.of(22, 0), LocalTime.of(6, 0), BERLIN, 3);
        assertThat(friday.minAt(Micros.of(Instant.parse("2026-03-06T21:30:00Z"))))
                .isEqualTo(3);
        assertThat(friday.minAt(Micros.of(Instant.parse("2026-03-07T04:30:00Z"))))
                .isEqualTo(3);
        assertThat(friday.minAt(Micros.of(Instant.parse("2026-03-07T21:30:00Z"))))
                .isZero();
        assertThat(friday.minAt(Micros.of(Instant.parse("2026-03-06T04:30:00Z"))))
                .isZero();
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "2026-03-28T22:00:00Z, 2026-03-29T03:00:00Z",
        "2026-10-24T22:00:00Z, 2026-10-25T04:00:00Z",
        "2026-03-02T04:00:00Z, 2026-03-03T04:00:00Z",
        "2026-03-02T03:59:59Z, 2026-03-02T04:00:00Z"
    })
    void aDeadlineIsATimeOnTheWall(String now, String due) {
        Goal.Deadline deadline = Goal.Deadline.parse("05:00 Europe/Berlin");
        assertThat(Micros.instant(deadline.nextMicros(Micros.of(Instant.parse(now)))))
                .isEqualTo(Instant.parse(due));
    }

    @ParameterizedTest
    @CsvSource({"5 o'clock", "25:00 UTC", "05:00", "05:00 Mars/Olympus"})
    void aDeadlineThatIsNoneSaysWhatToWrite(String text) {
        assertThatThrownBy(() -> Goal.Deadline.parse(text)).hasMessageContaining("write \"05:00 Europe/Berlin\"");
    }
}
