package io.paceline.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0, 1",
        "1, 0.001, 1",
        "999, 0.001, 1",
        "1000, 0.001, 1",
        "1001, 0.002, 1",
        "1500000, 1.5, 2",
        "2000000, 2, 2",
        "2000001, 2.001, 3",
        "60000000, 60, 60"
    })
    void a_wait_is_rounded_up(long micros, String waitSeconds, long retryAfter) {
        assertThat(Numbers.seconds(Numbers.millisUp(micros))).isEqualTo(waitSeconds);
        assertThat(Numbers.retryAfterSeconds(micros)).isEqualTo(retryAfter);
    }

    @ParameterizedTest
    @CsvSource({"-5, 0", "999, 0", "1999, 0.001", "59999999, 59.999", "60000000, 60"})
    void time_that_is_left_is_rounded_down(long micros, String seconds) {
        assertThat(Numbers.seconds(Numbers.millisDown(micros))).isEqualTo(seconds);
    }
}
