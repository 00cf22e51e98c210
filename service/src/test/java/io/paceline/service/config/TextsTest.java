package io.paceline.service.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations, listen addresses and near words. */
class TextsTest {

    @ParameterizedTest
    @CsvSource({
        "100ms,100",
        "30s,30000",
        "10m,600000",
        "1h30m,5400000",
        "1d,86400000",
        "1.5s,1500",
        "1s1ms,1001",
        "0s,0"
    })
    void reads_durations(String text, long millis) {
        assertThat(DurationText.parse(text)).isEqualTo(Duration.ofMillis(millis));
        assertThat(DurationText.parse(DurationText.format(Duration.ofMillis(millis))))
                .isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"60", "1.5"})
    void a_number_without_a_unit_is_no_duration(String text) {
        assertThatThrownBy(() -> DurationText.parse(text))
                .hasMessageContaining("unit")
                .hasMessageContaining(text + "s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "1M", "10 s", "1m1h", "1m1m", "-1s", "1us", "1:30", "99999d", "1e3s"})
    void other_texts_are_no_durations(String text) {
        assertThatThrownBy(() -> DurationText.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:8080,127.0.0.1:8080,true",
        "[::1]:8080,[::1]:8080,true",
        "[0:0::1]:8080,[::1]:8080,true",
        "LOCALHOST:0,localhost:0,true",
        "0.0.0.0:1,0.0.0.0:1,false",
        "[::]:1,[::]:1,false",
        "127.example.com:1,127.example.com:1,false"
    })
    void reads_listen_addresses(String text, String shown, boolean loopback) {
        assertThat(ListenAddress.parse(text)).hasToString(shown);
        assertThat(ListenAddress.parse(text).isLoopback()).isEqualTo(loopback);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "8080",
                ":8080",
                "127.0.0.1",
                "127.0.0.1:",
                "::1:8080",
                "[::1]",
                "1.2.3:80",
                "a:99999",
                "http://a:80",
                "*:80"
            })
    void other_texts_are_no_listen_addresses(String text) {
        assertThatThrownBy(() -> ListenAddress.parse(text)).hasMessageContaining("write ");
    }

    @Test
    void finds_what_was_meant() {
        assertThat(Nearest.to("limt", List.of("limit", "burst"))).contains("limit");
        assertThat(Nearest.to("dry-run", List.of("limit", "dry_run"))).contains("dry_run");
        assertThat(Nearest.to("zebra", List.of("limit", "burst"))).isEmpty();
        assertThat(Nearest.to("x".repeat(100), List.of("limit"))).isEmpty();
    }
}
