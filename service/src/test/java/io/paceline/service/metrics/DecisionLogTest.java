package io.paceline.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DecisionLogTest {

    @Test
    void a_line_says_what_how_long_and_why() {
        assertThat(DecisionLog.line("a17", null, "quarantined", 61_700_000, "5 failures in a row (relapse 1)"))
                .isEqualTo("quarantined a17 for 62s: 5 failures in a row (relapse 1)");
        assertThat(DecisionLog.line("a17", "example.com", "probing", 0, "its wait is over"))
                .isEqualTo("probing a17 on example.com: its wait is over");
        assertThat(DecisionLog.line("a17", null, "degraded", 1_500_000, "x")).isEqualTo("degraded a17 for 1.5s: x");
    }

    @Test
    void a_pseudonym_is_the_same_for_the_same_key_and_shows_nothing_of_it() {
        Pseudonyms ours = new Pseudonyms("one secret".getBytes(StandardCharsets.UTF_8));
        Pseudonyms others = new Pseudonyms("another".getBytes(StandardCharsets.UTF_8));

        assertThat(ours.of("acct-17"))
                .isEqualTo(ours.of("acct-17"))
                .isNotEqualTo(ours.of("acct-18"))
                .isNotEqualTo(others.of("acct-17"))
                .matches("~[0-9a-f]{12}");
        assertThat(ours.of(null)).isEqualTo("-");
    }
}
