package io.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RuleTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void a_limit_alone_is_a_sliding_window() {
        Rule rule = rate(50, MINUTE).build();
        assertThat(rule.rateSpec()).isEqualTo(new LimitSpec.Window(50, 60_000_000));
        assertThat(rule.concurrencySpec()).isNull();
        assertThat(rule.maxWait()).isZero();
    }

    @Test
    void a_burst_makes_it_gcra_with_an_interval_that_keeps_the_promise() {
        Rule rule = rate(50, MINUTE).burst(5).onLimit(OnLimit.WAIT).build();
        assertThat(rule.rateSpec()).isEqualTo(new LimitSpec.Gcra(1_304_348, 5));
        assertThat(rule.maxWait()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void gcra_without_burst_is_the_whole_limit_at_once() {
        assertThat(rate(3, MINUTE).algorithm(Algorithm.GCRA).build().rateSpec())
                .isEqualTo(new LimitSpec.Gcra(60_000_000, 3));
    }

    @Test
    void an_unnamed_pair_gets_two_names() {
        assertThat(rate(3, MINUTE).build().name()).isEqualTo(".example.com");
        assertThat(any().concurrency(4).build().name()).isEqualTo(".example.com at once");
        assertThat(any().concurrency(4).dryRun(true).build().name()).isEqualTo(".example.com at once dry run");
        assertThat(Rule.builder(HostPattern.parse("regex:a|b"))
                        .concurrency(1)
                        .build()
                        .name())
                .isEqualTo("regex:a b at once");
    }

    @Test
    void what_cannot_be_is_refused_in_the_words_of_the_configuration() {
        refused(any(), "neither limit nor concurrency");
        refused(rate(0, MINUTE), "limit 0");
        refused(rate(-1, MINUTE), "limit -1");
        refused(rate(1_000_001, MINUTE), "limit 1000001");
        refused(rate(1, Duration.ZERO), "window 0 s");
        refused(rate(1, Duration.ofMillis(-5)), "window -5 ms");
        refused(rate(1, Duration.ofDays(32)), "window");
        refused(any().limit(1), "window is missing");
        refused(any().window(MINUTE), "limit is missing");
        refused(any().concurrency(1).burst(2), "limit is missing");
        refused(rate(5, MINUTE).burst(0), "burst 0");
        refused(rate(5, MINUTE).burst(6), "burst 6 is not between 1 and the limit of 5");
        refused(rate(5, MINUTE).burst(2).algorithm(Algorithm.SLIDING_WINDOW), "algorithm: gcra");
        refused(any().concurrency(0), "concurrency 0");
        refused(rate(5, MINUTE).maxWait(MINUTE), "on_limit: wait");
        refused(rate(5, MINUTE).onLimit(OnLimit.WAIT).maxWait(Duration.ofDays(1)), "max_wait");
        refused(rate(5, MINUTE).onLimit(OnLimit.WAIT).maxWait(Duration.ofSeconds(-1)), "max_wait");
        refused(rate(5, MINUTE).name("a|b"), "name 'a|b'");
        refused(rate(5, MINUTE).name(" "), "name is empty");
    }

    @Test
    void what_a_rate_sustains_is_said_in_words() {
        assertThat(Sustained.of(Rate.of(50, MINUTE, 5)).sentence())
                .isEqualTo(
                        "gcra: 5 at once, then one every 1.304 s (46/min sustained), never more than 50 in any 60 s");
        assertThat(Sustained.of(Rate.of(50, MINUTE, 5)).warning()).isEmpty();
        assertThat(Sustained.of(Rate.of(50, MINUTE)).sentence())
                .isEqualTo("sliding-window: up to 50 at once, never more than 50 in any 60 s");
        assertThat(Sustained.of(Rate.of(10, Duration.ofSeconds(1), 1)).sentence())
                .isEqualTo("gcra: 1 at once, then one every 100 ms (10/s sustained), never more than 10 in any 1 s");
        assertThat(Sustained.of(Rate.of(1, MINUTE, 1)).warning()).isEmpty();
    }

    @Test
    void a_burst_near_the_limit_is_warned_about() {
        assertThat(Sustained.of(Rate.of(50, MINUTE, 48)).warning())
                .hasValueSatisfying(text -> assertThat(text).contains("burst 48 is near limit 50", "only 3 of 50"));
    }

    private static Rule.Builder any() {
        return Rule.builder(HostPattern.parse(".example.com"));
    }

    private static Rule.Builder rate(int limit, Duration window) {
        return any().limit(limit).window(window);
    }

    private static void refused(Rule.Builder rule, String message) {
        assertThatIllegalArgumentException().isThrownBy(rule::build).withMessageContaining(message);
    }
}
