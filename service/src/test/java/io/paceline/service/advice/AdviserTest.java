package io.paceline.service.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.GateConfig;
import io.paceline.Outcome.Kind;
import io.paceline.pace.HostPattern;
import io.paceline.pace.OnLimit;
import io.paceline.pace.Rule;
import io.paceline.pace.RuleBook;
import io.paceline.pace.TargetBook;
import io.paceline.pool.PoolConfig;
import io.paceline.pool.PoolSettings;
import io.paceline.service.record.RecordLine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Generated runs, of which it is known what they teach. */
class AdviserTest {
    private static final long START = 1_772_366_400_000_000L;
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;

    private Adviser adviser = new Adviser(null);
    private long leases;

    private static RecordLine.Asked asked(
            long at,
            long waited,
            String site,
            @Nullable String session,
            String result,
            @Nullable String rule,
            List<RecordLine.Leased> leases) {
        return new RecordLine.Asked(
                at,
                at - waited,
                "default",
                "www." + site,
                leases.isEmpty() ? null : site,
                null,
                session,
                null,
                Map.of(),
                "",
                RecordLine.Wanted.ONE,
                result,
                rule,
                leases);
    }

    private void request(long at, long waited, String site, String address, Kind kind) {
        String lease = Long.toHexString(++leases);
        adviser.take(
                asked(at, waited, site, null, "granted", null, List.of(new RecordLine.Leased(lease, address, false))));
        adviser.take(new RecordLine.Ended(
                at + SECOND / 10,
                "default",
                address,
                site,
                lease,
                kind,
                100_000,
                kind == Kind.RATE_LIMITED ? 429 : 200));
    }

    private void refusal(long at, String site, @Nullable String session, String reason, @Nullable String rule) {
        adviser.take(asked(at, 0, site, session, reason, rule, List.of()));
    }

    private Advice only(String kind) {
        List<Advice> found = adviser.report().advice().stream()
                .filter(advice -> advice.kind().equals(kind))
                .toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private static GateConfig config(Rule... rules) {
        return new GateConfig(
                List.of(
                        new PoolConfig(PoolSettings.defaults("default"), List.of()),
                        new PoolConfig(PoolSettings.defaults("spare"), List.of())),
                TargetBook.empty(),
                RuleBook.of(List.of(rules)));
    }

    private static Rule rule(String name, String pattern, int limit) {
        return Rule.builder(HostPattern.parse(pattern))
                .name(name)
                .limit(limit)
                .window(Duration.ofMinutes(1))
                .onLimit(OnLimit.WAIT)
                .build();
    }

    @Test
    void a_quiet_run_suggests_nothing() {
        for (int i = 0; i < 400; i++) {
            request(START + i * SECOND, 0, "good.test", "a" + i % 5, Kind.SUCCESS);
        }

        assertThat(adviser.report().advice()).isEmpty();
    }

    @Test
    void a_site_that_answers_429_above_a_rate_is_to_be_asked_below_it() {
        // Ten minutes of 30 requests, then ten of 60, in which all above 45 are answered 429.
        for (int minute = 0; minute < 20; minute++) {
            int requests = minute < 10 ? 30 : 60;
            for (int i = 0; i < requests; i++) {
                long at = START + minute * MINUTE + i * MINUTE / requests;
                request(at, 0, "strict.test", "a1", i >= 45 ? Kind.RATE_LIMITED : Kind.SUCCESS);
            }
        }

        Advice advice = only("lower_limit");
        assertThat(advice.about()).isEqualTo("strict.test");
        assertThat(advice.figures())
                .containsEntry("complaints", 150.0)
                .containsEntry("quiet_up_to", 30.0)
                .containsEntry("fullest_minute", 60.0)
                .containsEntry("limit_per_minute", 27.0);
        assertThat(advice.says())
                .contains("answered 429 or 503 to 150 of 900 requests (16.7 %)", "limit it to 27 a minute");
    }

    @Test
    void a_site_that_complains_at_any_rate_is_to_be_asked_half_as_often() {
        for (int i = 0; i < 200; i++) {
            request(START + 6L * i * SECOND, 0, "angry.test", "a1", i % 4 == 0 ? Kind.RATE_LIMITED : Kind.SUCCESS);
        }

        assertThat(only("lower_limit").figures()).containsEntry("limit_per_minute", 5.0);
    }

    @Test
    void a_rule_that_holds_callers_up_is_named_with_their_waits() {
        for (int i = 0; i < 100; i++) {
            request(START + i * SECOND, 0, "busy.test", "a1", Kind.SUCCESS);
        }
        for (int i = 0; i < 25; i++) {
            refusal(START + i * SECOND, "busy.test", null, "rate_limited", "narrow");
        }

        Advice advice = only("rule_binds");
        assertThat(advice.about()).isEqualTo("narrow");
        assertThat(advice.says())
                .startsWith("rule narrow held up 25 of 125 requests (20.0 %): 25 refused, most for www.busy.test");
    }

    @Test
    void a_rule_that_binds_while_its_sites_are_quiet_could_go_up_by_a_fifth() {
        adviser = new Adviser(config(rule("narrow", "*", 50)));
        for (int i = 0; i < 600; i++) {
            request(START + i * SECOND, 2 * SECOND, "calm.test", "a" + i % 5, Kind.SUCCESS);
        }

        Advice advice = only("rule_binds");
        assertThat(advice.says())
                .contains("600 waited 2.00 s on average")
                .contains("never complained in 600 answers", "from limit: 50 to limit: 60");
        assertThat(only("unused_pool").about()).isEqualTo("spare");
    }

    @Test
    void a_rule_that_never_binds_and_one_that_decides_nothing_are_told_apart() {
        adviser = new Adviser(config(rule("wide", "*", 1_000), rule("other", "other.test", 5)));
        for (int i = 0; i < 600; i++) {
            request(START + i * SECOND, 0, "calm.test", "a" + i % 5, Kind.SUCCESS);
        }

        assertThat(only("never_binds").about()).isEqualTo("wide");
        assertThat(only("unused_rule").about()).isEqualTo("other");
    }

    @Test
    void bans_under_an_even_load_ask_for_as_many_addresses_as_stay_below_them() {
        // Four addresses, 40 requests each in ten minutes; the site bans each after it.
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 160; i++) {
                long at = START + 20L * round * MINUTE + 10L * i * MINUTE / 160;
                request(at, 0, "wary.test", "a" + i % 4, Kind.SUCCESS);
            }
            for (int i = 0; i < 4; i++) {
                adviser.take(new RecordLine.Moved(
                        START + 20L * round * MINUTE + 10 * MINUTE - 1,
                        "default",
                        "a" + i,
                        "wary.test",
                        "healthy",
                        "quarantined",
                        "blamed"));
            }
        }

