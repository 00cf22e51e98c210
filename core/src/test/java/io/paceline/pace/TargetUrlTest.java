package io.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetUrlTest {

    @ParameterizedTest
    @CsvSource({
        "https://www.example.com/p/1, https, www.example.com, 443, /p/1",
        "HTTP://Example.COM, http, example.com, 80, /",
        "http://example.com:8080?q=1, http, example.com, 8080, /?q=1",
        "http://example.com:/, http, example.com, 80, /",
        "http://u:p@a@example.com/x@y, http, example.com, 80, /x@y",
        "http://u:[@[2001:db8::1]:81/, http, 2001:db8::1, 81, /",
        "http://evil.example#@example.com/, http, evil.example, 80, /",
        "http://evil.example?@example.com/, http, evil.example, 80, /?@example.com/",
        "http://example.com/a\\b, http, example.com, 80, /a\\b",
        "http://example.com/a#b, http, example.com, 80, /a",
        "http://example.com/ä, http, example.com, 80, /ä",
        "http://example.com/%2e%2E//x, http, example.com, 80, /%2e%2E//x",
    })
    void a_url_is_read(String text, String scheme, String host, int port, String path) {
        assertThat(TargetUrl.parse(text)).isEqualTo(new TargetUrl(scheme, host, port, path));
        assertThat(TargetUrl.parseLoosely(text)).isEqualTo(new TargetUrl(scheme, host, port, path));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "example.com",
                "example.com/a",
                "//example.com/",
                "http:/example.com/",
                "http:example.com",
                "http://",
                "http:///a",
                "http://?x",
                "http://user@/",
                "http://:80/",
                "ftp://example.com/",
                "wss://example.com/",
                "http\u017f://example.com/",
                "http://example.com:0/",
                "http://example.com:65536/",
                "http://example.com:+80/",
                "http://example.com:8o/",
                "http://example.com:99999999999/",
                "http://example.com\\@evil.example/",
                "http://example.com\\/",
                "http://2001:db8::1/",
                "http://[2001:db8::1/",
                "http://[2001:db8::1]x/",
                "http://example.com/a b",
                "http://example.com/a\nb",
                "http://example.com\r\n/",
                " http://example.com/",
                "http://exa mple.com/",
                "http://[example.com]/",
                "http://example.com../",
                "http://a:b:c/",
                "1http://example.com/",
                "://example.com"
            })
    void what_is_no_url_is_refused(String text) {
        assertThatExceptionOfType(BadTargetException.class).isThrownBy(() -> TargetUrl.parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "www.example.com, https, www.example.com, 443, /",
        "example.com:8080, https, example.com, 8080, /",
        "example.com:80, http, example.com, 80, /",
        "example.com/a?b, https, example.com, 443, /a?b",
        "localhost:9000/x, https, localhost, 9000, /x",
        "[2001:db8::1]:443, https, 2001:db8::1, 443, /",
        "wss://example.com/feed, wss, example.com, 443, /feed",
        "ws://example.com, ws, example.com, 80, /",
        "https://example.com/a b, https, example.com, 443, /a b",
    })
    void a_loose_target_is_read(String text, String scheme, String host, int port, String path) {
        assertThat(TargetUrl.parseLoosely(text)).isEqualTo(new TargetUrl(scheme, host, port, path));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "mailto:someone@example.com",
                "javascript:alert(1)",
                "//example.com/",
                "/path",
                "2001:db8::1",
                "user:pw@example.com",
                "ftp://example.com",
                "example.com:http",
                "a b"
            })
    void a_loose_target_is_still_a_host(String text) {
        assertThatExceptionOfType(BadTargetException.class).isThrownBy(() -> TargetUrl.parseLoosely(text));
    }

    @ParameterizedTest
    @CsvSource({
        "www.example.com:443, https, www.example.com, 443",
        "WWW.example.com.:80, http, www.example.com, 80",
        "[2001:db8::1]:8443, https, 2001:db8::1, 8443",
    })
    void the_authority_of_a_connect_is_read(String text, String scheme, String host, int port) {
        assertThat(TargetUrl.parseAuthority(text)).isEqualTo(new TargetUrl(scheme, host, port, "/"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "www.example.com",
                "www.example.com:",
                ":443",
                "www.example.com:443/",
                "www.example.com:443?x",
                "u@www.example.com:443",
                "https://www.example.com:443",
                "2001:db8::1:443",
                "[2001:db8::1]",
                "[2001:db8::1]:",
                "www.example.com:0",
                "a b:443",
                "a:443 "
            })
    void what_is_not_host_and_port_is_no_authority(String text) {
        assertThatExceptionOfType(BadTargetException.class).isThrownBy(() -> TargetUrl.parseAuthority(text));
    }

    /** Whatever comes in: a URL that reads the same again, or the one exception. */
    @SeededTest(seeds = 50)
    void any_text_is_read_or_refused(long seed) {
        RandomGenerator random = Seeds.random(seed);
        String alphabet =
                "abcXYZ019.-_:/@?#\\[]%+ xn--\u00df\u00fc\u03c2\u0130\u3002\uff10\u200d\ud83e\udd84\ud800\u0000\u007f";
        for (int i = 0; i < 2_000; i++) {
            StringBuilder text = new StringBuilder(random.nextBoolean() ? "http://" : "");
            for (int length = random.nextInt(20); length > 0; length--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            try {
                TargetUrl url = TargetUrl.parseLoosely(text.toString());
                assertThat(TargetUrl.parseLoosely(url.scheme() + "://" + url.authority() + url.pathAndQuery()))
                        .as("%s", text)
                        .isEqualTo(url);
                assertThat(Hosts.canonical(url.host())).isEqualTo(url.host());
            } catch (BadTargetException expected) {
                assertThat(expected).message().doesNotContainPattern("\\p{Cntrl}");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://user:hunter2@exa mple.com/", "http://user:hunter2@example.com:x/", "http://user:hunter2\\@a/",
                "user:hunter2@example.com", "http://user:hunter2/@example.com/", "ftp://user:hunter2@example.com/",
                "http://user:hunter2@/", "http://user:hunter2@a:b:c/", "http://user:hunter2@[::1/"
            })
    void a_refusal_never_tells_the_password(String text) {
        BadTargetException refusal = catchThrowableOfType(BadTargetException.class, () -> TargetUrl.parse(text));
        assertThat(refusal).hasMessageNotContaining("hunter2");
    }

    @Test
    void an_odd_spelling_of_an_address_is_forbidden_in_a_url_too() {
        for (String text : new String[] {"http://2130706433/", "http://u@127.1:8080/", "https://0x7f.1/"}) {
            BadTargetException refusal = catchThrowableOfType(BadTargetException.class, () -> TargetUrl.parse(text));
            assertThat(refusal.isForbidden()).isTrue();
        }
    }

    @Test
    void the_authority_is_written_with_brackets_and_only_the_port_that_is_needed() {
        TargetUrl six = TargetUrl.parse("https://[2001:DB8::1]/a?key=secret");
        assertThat(six.hostPort()).isEqualTo("[2001:db8::1]:443");
        assertThat(six.authority()).isEqualTo("[2001:db8::1]");
        assertThat(six).hasToString("https://[2001:db8::1]/a?...");
        assertThat(TargetUrl.parse("http://example.com:8080/").authority()).isEqualTo("example.com:8080");
    }
}
