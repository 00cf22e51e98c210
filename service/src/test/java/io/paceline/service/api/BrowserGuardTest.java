package io.paceline.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BrowserGuardTest {

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, -, true",
                "127.0.0.1:8080, -, true",
                "127.0.0.1, -, true",
                "localhost:8080, -, true",
                "LOCALHOST, -, true",
                "paceline.localhost:8080, -, true",
                "[::1]:8080, -, true",
                "192.0.2.7:8080, -, true",
                "127.0.0.1:8080, http://127.0.0.1:8080, true",
                "127.0.0.1:8080, http://evil.example, false"
            })
    void lets_pass_what_no_foreign_page_can_send(String host, String origin, boolean changes) {
        assertThatCode(() -> BrowserGuard.check(host, origin, changes)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "evil.example, -, false, foreign_host",
                "evil.example:8080, -, true, foreign_host",
                "127.0.0.1.evil.example, -, false, foreign_host",
                "localhost.evil.example, -, false, foreign_host",
                "notlocalhost, -, false, foreign_host",
                "'', -, false, foreign_host",
                "127.0.0.1:8080, http://evil.example, true, cross_site",
                "127.0.0.1:8080, null, true, cross_site",
                "127.0.0.1:8080, http://127.0.0.1:9090, true, cross_site",
                "127.0.0.1:8080, http://127.0.0.1:8080.evil.example, true, cross_site",
                "-, http://127.0.0.1:8080, true, cross_site"
            })
    void stops_what_one_may_be_behind_and_says_how_to_go_on(String host, String origin, boolean changes, String code) {
        HttpProblem problem = catchThrowableOfType(HttpProblem.class, () -> BrowserGuard.check(host, origin, changes));

        assertThat(problem).isNotNull();
        assertThat(problem.status()).isEqualTo(403);
        assertThat(problem.code()).isEqualTo(code);
        assertThat(problem.message()).contains("api.tokens");
    }
}
