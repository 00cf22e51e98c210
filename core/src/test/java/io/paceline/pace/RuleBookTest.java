package io.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.paceline.pace.RuleMatch.Standing;
import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RuleBookTest {

    @Test
    void without_rules_the_default_pace_holds() {
        assertThat(keys(plan("https://www.example.com/")))
                .containsExactly("default-pace|example.com", "default-pace|example.com||at-once");
        Plan plan = plan("https://www.example.com/");
        assertThat(plan.charges())
                .extracting(Charge::spec)
                .containsExactly(new LimitSpec.Gcra(1_000_000, 1), new LimitSpec.Concurrency(2));
        assertThat(plan.charges()).allSatisfy(charge -> {
            assertThat(charge.rule()).isEqualTo("default-pace");
            assertThat(charge.maxWaitMicros()).isEqualTo(10_000_000);
            assertThat(charge.dryRun()).isFalse();
        });
    }

    @Test
    void where_one_contest_has_a_winner_the_other_stays_open() {
        assertThat(keys(plan("https://example.com/", rate("r", "*").build()))).containsExactly("r|example.com");
        assertThat(keys(plan("https://example.com/", atOnce("c", "*").build())))
                .containsExactly("c|example.com||at-once");
    }

    @Test
    void always_rules_and_dry_runs_do_not_count_as_rules_of_a_kind() {
        Plan plan = plan(
                "https://example.com/",
                rate("floor", "*").always(true).build(),
                rate("trial", "*").dryRun(true).priority(99).build(),
                rate("both", "*").always(true).dryRun(true).build());
        assertThat(plan.charges())
                .extracting(Charge::rule)
                .containsExactly("default-pace", "default-pace", "floor", "trial", "both");
        assertThat(plan.charges()).extracting(Charge::dryRun).containsExactly(false, false, false, true, true);
    }

    @Test
    void one_wins_how_often_and_one_how_many_at_once() {
        Plan plan = plan(
                "https://www.example.com/",
                rate("all", "*").concurrency(9).build(),
                rate("site", ".example.com").build(),
                atOnce("pages", "www.example.com/").build());
        assertThat(plan.charges()).extracting(Charge::rule).containsExactly("site", "pages");
        assertThat(plan.dependsOnPath()).isTrue();
    }

    @Test
    void an_entry_with_both_limits_can_win_both() {
        assertThat(keys(plan(
                        "https://example.com/",
                        rate("r", "*").concurrency(2).per(Per.RULE).build())))
                .containsExactly("r", "r||at-once");
    }

    @Test
    void the_higher_priority_number_wins_then_the_narrower_pattern_then_the_earlier() {
        Rule wide = rate("wide", "*").priority(5).build();
        Rule narrow = rate("narrow", "example.com").build();
        Rule first = rate("first", "*.com").build();
        Rule second = rate("second", "*.com").build();
        List<RuleMatch> matches = explain("https://example.com/", narrow, first, second, wide);
        assertThat(matches).extracting(m -> m.rule().name()).containsExactly("wide", "narrow", "first", "second");
        assertThat(matches)
                .extracting(RuleMatch::standing)
                .containsExactly(Standing.BINDS, Standing.LOST, Standing.LOST, Standing.LOST);
        assertThat(matches.get(1).why()).isEqualTo("lost to 'wide': priority 5 over 0");
        matches = explain("https://example.com/", narrow, first, second);
        assertThat(matches.get(1).why()).isEqualTo("lost to 'narrow': example.com is more specific than *.com");
        matches = explain("https://example.com/", first, second);
        assertThat(matches.get(1).why()).isEqualTo("lost to 'first': it stands earlier in the file");
    }

    @Test
    void two_rules_of_one_name_are_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RuleBook.of(List.of(
                        rate("r", "a.example").build(), rate("r", "b.example").build())))
                .withMessageContaining("two rules are called 'r'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RuleBook.of(List.of(rate("default-pace", "*").build())))
                .withMessageContaining("is taken");
    }

    @Test
    void more_extra_rules_than_a_store_checks_are_refused_at_load() {
        List<Rule> rules = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            rules.add(rate("x" + i, i % 2 == 0 ? "*" : "*.example.com")
                    .always(true)
                    .build());
        }
        for (int i = 0; i < 20; i++) {
            rules.add(rate("o" + i, "www" + i + ".example.org").dryRun(true).build());
        }
        RuleBook book = RuleBook.of(rules);
        TargetUrl url = TargetUrl.parse("https://www.example.com/");
        assertThat(book.plan(url, TargetBook.empty().targetOf(url)).charges()).hasSize(RuleBook.MAX_CHARGES);

        rules.add(rate("one-more", "www.example.com").dryRun(true).build());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RuleBook.of(rules))
                .withMessageContaining("more than 6")
                .withMessageContaining("one-more");
    }

    /** The index and the contest against the plainest way to write them, over random books. */
    @SeededTest(seeds = 200)
    void a_plan_names_the_winners_that_a_scan_of_all_rules_finds(long seed) {
        RandomGenerator random = Seeds.random(seed);
        String[] names = {"a", "b", "www", "example", "com", "org"};
        List<Rule> rules = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String host = randomHost(random, names);
            String[] forms = {
                "*",
                host,
                "*." + host,
                "." + host,
                host + "/x",
                "." + host + "/x",
                "regex:.*" + names[random.nextInt(3)] + ".*"
            };
            rules.add(rate("r" + i, forms[random.nextInt(forms.length)])
                    .priority(random.nextInt(3))
                    .build());
        }
        RuleBook book = RuleBook.of(rules);
        for (int i = 0; i < 50; i++) {
            TargetUrl url =
                    TargetUrl.parse("https://" + randomHost(random, names) + (random.nextBoolean() ? "/x" : "/y"));
            List<Rule> byStrength = rules.stream()
                    .filter(rule -> rule.pattern().matches(url))
                    .sorted(Comparator.comparingInt((Rule rule) -> -rule.priority())
                            .thenComparingInt(rule -> -rule.pattern().specificity()))
                    .toList();
            String winner =
                    byStrength.isEmpty() ? "default-pace" : byStrength.get(0).name();
            Plan plan = book.plan(url, TargetBook.empty().targetOf(url));
            assertThat(plan.charges().get(0).rule()).as("%s", url).isEqualTo(winner);
            if (!plan.dependsOnPath()) {
                TargetUrl elsewhere = TargetUrl.parse("http://" + url.host() + ":81/z");
                assertThat(book.plan(elsewhere, TargetBook.empty().targetOf(elsewhere)))
                        .isEqualTo(plan);
            }
        }
    }

    private static String randomHost(RandomGenerator random, String[] names) {
        StringBuilder host = new StringBuilder();
        for (int labels = 1 + random.nextInt(3); labels > 0; labels--) {
            host.append(names[random.nextInt(4)]).append('.');
        }
        return host.append(names[4 + random.nextInt(2)]).toString();
    }

    private static Rule.Builder rate(String name, String pattern) {
        return Rule.builder(HostPattern.parse(pattern)).name(name).limit(10).window(Duration.ofMinutes(1));
    }

    private static Rule.Builder atOnce(String name, String pattern) {
        return Rule.builder(HostPattern.parse(pattern)).name(name).concurrency(2);
    }

    private static Plan plan(String url, Rule... rules) {
        TargetUrl target = TargetUrl.parse(url);
        return RuleBook.of(List.of(rules)).plan(target, TargetBook.empty().targetOf(target));
    }

    private static List<RuleMatch> explain(String url, Rule... rules) {
        TargetUrl target = TargetUrl.parse(url);
        return RuleBook.of(List.of(rules)).explain(target, TargetBook.empty().targetOf(target));
    }

    private static List<String> keys(Plan plan) {
        return plan.charges().stream().map(Charge::key).toList();
    }
}
