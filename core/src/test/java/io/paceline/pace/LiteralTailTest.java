package io.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiteralTailTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            nullValues = "none",
            value = {
                "shop[0-9]+\\.example\\.com example.com",
                ".*\\.Example\\.com$ example.com",
                "(a|b)\\.example\\.com example.com",
                "[|]x\\.com com",
                "[]|]x\\.com com",
                "(?i)x\\.com com",
                "\\.com com",
                "example\\.com com",
                "a|b\\.com none",
                "a\\\\.com none",
                "\\Qa\\.com none",
                ".*shop.* none",
                "shop\\.com? none",
                "shop\\.(com|org) none",
                "shop\\.co[m] none",
                "shop.com none",
                "shop\\.com\\d none",
            })
    void whole_labels_at_the_end_are_found_and_nothing_else(String expression, String tail) {
        assertThat(LiteralTail.of(expression)).isEqualTo(tail);
    }

    private static final List<String> PARTS = List.of(
            "a",
            "b",
            "\\.",
            ".",
            ".*",
            "com",
            "\\.com",
            "\\.a\\.com",
            "|",
            "(",
            ")",
            "[ab]",
            "[^]a]",
            "[[:alpha:]|a]",
            "?",
            "+",
            "\\w",
            "\\\\",
            "$",
            "^",
            "(?:",
            "-");
    private static final List<String> LABELS = List.of("a", "b", "ab", "com", "a-b", "x");

    /** The index may never lose a host that the expression matches. */
    @SeededTest(seeds = 2_000)
    void a_host_that_an_expression_matches_is_found_by_the_index(long seed) {
        RandomGenerator random = Seeds.random(seed);
        StringBuilder text = new StringBuilder("regex:");
        for (int i = 0; i < 1 + random.nextInt(7); i++) {
            text.append(PARTS.get(random.nextInt(PARTS.size())));
        }
        HostPattern pattern;
        try {
            pattern = HostPattern.parse(text.toString());
        } catch (IllegalArgumentException noExpression) {
            return;
        }
        PatternIndex<HostPattern> index = new PatternIndex<>(List.of(pattern), one -> one);
        for (int i = 0; i < 30; i++) {
            StringBuilder host = new StringBuilder(LABELS.get(random.nextInt(LABELS.size())));
            for (int label = 0; label < random.nextInt(4); label++) {
                host.append('.').append(LABELS.get(random.nextInt(LABELS.size())));
            }
            TargetUrl url = TargetUrl.parse("http://" + host + "/");
            assertThat(!index.matching(url).isEmpty())
                    .as("%s on %s", pattern, host)
                    .isEqualTo(pattern.matches(url));
        }
    }
}
