package io.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetBookTest {

    @ParameterizedTest
    @CsvSource({
        "https://www.example.com/, example.com",
        "https://a.b.example.co.uk:8443/, example.co.uk",
        "https://co.uk/, co.uk",
        "https://a.github.io/, a.github.io",
        "https://x.b.github.io/, b.github.io",
        "https://github.io/, github.io",
        "https://www.shop.example/, shop.example",
        "https://www.ck/, www.ck",
        "https://a.www.ck/, www.ck",
        "https://x.a.b.ck/, a.b.ck",
        "https://b.ck/, b.ck",
        "https://a.city.kawasaki.jp/, city.kawasaki.jp",
        "https://www.公司.cn/, www.xn--55qx5d.cn",
        "https://x.www.公司.cn/, www.xn--55qx5d.cn",
        "https://192.0.2.1/, 192.0.2.1",
        "https://[2001:db8::1]/, 2001:db8::1",
        "https://localhost:8080/, localhost",
        "https://a.b.localhost/, b.localhost",
        "https://my_shop.example.com/, example.com",
    })
    void a_target_is_the_registrable_domain_or_the_host(String url, String target) {
        assertThat(TargetBook.empty().targetOf(TargetUrl.parse(url)).name()).isEqualTo(target);
    }

    @Test
    void the_most_specific_entry_that_sets_an_option_decides_it() {
        TargetBook book = TargetBook.of(List.of(
                entry("*", null, "wide"),
                entry(".example.com", "example", "shop"),
                entry("*.example.com", null, null),
                entry("api.example.com", null, "api"),
                entry("example.com/b/", "b", null),
                entry("example.com/b/", "never", null)));

        assertThat(book.targetOf(TargetUrl.parse("https://api.example.com/")).name())
                .isEqualTo("example");
        assertThat(book.poolOf(TargetUrl.parse("https://api.example.com/"))).isEqualTo("api");
        assertThat(book.poolOf(TargetUrl.parse("https://www.example.com/"))).isEqualTo("shop");
        assertThat(book.poolOf(TargetUrl.parse("https://example.org/"))).isEqualTo("wide");
        assertThat(book.targetOf(TargetUrl.parse("https://www.example.org/")).name())
                .isEqualTo("example.org");
        assertThat(book.targetOf(TargetUrl.parse("https://example.com/b/1")).name())
                .isEqualTo("b");
        assertThat(book.targetOf(TargetUrl.parse("https://example.com/c")).name())
                .isEqualTo("example");
        assertThat(book.dependsOnPath("example.com")).isTrue();
        assertThat(book.dependsOnPath("www.example.com")).isFalse();
    }

    @Test
    void without_entries_there_is_no_pool() {
        assertThat(TargetBook.of(List.of()).poolOf(TargetUrl.parse("https://example.org/")))
                .isNull();
    }

    @Test
    void a_name_cannot_break_the_keys_of_buckets() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> entry("*", "a|b", null))
                .withMessageContaining("name 'a|b'");
    }

    private static TargetSettings entry(String match, @Nullable String name, @Nullable String pool) {
        return new TargetSettings(HostPattern.parse(match), name, pool);
    }
}