        Advice advice = only("pool_too_small");
        assertThat(advice.figures())
                .containsEntry("bans", 8.0)
                .containsEntry("requests_before_median", 40.0)
                .containsEntry("busiest_ten_minutes", 160.0)
                .containsEntry("enough", 5.0);
    }

    @Test
    void bans_of_those_who_had_sent_little_speak_of_their_quality() {
        for (int i = 0; i < 1_000; i++) {
            request(START + i * SECOND / 2, 0, "wary.test", "a" + (i < 10 ? i : i % 5), Kind.SUCCESS);
            if (i >= 10 && i < 15) {
                adviser.take(new RecordLine.Moved(
                        START + i * SECOND / 2,
                        "default",
                        "a" + (i - 5),
                        "wary.test",
                        "healthy",
                        "quarantined",
                        "blamed"));
            }
        }

        assertThat(only("pool_too_poor").figures()).containsEntry("requests_before_median", 1.0);
    }

    @Test
    void bans_of_the_busiest_alone_speak_of_the_strategy() {
        for (int i = 0; i < 1_000; i++) {
            request(START + i * SECOND / 2, 0, "wary.test", "a" + (i % 2 == 0 ? i % 20 : 1), Kind.SUCCESS);
        }
        for (int i = 0; i < 3; i++) {
            adviser.take(new RecordLine.Moved(
                    START + 500 * SECOND, "default", "a1", "wary.test", "healthy", "quarantined", "blamed"));
        }

        assertThat(adviser.report().advice())
                .as("one of eleven addresses is no matter of the pool")
                .isEmpty();
    }

    @Test
    void addresses_that_never_succeed_are_named_with_what_they_cost() {
        for (int i = 0; i < 100; i++) {
            request(START + i * SECOND, 0, "any.test", "a" + i % 4, i % 4 == 3 ? Kind.CONNECT_ERROR : Kind.SUCCESS);
        }

        assertThat(only("address_never_succeeds").says())
                .isEqualTo("1 of 4 addresses of pool default never succeeded in at least 20 tries each and cost 25"
                        + " requests: take them out (a3)");
    }

    @Test
    void what_happens_to_callers_is_told() {
        for (int i = 0; i < 50; i++) {
            request(START + i * SECOND, 0, "any.test", "a1", i % 5 == 0 ? Kind.CANCELED : Kind.SUCCESS);
            refusal(START + i * SECOND, "any.test", "s" + i % 5, "session_ended", null);
            refusal(START + i * SECOND, "any.test", null, "no_address", null);
            refusal(START + i * SECOND, "any.test", null, "robots_disallowed", null);
            refusal(START + i * SECOND, "any.test", null, "queue_full", null);
            refusal(START + i * SECOND, "any.test", null, "quota_exceeded", "quota.permits");
            adviser.take(new RecordLine.Expired(START, "default", "a1"));
            adviser.take(new RecordLine.DryRun(START, "trial"));
        }
        adviser.take(new RecordLine.Dropped(START, 7));
        request(START + MINUTE, 0, "any.test", "a1", Kind.CANCELED);

        assertThat(adviser.report().advice())
                .extracting(Advice::kind)
                .contains(
                        "sessions_broken",
                        "no_address",
                        "robots_disallowed",
                        "queue_full",
                        "quota_exceeded",
                        "leases_expired",
                        "permits_unused",
                        "dry_run",
                        "record_incomplete");
        assertThat(only("dry_run").says()).isEqualTo("dry run trial would have refused 50 of 51 permits (98.0 %)");
        assertThat(only("sessions_broken").says()).startsWith("5 of 5 sessions (100.0 %) lost their address");
    }
}
