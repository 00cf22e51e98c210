package io.paceline.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.paceline.service.config.TokenConfig.Role;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuthenticatorTest {

    private final Authenticator authenticator = new Authenticator(new TokenBook(List.of(
            ApiToken.of("crawlers", "s3cret", "shop", Role.CLIENT),
            ApiToken.of("grafana", "sha256:" + sha256("look"), "", Role.VIEWER),
            ApiToken.of("ops", "all", "", Role.OPERATOR))));

    @ParameterizedTest
    @CsvSource({
        "Bearer s3cret, PERMIT, crawlers",
        "bearer s3cret, PERMIT, crawlers",
        "Bearer look, READ, grafana",
        "Bearer all, READ, ops",
        "Bearer all, PERMIT, ops"
    })
    void knows_its_tokens_plain_or_hashed(String header, Access access, String name) {
        assertThat(authenticator.authenticate(header, access).name()).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, PERMIT, 401",
                "Bearer wrong, PERMIT, 401",
                "Bearer, PERMIT, 401",
                "'Bearer ', PERMIT, 401",
                "Basic czNjcmV0, PERMIT, 401",
                "s3cret, PERMIT, 401",
                "Bearer s3cret, READ, 403",
                "Bearer s3cret, OPERATE, 403",
                "Bearer look, OPERATE, 403",
                "Bearer look, PERMIT, 403"
            })
    void refuses_others_and_never_shows_the_token(String header, Access access, int status) {
        HttpProblem problem = catchThrowableOfType(HttpProblem.class, () -> authenticator.authenticate(header, access));

        assertThat(problem.status()).isEqualTo(status);
        assertThat(problem.message())
                .doesNotContain("wrong")
                .doesNotContain("s3cret")
                .doesNotContain("czNj");
    }

    @Test
    void open_routes_need_no_token_and_without_tokens_everyone_is_operator() {
        assertThat(authenticator.authenticate(null, Access.OPEN)).isEqualTo(Caller.UNKNOWN);
        assertThat(new Authenticator(new TokenBook(List.of()))
                        .authenticate(null, Access.READ)
                        .role())
                .isEqualTo(Role.OPERATOR);
    }

    @Test
    void a_token_is_in_no_text() {
        assertThat(ApiToken.of("crawlers", "s3cret", "shop", Role.CLIENT)).hasToString("crawlers (client)");
        assertThatThrownBy(() -> ApiToken.of("x", "sha256:abc", "", Role.CLIENT))
                .hasMessageContaining("64 hexadecimal digits")
                .hasMessageNotContaining("abc");
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
