package io.paceline.service.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UserOptionsTest {

    @ParameterizedTest
    @CsvSource({
        "crawler3, crawler3,,,,",
        "'', '',,,,",
        "u-session-acct-17-country-de, u, acct-17,, de,",
        "u-country-DE-session-s, u, s,, de,",
        "u-sessid-a-cc-us-city-new-york-pool-fast, u, a, fast, us, new-york",
        "u-pool-p-q, u,, p-q,,",
        "u-session-a--b, u, a--b,,,"
    })
    void aValueRunsToTheNextKnownKey(
            String name, String client, String session, String pool, String country, String city)
            throws BadMessageException {
        UserOptions options = UserOptions.parse(name);
        assertThat(options.clientId()).isEqualTo(client);
        assertThat(options.session()).isEqualTo(session);
        assertThat(options.pool()).isEqualTo(pool);
        assertThat(options.tags().get("country")).isEqualTo(country);
        assertThat(options.tags().get("city")).isEqualTo(city);
    }

    @ParameterizedTest
    @CsvSource({
        "u-x-1, is no option",
        "u-, is no option",
        "u-Session-a, is no option",
        "u-session, session has no value",
        "u-session-country-de, session has no value",
        "u-session-a-sessid-b, session is given twice",
        "u-country-deu, two letters",
        "u-cc-1a, two letters",
        "u-sesstime-10, there is no session",
        "u-session-a-sesstime-0, no number of minutes",
        "u-session-a-sesstime-1441, no number of minutes",
        "u-session-a-sesstime-ten, no number of minutes"
    })
    void whatCannotBeUsedIsRefusedWithItsReason(String name, String reason) {
        assertThatThrownBy(() -> UserOptions.parse(name))
                .isInstanceOfSatisfying(
                        BadMessageException.class,
                        e -> assertThat(e.toError())
                                .satisfies(error -> assertThat(error.status()).isEqualTo(400))
                                .satisfies(error -> assertThat(error.code()).isEqualTo("bad_options")))
                .hasMessageContaining(reason);
    }

    @Test
    void aSessionMaySayHowManyMinutesItLasts() throws BadMessageException {
        UserOptions options = UserOptions.parse("u-session-acct-17-sesstime-10-country-de");
        assertThat(options.session()).isEqualTo("acct-17");
        assertThat(options.sessionTtl()).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void tagsAreWhatAddressesCarry() throws BadMessageException {
        assertThat(UserOptions.parse("u-cc-DE-city-Berlin").tags())
                .isEqualTo(Map.of("country", "de", "city", "Berlin"));
    }

    @ParameterizedTest
    @CsvSource({"Bearer abc", "Basic", "Basic !!!", "Basic dXNlcg=="})
    void whatIsNoBasicPairIsNoCredentials(String field) {
        assertThat(ClientCredentials.parse(field)).isEmpty();
    }
}
