package io.paceline.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Time that does not go back, though the wall clock did. */
class SystemTickerTest {
    private static final long HOUR = 3_600_000_000L;

    @Test
    void without_a_journal_it_is_the_wall_clock() {
        SystemTicker ticker = new SystemTicker(0, 5 * HOUR);

        assertThat(ticker.aheadMicros()).isZero();
        assertThat(ticker.after(HOUR)).isEqualTo(6 * HOUR);
    }

    @Test
    void where_the_wall_clock_is_behind_time_goes_on_from_the_journal_a_tenth_slower_until_they_meet() {
        SystemTicker ticker = new SystemTicker(6 * HOUR, 5 * HOUR);

        assertThat(ticker.after(0)).isEqualTo(6 * HOUR);
        long before = 0;
        for (long elapsed = 0; elapsed < 20 * HOUR; elapsed += HOUR / 7) {
            long now = ticker.after(elapsed);
            assertThat(now - before).isPositive();
            assertThat(now).isGreaterThanOrEqualTo(5 * HOUR + elapsed);
            before = now;
        }
        assertThat(ticker.after(HOUR) - ticker.after(0)).isEqualTo(HOUR * 9 / 10);
        assertThat(ticker.after(10 * HOUR)).isEqualTo(15 * HOUR);
    }

    @Test
    void where_it_follows_a_store_the_wall_clock_says_nothing() {
        SystemTicker ticker = new SystemTicker(0, 5 * HOUR);
        ticker.follow(90 * HOUR);

        assertThat(ticker.micros()).isBetween(90 * HOUR, 91 * HOUR);
        assertThat(ticker.after(HOUR) - ticker.after(0)).isEqualTo(HOUR);
    }
}
