package io.paceline.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Credentials;
import io.paceline.Endpoint;
import java.net.URI;
import org.junit.jupiter.api.Test;

class ProxyUrlTest {

    @Test
    void has_the_form_that_clients_take() {
        assertThat(ProxyUrl.of(endpoint("198.51.100.7", new Credentials("user", "pw"))))
                .isEqualTo("http://user:pw@198.51.100.7:8080");
        assertThat(ProxyUrl.of(endpoint("2001:db8::1", null))).isEqualTo("http://[2001:db8::1]:8080");
        assertThat(ProxyUrl.of(endpoint("gw.example", new Credentials("u", ""))))
                .isEqualTo("http://u:@gw.example:8080");
        assertThat(ProxyUrl.of(Endpoint.DIRECT)).isNull();
    }

    @Test
    void credentials_come_through_a_url_parser_as_they_were() {
        String user = "user-session-a b+c@x";
        String password = "p:/?#[]%\u00fc'\"";
        String url = ProxyUrl.of(endpoint("gw.example", new Credentials(user, password)));

        URI parsed = URI.create(url == null ? "" : url);

        assertThat(parsed.getUserInfo()).isEqualTo(user + ":" + password);
        assertThat(parsed.getHost()).isEqualTo("gw.example");
    }

    private static Endpoint endpoint(String host, Credentials credentials) {
        return new Endpoint(Endpoint.Scheme.HTTP, host, 8080, credentials);
    }
}
