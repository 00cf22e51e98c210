package io.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostPatternTest {

    @ParameterizedTest
    @CsvSource({
        ".example.com, https://example.com/, true",
        ".example.com, https://a.b.example.com/, true",
        ".example.com, https://evilexample.com/, false",
        ".example.com, https://com/, false",
        ".BÜCHER.example., https://www.xn--bcher-kva.example/, true",
        "198.51.100.7, http://[::ffff:198.51.100.7]/, true",
        "[2001:db8::1], http://[2001:DB8::0:1]/, true",
        "example.com/shop/, https://example.com/shop/1?x, true",
        "example.com/shop/, http://example.com:8080/shop/, true",
        "example.com/shop/, https://example.com/shop, false",
        "example.com/shop/, https://www.example.com/shop/, false",
        "example.com/shop/, https://example.com/%73hop/, true",
        "example.com/%73hop/, https://example.com/shop/, true",
        "example.com/a%2fb, https://example.com/a%2Fb/c, true",
        "example.com/a/b, https://example.com/a%2Fb, false",
        "*.example.com/shop/, https://www.example.com/shop/, true",
        "*/shop/, https://example.org/shop/, true",
        "https://example.com/shop/, http://example.com/shop/, false",
        "https://example.com/shop/, https://example.com:8443/shop/, false",
        "https://example.com:8443/, https://example.com:8443/shop/, true",
        "HTTPS://Example.com, https://example.com/anything, true",
        "example.com/go?u=https://x, http://example.com/go?u=https://x/y, true",
        "example.com:8080/, http://example.com:8080/, true",
        "example.com:8080/, http://example.com/, false",
        "[2001:db8::1]:8080/, http://[2001:db8::1]:8080/x, true",
        "[2001:db8::1]/x, http://[2001:db8::1]/x, true",
        "regex:Shop[0-9]\\.EXAMPLE, http://shop1.example/, true",
        "regex:a|b\\.example, http://xb.example/, false",
    })
    void a_pattern_covers_what_it_says(String pattern, String url, boolean covered) {
        HostPattern read = HostPattern.parse(pattern);
        TargetUrl target = TargetUrl.parse(url);
        assertThat(read.matches(target)).isEqualTo(covered);
        assertThat(new PatternIndex<>(List.of(read), p -> p).matching(target)).hasSize(covered ? 1 : 0);
    }

    @ParameterizedTest
    @CsvSource({
        "'', write \"*\"",
        "*example.com, did you mean *.example.com",
        "www.*.com, regex:",
        "*.*.example.com, regex:",
        "example.com:8080, example.com:8080/",
        "[2001:db8::1]:80, [2001:db8::1]:80/",
        "*.192.0.2.1, write 192.0.2.1",
        "*., host is empty",
        "a..b, dot too many",
        "198.51.300.7, no IPv4 address",
        "127.1, write 127.0.0.1",
        "regex:[a-z, missing closing",
        "regex:(?=x)y, RE2",
        "ftp://example.com/, scheme ftp",
        "https:///x, host is empty",
        "https://example.com:0/, port",
        "https://example.com/shop/*, leave out the *",
        "https://example.com/#x, fragment",
        "exa mple.com, character ' '",
        "user:pw@example.com/, user info",
    })
    void a_refusal_says_what_to_write(String pattern, String remedy) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HostPattern.parse(pattern))
                .withMessageContaining(remedy);
    }

    @Test
    void the_narrower_pattern_is_the_more_specific() {
        List<String> widestFirst = List.of(
                "*",
                "*/shop/",
                "regex:.*\\.example\\.com",
                ".com",
                "*.com",
                ".example.com",
                "*.example.com",
                "*.example.com/shop/",
                "*.www.example.com",
                "www.example.com",
                "www.example.com/",
                "https://www.example.com/",
                "www.example.com/shop/",
                "https://www.example.com/shop/");
        assertThat(widestFirst)
                .extracting(text -> HostPattern.parse(text).specificity())
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void only_hosts_named_with_a_path_depend_on_the_path() {
        List<HostPattern> patterns = List.of(
                HostPattern.parse("*"), HostPattern.parse("a.example.com/x"), HostPattern.parse(".example.org/x"));
        PatternIndex<HostPattern> index = new PatternIndex<>(patterns, p -> p);
        assertThat(index.dependsOnPath("a.example.com")).isTrue();
        assertThat(index.dependsOnPath("example.com")).isFalse();
        assertThat(index.dependsOnPath("b.a.example.org")).isTrue();
        assertThat(new PatternIndex<>(List.of(HostPattern.parse("*/x")), p -> p).dependsOnPath("any.example"))
                .isTrue();
    }
}
