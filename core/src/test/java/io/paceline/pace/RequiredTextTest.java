package io.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequiredTextTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            nullValues = "none",
            value = {
                ".*shop.* shop",
                ".*Shop[0-9]*\\..* shop",
                "shop[0-9]+\\.example\\.com .example.com",
                "shops? shop",
                "ab*c+d a",
                "ab{0,3}cde cde",
                "(a|b)-x -x",
                "a\\d+bcd bcd",
                "a|b none",
                ".* none",
                "\\x41bc none",
                "\\Qa|b none",
                "[[:alpha:]]abc none",
                "[]a]bc bc",
                "(abc)? none",
            })
    void the_longest_text_that_cannot_be_left_out(String expression, String text) {
        assertThat(RequiredText.of(expression)).isEqualTo(text);
    }

    private static final List<String> PARTS = List.of(
            "a", "b", "ab", "\\.", ".", ".*", "com", "|", "(", ")", "[ab]", "[^]a]", "[a|b]", "?", "*", "+", "{0,1}",
            "{2}", "\\w", "\\d", "\\\\", "$", "^", "(?:", "-", "\\-");
    private static final List<String> PIECES = List.of("a", "b", "ab", ".", "com", "-", "1");

    @SeededTest(seeds = 3_000)
    void whatever_an_expression_matches_contains_it(long seed) {
        RandomGenerator random = Seeds.random(seed);
        StringBuilder expression = new StringBuilder();
        for (int i = 0; i < 1 + random.nextInt(8); i++) {
            expression.append(PARTS.get(random.nextInt(PARTS.size())));
        }
        Pattern pattern;
        try {
            pattern = Pattern.compile(expression.toString(), Pattern.CASE_INSENSITIVE);
        } catch (PatternSyntaxException noExpression) {
            return;
        }
        String text = RequiredText.of(expression.toString());
        for (int i = 0; i < 50 && text != null; i++) {
            StringBuilder host = new StringBuilder();
            for (int piece = 0; piece < random.nextInt(6); piece++) {
                host.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            if (pattern.matches(host.toString())) {
                assertThat(host).as(expression.toString()).contains(text);
            }
        }
    }
}
