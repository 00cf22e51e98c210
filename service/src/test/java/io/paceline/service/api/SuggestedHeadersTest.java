package io.paceline.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Address;
import io.paceline.Endpoint;
import io.paceline.Lease;
import io.paceline.Target;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestedHeadersTest {
    private static Lease lease(Map<String, String> tags, Map<String, String> headers) {
        Address address = new Address("a17", Endpoint.DIRECT, tags, 1, false);
        return new Lease(null, address, Target.of("shop"), "default", null, 0, 9, false, false, false, "", headers);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "de|de-DE,de;q=0.9,en;q=0.8",
                "AT|de-AT,de;q=0.9,en;q=0.8",
                "us|en-US,en;q=0.9",
                "BR|pt-BR,pt;q=0.9,en;q=0.8",
            })
    void the_language_fits_the_country_of_the_address(String country, String languages) {
        assertThat(SuggestedHeaders.of(lease(Map.of("country", country), Map.of())))
                .isEqualTo(Map.of("Accept-Language", languages));
    }

    @Test
    void nothing_is_suggested_where_nothing_is_known() {
        assertThat(SuggestedHeaders.of(lease(Map.of(), Map.of()))).isEmpty();
        assertThat(SuggestedHeaders.of(lease(Map.of("country", "atlantis"), Map.of())))
                .isEmpty();
    }

    @Test
    void a_language_that_is_configured_goes_before_that_of_the_country() {
        assertThat(SuggestedHeaders.of(lease(Map.of("country", "de"), Map.of("Accept-Language", "fr"))))
                .isEqualTo(Map.of("Accept-Language", "fr"));
    }

    @Test
    void the_user_agent_is_the_one_configured_for_the_target() {
        assertThat(SuggestedHeaders.of(lease(Map.of(), Map.of("User-Agent", "mybot/1.0 (+https://example.com/bot)"))))
                .containsExactly(Map.entry("User-Agent", "mybot/1.0 (+https://example.com/bot)"));
    }
}
