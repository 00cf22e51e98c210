package io.paceline.scale;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Objects;

/** What the fleet is for: no task waits longer than that, or all is done by that time of day. */
public sealed interface Goal {

    /** The longest acceptable wait before a task starts. */
    record Wait(Duration slo) implements Goal {

        public Wait {
            if (slo.isZero() || slo.isNegative()) {
                throw new IllegalArgumentException("scaler.slo " + slo + " is not above 0");
            }
        }
    }

    /**
     * Everything done by {@code at} each day in that zone. In the night that skips that hour the deadline is as much
     * later as the clock jumped, in the night that repeats it the first of the two counts: early is the safe side.
     */
    record Deadline(LocalTime at, ZoneId zone) implements Goal {

        public Deadline {
            Objects.requireNonNull(at, "at");
            Objects.requireNonNull(zone, "zone");
        }

        /** The next deadline after {@code nowMicros}, in the same microseconds. */
        public long nextMicros(long nowMicros) {
            ZonedDateTime now = Micros.instant(nowMicros).atZone(zone);
            ZonedDateTime today = ZonedDateTime.of(now.toLocalDate(), at, zone).withEarlierOffsetAtOverlap();
            ZonedDateTime next = today.toInstant().isAfter(now.toInstant())
                    ? today
                    : ZonedDateTime.of(now.toLocalDate().plusDays(1), at, zone).withEarlierOffsetAtOverlap();
            Instant instant = next.toInstant();
            return Micros.of(instant);
        }

        /**
         * Reads {@code "05:00 Europe/Berlin"}.
         *
         * @throws IllegalArgumentException that says what to write instead
         */
        public static Deadline parse(String text) {
            String[] words = text.trim().split("\\s+");
            try {
                if (words.length == 2) {
                    return new Deadline(LocalTime.parse(words[0]), ZoneId.of(words[1]));
                }
            } catch (java.time.DateTimeException e) {
                throw new IllegalArgumentException(complaint(text), e);
            }
            throw new IllegalArgumentException(complaint(text));
        }

        private static String complaint(String text) {
            return "scaler.deadline \"" + text + "\" is not a time of day and a zone: write \"05:00 Europe/Berlin\"";
        }
    }
}
