package io.paceline.sim.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.paceline.GateConfig;
import io.paceline.Outcome.Kind;
import io.paceline.Request;
import io.paceline.pace.HostPattern;
import io.paceline.pace.Prices;
import io.paceline.pace.Quota;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pace.TenantBook;
import io.paceline.pace.TenantSettings;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReplayTest {
    private static final long START = 1_772_366_400_000_000L;
    private static final long SECOND = 1_000_000;
    private static final int REQUESTS = 600;

    /** A request a second over three addresses, of which the last is dead. */
    private static Recording record() {
        return record("", 1);
    }

    private static Recording record(String tenant, int cost) {
        Recording recording = new Recording();
        for (int i = 0; i < REQUESTS; i++) {
            long at = START + i * SECOND;
            String address = "a" + i % 3;
            boolean dead = i % 3 == 2;
            recording.asked(arrival(at, tenant, cost), "example.com", at, 1, null);
            recording.leased("default", "lease" + i, address, at);
            recording.ended(
                    "lease" + i,
                    address,
                    "example.com",
                    at + 200_000,
                    dead ? Kind.CONNECT_ERROR : Kind.SUCCESS,
                    dead ? -1 : 150_000);
        }
        return recording;
    }

    private static Arrival arrival(long at) {
        return arrival(at, "", 1);
    }

    private static Arrival arrival(long at, String tenant, int cost) {
        Arrival.Wanted wanted = new Arrival.Wanted(1, cost, Request.Priority.NORMAL, 0, true);
        return new Arrival(at, "default", "www.example.com", "~c", null, null, Map.of(), tenant, wanted);
    }

    private static GateConfig config(int limit, Duration window) {
        RuleBook rules = RuleBook.of(List.of(Rule.builder(HostPattern.parse("*"))
                .name("all")
                .limit(limit)
                .window(window)
                .build()));
        return new GateConfig(
                List.of(new PoolConfig(PoolSettings.defaults("default"), List.of())), TargetBook.of(List.of()), rules);
    }

    private static ReplayReport replay(GateConfig config, long seed) {
        return Replay.run(record(), config, seed, line -> {});
    }

    @Test
    void a_pool_that_judges_avoids_the_dead_address_that_the_record_kept_asking() {
        ReplayReport report = replay(config(100, Duration.ofSeconds(1)), 1);

        assertThat(report.recorded().requests()).isEqualTo(REQUESTS);
        assertThat(report.recorded().successRate()).isEqualTo(2 / 3.0);
        assertThat(report.replayed().requests()).isEqualTo(REQUESTS);
        assertThat(report.replayed().refused()).isZero();
        assertThat(report.replayed().successRate()).isGreaterThan(0.9);
        assertThat(report.replayed().putOut()).isPositive();
        assertThat(report.replayed().targets().values())
                .singleElement()
                .extracting(ReplayReport.Target::permits)
                .isEqualTo((long) REQUESTS);
        assertThat(report.notes()).anyMatch(note -> note.contains("the 3 recorded ones serve"));
    }

    @Test
    void a_tighter_rule_refuses_what_is_above_it() {
        ReplayReport report = replay(config(1, Duration.ofSeconds(10)), 1);

        assertThat(report.replayed().permits()).isEqualTo(REQUESTS / 10);
        assertThat(report.replayed().refusals()).containsOnlyKeys("rate_limited");
    }

    @Test
    void requests_count_for_what_they_cost_and_for_whom_they_were() {
        GateConfig config = config(10, Duration.ofSeconds(10));
        GateConfig withTenant = new GateConfig(
                config.pools(),
                config.targets(),
                config.rules(),
                TenantBook.of(List.of(new TenantSettings(
                        "shop",
                        List.of("default"),
                        config(1, Duration.ofSeconds(10)).rules().rules(),
                        Quota.NONE,
                        Prices.NONE))));

        assertThat(Replay.run(record("", 5), config, 1, line -> {}).replayed().permits())
                .isEqualTo(REQUESTS / 5);
        assertThat(Replay.run(record("shop", 1), withTenant, 1, line -> {})
                        .replayed()
                        .permits())
                .isEqualTo(REQUESTS / 10);
    }

    @Test
    void the_same_seed_gives_the_same_report() {
        GateConfig config = config(100, Duration.ofSeconds(1));

        assertThat(replay(config, 7)).isEqualTo(replay(config, 7));
    }

    @Test
    void every_answer_says_how_well_it_is_known() {
        ReplayReport report = replay(config(100, Duration.ofSeconds(1)), 1);

        assertThat(report.sources().values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(REQUESTS);
        assertThat(report.sources().entrySet().iterator().next().getValue()).isEqualTo(REQUESTS);
    }

    @Test
    void a_cell_that_the_record_does_not_know_is_made_of_its_address_and_its_target() {
        Answers answers = new Answers();
        answers.add("dead", "one.example", START, Kind.CONNECT_ERROR, -1, SECOND);
        answers.add("good", "two.example", START, Kind.BLOCKED, 5_000, SECOND);
        io.paceline.sim.Dice dice = io.paceline.sim.Dice.of(1);

        assertThat(answers.draw(dice, 1, "dead", "two.example", START).kind()).isEqualTo(Kind.CONNECT_ERROR);
        assertThat(answers.draw(dice, 2, "good", "two.example", START).latencyMicros())
                .isEqualTo(5_000);
        assertThat(answers.draw(dice, 3, "dead", "one.example", START + 1_000 * SECOND)
                        .latencyMicros())
                .isNegative();
        assertThat(answers.draw(dice, 4, "new", "two.example", START).kind()).isEqualTo(Kind.BLOCKED);
        assertThat(answers.used().keySet())
                .isEqualTo(Set.of(
                        Answers.Source.HALVES, Answers.Source.CELL, Answers.Source.CELL_NEAR, Answers.Source.FAR));
    }

    @Test
    void a_record_without_requests_or_outcomes_is_refused_in_words() {
        GateConfig config = config(1, Duration.ofSeconds(1));
        Recording onlyAsked = new Recording();
        onlyAsked.asked(arrival(START), "example.com", START, 0, "no_address");

        assertThatThrownBy(() -> Replay.run(new Recording(), config, 1, line -> {}))
                .hasMessageContaining("no requests");
        assertThatThrownBy(() -> Replay.run(onlyAsked, config, 1, line -> {})).hasMessageContaining("no outcomes");
    }
}
