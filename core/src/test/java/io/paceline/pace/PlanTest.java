package io.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.paceline.Target;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whose bucket a request is charged to. */
class PlanTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static Rule.Builder rate(String name) {
        return Rule.builder(HostPattern.parse("*")).name(name).limit(10).window(MINUTE);
    }

    private static Plan plan(Rule... rules) {
        TargetUrl url = TargetUrl.parse("https://www.example.com/");
        return RuleBook.of(List.of(rules)).plan(url, Target.of("example.com"));
    }

    private static List<String> keys(Plan plan, String tenant, String client, String session) {
        return plan.charges(tenant, client, session, false, 1).stream()
                .map(Charge::key)
                .toList();
    }

    @Test
    void the_parts_of_the_scope_tell_buckets_apart() {
        assertThat(keys(plan(rate("r").build()), "t", "c", "s")).containsExactly("r|example.com");
        assertThat(keys(plan(rate("r").per(Per.RULE).build()), "t", "c", "s")).containsExactly("r");
        assertThat(keys(plan(rate("r").per(Per.GLOBAL).build()), "t", "c", "s")).containsExactly("r");
        assertThat(keys(plan(rate("r").per(Per.TENANT).build()), "t", "c", "s")).containsExactly("r|tenant1:t");
        assertThat(keys(plan(rate("r").per(Per.CLIENT, Per.TARGET).build()), "t", "c", "s"))
                .containsExactly("r|example.com|client1:c");
        assertThat(keys(plan(rate("r").per(Per.SESSION, Per.CLIENT, Per.TENANT).build()), "t", "c", "s"))
                .containsExactly("r|tenant1:t|client1:c|session1:s");
    }

    @Test
    void no_caller_can_pose_as_another_by_the_text_that_it_sends() {
        Plan plan = plan(rate("r").per(Per.CLIENT, Per.SESSION).build());
        Set<String> keys = new HashSet<>();
        keys.addAll(keys(plan, "t", "a", "b|session1:c"));
        keys.addAll(keys(plan, "t", "a|session1:b", "c"));
        keys.addAll(keys(plan, "t", "a|session16:b", "c"));
        keys.addAll(keys(plan, "t", "", "a"));
        keys.addAll(keys(plan, "t", "a", ""));
        assertThat(keys).hasSize(5);
    }

    @Test
    void requests_that_name_no_client_or_session_share_one_bucket() {
        Plan plan = plan(rate("r").per(Per.CLIENT, Per.SESSION).build());
        assertThat(plan.charges("t", "", null, false, 1)).isEqualTo(plan.charges("u", "", "", false, 1));
    }

    @Test
    void a_plan_that_depends_on_nobody_is_handed_out_as_it_is() {
        Plan plan = plan(rate("r").build());
        assertThat(plan.charges("t", "c", "s", false, 1)).isSameAs(plan.charges());
        assertThat(plan.perAddress()).isFalse();
        assertThat(plan(rate("r").per(Per.TARGET, Per.ADDRESS).build()).perAddress())
                .isTrue();
    }

    @Test
    void the_address_is_the_stores_part_of_the_key_in_each_chain() {
        Charge charge =
                plan(rate("r").per(Per.TARGET, Per.ADDRESS).build()).charges().get(0);
        assertThat(charge.key()).isEqualTo("r|example.com");
        assertThat(Set.of(charge.hash(), charge.hashAt(1, 7), charge.hashAt(1, 8), charge.hashAt(2, 7)))
                .hasSize(4);
        assertThat(charge.at(1, 7).hash()).isEqualTo(charge.hashAt(1, 7));
    }

    @Test
    void low_priority_passes_a_clock_at_four_fifths_beside_each_rate() {
        Plan plan = plan(
                rate("r").concurrency(3).build(),
                rate("burst").burst(5).always(true).build(),
                rate("dry").dryRun(true).build());
        List<Charge> low = plan.charges("", "", null, true, 1);
        assertThat(low)
                .extracting(Charge::key)
                .containsExactly(
                        "r|example.com",
                        "r|example.com||low",
                        "r|example.com||at-once",
                        "burst|example.com",
                        "burst|example.com||low",
                        "dry|example.com");
        assertThat(low.get(1).spec()).isEqualTo(new LimitSpec.Window(8, 60_000_000));
        assertThat(low.get(4).spec()).isEqualTo(new LimitSpec.Gcra(12_500_000, 4));
    }

    @Test
    void a_low_share_of_few_permits_is_the_same_number_in_a_longer_window() {
        assertThat(LowShare.of(new LimitSpec.Window(1, 60_000_000))).isEqualTo(new LimitSpec.Window(1, 75_000_000));
        assertThat(LowShare.of(new LimitSpec.Gcra(1, 1))).isEqualTo(new LimitSpec.Gcra(2, 1));
        assertThat(LowShare.of(new LimitSpec.Concurrency(3))).isEqualTo(new LimitSpec.Concurrency(3));
    }

    @Test
    void a_scope_that_says_nothing_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Scope.of(List.of()))
                .withMessageContaining("per is empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Scope.of(Per.RULE, Per.TARGET))
                .withMessage(
                        "per: rule is one bucket for all, so beside target it says nothing: leave one of them out");
        assertThat(Scope.of(Per.ADDRESS, Per.TARGET, Per.TARGET)).isEqualTo(Scope.of(Per.TARGET, Per.ADDRESS));
        assertThat(Scope.of(Per.ADDRESS, Per.TARGET).word()).isEqualTo("target, address");
    }
}
