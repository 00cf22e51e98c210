package io.paceline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.paceline.pace.BadTargetException;
import io.paceline.pace.HostPattern;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is remembered of URLs never changes where one leads, nor what is refused. */
class RoutesTest {
    private static Routes routes(Rule... rules) {
        PoolSettings pool = PoolSettings.defaults("default");
        GateConfig config = new GateConfig(
                List.of(new PoolConfig(pool, List.of())), TargetBook.empty(), RuleBook.of(List.of(rules)));
        return new Routes(config, Map.of("default", new PoolRuntime(pool)));
    }

    private static Rule rule(String pattern, int limit) {
        return Rule.builder(HostPattern.parse(pattern))
                .name(pattern)
                .limit(limit)
                .window(Duration.ofSeconds(1))
                .build();
    }

    @Test
    void an_origin_that_was_read_before_leads_the_same_way_however_its_path_begins() {
        Routes routes = routes(rule("*", 5));
        Routes.Route first = routes.of("https://www.example.com/a");

        for (String rest : List.of("/b", "", "?q=1", "#part", "/a|b[c]")) {
            assertThat(routes.of("https://www.example.com" + rest)).isSameAs(first);
        }
        assertThat(routes.of("www.example.com")).isSameAs(first);
        assertThat(routes.of("https://www.example.com.other.org/").target().name())
                .isEqualTo("other.org");
        assertThat(routes.of("https://www.example.org/").target().name()).isEqualTo("example.org");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a\nb", "/\u007f", "?a\tb"})
    void a_path_that_none_can_be_is_refused_behind_a_known_origin_too(String rest) {
        Routes routes = routes(rule("*", 5));
        routes.of("https://www.example.com/");
        routes.of("https://www.example.com/");

        assertThatThrownBy(() -> routes.of("https://www.example.com" + rest)).isInstanceOf(BadTargetException.class);
    }

    @Test
    void a_backslash_before_the_path_is_refused_behind_a_known_origin_too() {
        Routes routes = routes(rule("*", 5));
        routes.of("https://www.example.com/");

        assertThatThrownBy(() -> routes.of("https://www.example.com\\@evil.example/"))
                .isInstanceOf(BadTargetException.class);
    }

    @Test
    void where_a_rule_goes_by_the_path_each_url_is_read() {
        Routes routes = routes(rule("*", 5), rule("www.example.com/shop", 1));

        assertThat(routes.of("https://www.example.com/").plan())
                .isNotEqualTo(routes.of("https://www.example.com/shop/1").plan());
        assertThat(routes.of("https://www.example.com/").plan())
                .isEqualTo(routes.of("https://www.example.com/about").plan());
    }

    @Test
    void user_info_plays_no_part() {
        Routes routes = routes(rule("*", 5));

        assertThat(routes.of("https://www.example.com@other.org/").target().name())
                .isEqualTo("other.org");
        assertThat(routes.of("https://user:secret@www.example.com/").target().name())
                .isEqualTo("example.com");
        assertThat(routes.of("https://www.example.com/@x").target().name()).isEqualTo("example.com");
    }
}
