package io.paceline.pace.hint;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.pace.hint.Hint.Ask;
import io.paceline.testkit.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What answers ask of our pace, beyond the rows of the shared cases. */
class HintsTest {
    /** 2026-03-01T12:00:00Z. */
    private static final long NOW = 1_772_366_400_000_000L;

    private static Hint read(int status, String... namesAndValues) {
        List<Map.Entry<String, String>> fields = new ArrayList<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.add(Map.entry(namesAndValues[i], namesAndValues[i + 1]));
        }
        return Hints.read(status, FieldValues.of(fields), NOW);
    }

    private static double seconds(Hint hint) {
        return hint.ask() == Ask.WAIT ? hint.waitMicros() / 1e6 : -1;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1e3",
                "10d",
                "0x10",
                "Infinity",
                "-0",
                "1.",
                ".5",
                "1.2.3",
                "1_000",
                "\u0661\u0662",
                "PT30S",
                "soon",
                "30 seconds",
                "12 0",
                ";",
                ",",
                "120;",
                "120, soon",
                "Sun, 31 Feb 2026 12:02:00 GMT",
                "Sun, 01 Mar 2026 25:02:00 GMT",
                "Sun, 01 Mar 2026 12:02:00 CET",
                "Sun, 01 Foo 2026 12:02:00 GMT",
                "01 Mar 2026 12:02:00 GMT",
                "2026-03-01T12:02:00Z",
                "Sun Mar 1 12:02:00 2026 CET"
            })
    void what_is_no_time_is_passed_over_and_said_so(String value) {
        Hint hint = read(429, "Retry-After", value);
        assertThat(hint.ask()).isEqualTo(Ask.BACK_OFF);
        assertThat(hint.note()).contains("Retry-After");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    120 | 120
                    0120 | 120
                    00000000000000000000120 | 120
                    0.2 | 1
                    1.5 | 2
                    120, 300, 60 | 300
                    1772366520 | 120
                    1772366520000 | 120
                    99999999999999999999999999 | 86400
                    Sun, 1 Mar 2026 12:02:00 GMT | 120
                    sun, 01 mar 2026 12:02:00 gmt | 120
                    Mon, 01 Mar 2026 12:02:00 GMT | 120
                    Sun, 01 Mar 2026 12:01:60 GMT | 120
                    Sunday, 01-Mar-26 12:02:00 GMT | 120
                    Tuesday, 01-Mar-76 12:02:00 GMT | 86400
                    Tuesday, 01-Mar-77 12:02:00 GMT | -1
                    Sun Mar 01 12:02:00 2026 | 120
                    Thu, 01 Jan 9999 00:00:00 GMT | 86400
                    1772366300 | -1
                    """)
    void a_time_in_any_form_that_sites_use_is_read(String value, double seconds) {
        assertThat(seconds(read(429, "Retry-After", value))).isEqualTo(seconds);
    }

    @Test
    void the_longest_of_several_fields_is_gone_by() {
        assertThat(seconds(read(429, "Retry-After", "60", "Retry-After", "120")))
                .isEqualTo(120);
    }

    @Test
    void retry_after_goes_before_the_quota_unless_it_asks_for_nothing() {
        assertThat(seconds(read(429, "RateLimit-Reset", "58", "Retry-After", "10")))
                .isEqualTo(10);
        assertThat(seconds(read(429, "RateLimit-Reset", "58", "Retry-After", "0")))
                .isEqualTo(58);
    }

    @ParameterizedTest
    @CsvSource({"301, 30", "403, 30", "413, 30", "503, 30", "200, -1", "202, -1"})
    void retry_after_counts_on_everything_but_success(int status, double seconds) {
        assertThat(seconds(read(status, "Retry-After", "30"))).isEqualTo(seconds);
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503})
    void a_refusal_without_a_hint_is_never_free(int status) {
        assertThat(read(status).ask()).isEqualTo(Ask.BACK_OFF);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 200, 301, 403, 404, 500, 502})
    void anything_else_without_a_hint_asks_for_nothing(int status) {
        assertThat(read(status).ask()).isEqualTo(Ask.NOTHING);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    "a";r=0;t=30 | 30
                    "a";r=0;t=30, "b";r=0;t=90 | 90
                    "a";r=0;t=30, "b";r=5;t=90 | 30
                    "a;r=0,x";r=3;t=30 | -1
                    a; r=0; t=30 | 30
                    "a";r=0;t=30;pk=:YQ==: | 30
                    "daily";r=0 | 60
                    limit=100, remaining=0, reset=30 | 30
                    limit=100, remaining=7, reset=30 | -1
                    "a";r=0;t=-5 | -1
                    garbage | -1
                    """)
    void the_structured_field_is_read_in_both_its_drafts(String value, double seconds) {
        Hint hint = read(429, "RateLimit", value, "RateLimit-Policy", "\"daily\";q=1000;w=60");
        assertThat(seconds(hint)).isEqualTo(seconds);
    }

    @Test
    void a_quota_that_is_used_up_counts_on_a_good_answer_too() {
        assertThat(seconds(read(200, "RateLimit", "\"default\";r=0;t=7"))).isEqualTo(7);
        assertThat(seconds(read(200, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "7")))
                .isEqualTo(7);
        assertThat(read(200, "X-RateLimit-Reset", "7").ask()).isEqualTo(Ask.NOTHING);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    X-RateLimit-Reset | 45 | 45
                    X-RateLimit-Reset | 1772366490 | 90
                    X-RateLimit-Reset | 1772366490.5 | 90.5
                    X-RateLimit-Reset | 1772366490000 | 90
                    X-RateLimit-Reset | 1772366490000000 | 90
                    X-RateLimit-Reset | 45, 45 | 45
                    X-RateLimit-Reset | 2026-03-01T12:01:30Z | 90
                    X-RateLimit-Reset | Sun, 01 Mar 2026 12:01:30 GMT | 90
                    X-Rate-Limit-Reset | 1772366490 | 90
                    X-RateLimit-Reset-After | 1.25 | 1.25
                    RateLimit-Reset | 1772366490 | 90
                    X-RateLimit-Reset | -5 | -1
                    X-RateLimit-Reset | soon | -1
                    X-RateLimit-Reset | 0 | -1
                    """)
    void the_size_of_a_reset_decides_what_it_means(String name, String value, double seconds) {
        assertThat(seconds(read(429, name, value))).isEqualTo(seconds);
    }

    @Test
    void a_date_is_taken_by_the_sites_own_clock() {
        String behind = "Sun, 01 Mar 2026 11:55:00 GMT";
        assertThat(seconds(read(503, "Date", behind, "Retry-After", "Sun, 01 Mar 2026 11:56:00 GMT")))
                .isEqualTo(60);
        assertThat(seconds(read(503, "Date", "today", "Retry-After", "Sun, 01 Mar 2026 12:01:00 GMT")))
                .isEqualTo(60);
    }

    @Test
    void what_is_logged_is_short_and_printable() {
        Hint hint = read(429, "Retry-After", "\u001b[31m" + "x".repeat(10_000));
        assertThat(hint.note()).hasSizeLessThan(150).doesNotContain("\u001b");
    }

    @SeededTest(seeds = 500)
    void no_text_ever_breaks_the_reading_or_asks_for_more_than_the_cap(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        String alphabet = "0123456789.,;=\" -+eNaGMTrt:Su\\";
        String[] names = {"Retry-After", "RateLimit", "RateLimit-Policy", "RateLimit-Reset", "X-RateLimit-Reset", "Date"
        };
        for (int i = 0; i < 50; i++) {
            StringBuilder value = new StringBuilder();
            for (int n = random.nextInt(30); n > 0; n--) {
                value.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            Hint hint = read(429, names[random.nextInt(names.length)], value.toString());
            assertThat(hint.ask()).isNotEqualTo(Ask.NOTHING);
            assertThat(hint.waitMicros()).isBetween(0L, 86_400_000_000L);
        }
    }
}
