package io.paceline.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.health.ControlResult.Verdict;
import io.paceline.health.ControlUrls.Asked;
import io.paceline.health.ControlUrls.Round;
import io.paceline.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is at fault, the address, the control URL or ourselves, as timelines. */
class ControlUrlsTest {
    private static final String A = "http://198.51.100.1/ok";
    private static final String B = "https://203.0.113.9/ok?key=s3cret";
    private static final List<String> BOTH = List.of(A, B);
    private static final long SECOND = 1_000_000;
    private static final ControlAnswer OK = ControlAnswer.passed(204, 80_000);
    private static final ControlAnswer SILENT = ControlAnswer.silent("timed out");
    private static final ControlAnswer TOO_MANY = ControlAnswer.answered(429, 20_000);

    private final ControlUrls urls = new ControlUrls();
    private final RandomGenerator random = Seeds.random(1);
    private final List<String> heard = new ArrayList<>();
    private long now = 1_772_366_400_000_000L;

    private void know(List<String> wanted) {
        urls.configure(wanted, now);
        wanted.forEach(url -> direct(url, OK));
    }

    private void direct(String url, ControlAnswer answer) {
        urls.direct(url, answer, now, random).ifPresent(this::hear);
    }

    private void hear(ControlUrl change) {
        heard.add((change.alive() ? "alive " : "dead ") + change.name());
    }

    /** A probe of an address of a hundred: what came through it, and which failing URLs pass directly. */
    private Verdict probe(long address, boolean inService, List<Asked> asked, String... passDirectly) {
        return probe(100, address, inService, asked, passDirectly);
    }

    private Verdict probe(int size, long address, boolean inService, List<Asked> asked, String... passDirectly) {
        now += SECOND;
        Round round = new Round(address, inService, asked, List.of(passDirectly), size);
        Verdict verdict = urls.verdict(round, now);
        urls.learn(round, now).forEach(this::hear);
        return verdict;
    }

    private static List<Asked> asked(ControlAnswer a, ControlAnswer b) {
        return List.of(new Asked(A, a), new Asked(B, b));
    }

    private static List<Asked> only(ControlAnswer a) {
        return List.of(new Asked(A, a));
    }

    @Nested
    class an_address {
        @Test
        void is_at_fault_where_two_urls_are_silent_through_it_and_pass_directly() {
            know(BOTH);
            assertThat(probe(1, false, asked(SILENT, SILENT), A, B)).isEqualTo(Verdict.FAILED);
        }

        @Test
        void passes_where_one_url_passes() {
            know(BOTH);
            assertThat(probe(1, false, asked(SILENT, OK))).isEqualTo(Verdict.PASSED);
        }

        @Test
        void is_not_judged_where_we_reach_nothing_ourselves() {
            know(BOTH);
            assertThat(probe(1, true, asked(SILENT, SILENT))).isEqualTo(Verdict.UNKNOWN);
            assertThat(heard).isEmpty();
        }

        @Test
        void is_not_judged_by_one_url_that_nobody_vouches_for() {
            know(List.of(A));
            assertThat(probe(1, false, only(SILENT), A)).isEqualTo(Verdict.UNKNOWN);
        }

        @Test
        void is_at_fault_where_the_only_url_passed_through_another_lately() {
            know(List.of(A));
            assertThat(probe(2, true, only(OK))).isEqualTo(Verdict.PASSED);
            assertThat(probe(1, false, only(SILENT), A)).isEqualTo(Verdict.FAILED);
            assertThat(probe(1, false, only(SILENT), A)).as("and again").isEqualTo(Verdict.FAILED);
        }

        @Test
        void is_not_judged_by_a_url_that_has_failed_through_another_since() {
            know(List.of(A));
            probe(2, true, only(OK));
            probe(3, true, only(SILENT), A);
            assertThat(probe(1, false, only(SILENT), A)).isEqualTo(Verdict.UNKNOWN);
        }

        @Test
        void is_not_judged_on_old_passes() {
            know(List.of(A));
            probe(2, true, only(OK));
            now += 601 * SECOND;
            assertThat(probe(1, false, only(SILENT), A)).isEqualTo(Verdict.UNKNOWN);
        }

        @Test
        void whose_proxy_refuses_our_credentials_needs_no_witness() {
            know(BOTH);
            assertThat(probe(1, true, only(ControlAnswer.credentialsRefused()))).isEqualTo(Verdict.CREDENTIALS_REFUSED);
        }

        @Test
        void is_not_judged_where_nothing_is_alive_to_be_asked() {
            assertThat(probe(1, true, List.of())).isEqualTo(Verdict.UNKNOWN);
        }
    }

    @Nested
    class a_url {
        @Test
        void that_fails_directly_twice_is_dead_and_named_without_its_query() {
            know(BOTH);
            direct(B, SILENT);
            assertThat(urls.alive(BOTH)).containsExactlyInAnyOrder(A, B);
            direct(B, SILENT);
            assertThat(heard).containsExactly("dead https://203.0.113.9/ok");
            assertThat(urls.alive(BOTH)).containsExactly(A);
            assertThat(urls.all().get(1).reason()).contains("2 times in a row: timed out");
        }

        @Test
        void is_alive_again_when_it_passes_directly() {
            know(BOTH);
            direct(B, SILENT);
            direct(B, SILENT);
            direct(B, OK);
            assertThat(heard).containsExactly("dead https://203.0.113.9/ok", "alive https://203.0.113.9/ok");
        }

        @Test
        void that_fails_once_is_asked_again_after_a_second() {
            know(BOTH);
            now += 13 * SECOND;
            assertThat(urls.directDue(now)).containsExactly(A, B);
            assertThat(urls.directDue(now)).as("handed out once").isEmpty();
            direct(A, SILENT);
            direct(B, OK);
            now += SECOND;
            assertThat(urls.directDue(now)).containsExactly(A);
        }

        @Test
        void is_found_dead_within_half_a_minute_though_it_hangs() {
            know(BOTH);
            long died = now;
            while (urls.anyAlive(List.of(A))) {
                now += SECOND;
                if (urls.directDue(now).contains(A)) {
                    now += 5 * SECOND;
                    direct(A, SILENT);
                }
            }
            assertThat(now - died).isLessThanOrEqualTo(30 * SECOND);
        }

        @Test
        void says_that_it_may_be_our_own_uplink_where_none_answers() {
            know(BOTH);
            for (int i = 0; i < 2; i++) {
                direct(A, SILENT);
                direct(B, SILENT);
            }
            assertThat(heard).hasSize(2);
            assertThat(urls.anyAlive(BOTH)).isFalse();
            assertThat(urls.all().get(1).reason()).contains("our own uplink");
        }

        /** Q-S27: the check URL bans the checker's proxies, and answers us. */
        @Test
        void that_answers_429_through_every_address_is_dead_before_anybody_is_judged() {
            know(List.of(A));
            for (long address = 1; address <= 500; address++) {
                if (urls.anyAlive(List.of(A))) {
                    assertThat(probe(address, address % 2 == 0, only(TOO_MANY), A))
                            .isEqualTo(Verdict.UNKNOWN);
                }
            }
            assertThat(heard).containsExactly("dead " + A);
        }

        @Test
        void that_begins_to_answer_429_costs_the_first_address_one_fault_at_most() {
            know(BOTH);
            probe(1, true, asked(OK, OK));
            List<Verdict> verdicts = new ArrayList<>();
            for (long address = 2; address <= 20; address++) {
                verdicts.add(probe(address, true, asked(TOO_MANY, TOO_MANY), A, B));
            }
            assertThat(verdicts.get(0)).isEqualTo(Verdict.FAILED);
            assertThat(verdicts.subList(1, verdicts.size())).containsOnly(Verdict.UNKNOWN);
            assertThat(heard).containsExactly("dead " + A, "dead https://203.0.113.9/ok");
        }

        @Test
        void is_dead_where_another_passes_through_the_same_addresses() {
            know(BOTH);
            for (long address = 1; address <= 5; address++) {
                assertThat(probe(address, false, asked(SILENT, OK))).isEqualTo(Verdict.PASSED);
            }
            assertThat(heard).containsExactly("dead " + A);
        }

        @Test
        void lives_while_only_sick_addresses_fail() {
            know(BOTH);
            for (long address = 1; address <= 30; address++) {
                assertThat(probe(address, false, asked(SILENT, SILENT), A, B)).isEqualTo(Verdict.FAILED);
            }
            assertThat(heard).isEmpty();
        }

        @Test
        void lives_where_one_address_alone_fails_to_reach_it_again_and_again() {
            know(BOTH);
            for (int i = 0; i < 50; i++) {
                assertThat(probe(1, true, asked(SILENT, OK))).isEqualTo(Verdict.PASSED);
            }
            assertThat(heard).isEmpty();
        }

        @ParameterizedTest
        @CsvSource({"2, 2", "3, 3", "5, 5", "100, 5"})
        void dies_of_as_many_addresses_as_are_many_in_its_pool(int size, int many) {
            know(List.of(A));
            for (long address = 1; address <= many; address++) {
                assertThat(heard).isEmpty();
                probe(size, address, true, only(SILENT), A);
            }
            assertThat(heard).containsExactly("dead " + A);
        }

        @Test
        void that_died_through_addresses_is_tried_through_one_again() {
            know(List.of(A));
            for (long address = 1; address <= 5; address++) {
                probe(address, true, only(TOO_MANY), A);
            }
            direct(A, OK);
            assertThat(urls.anyAlive(List.of(A))).as("it answers us as ever").isFalse();
            assertThat(urls.retest(List.of(A), now)).isEmpty();
            now += 60 * SECOND;
            assertThat(urls.retest(List.of(A), now)).contains(A);
            assertThat(urls.retest(List.of(A), now)).as("once").isEmpty();
            assertThat(urls.retested(A, TOO_MANY, now)).isEmpty();
            now += 60 * SECOND;
            assertThat(urls.retestDue(List.of(A), now)).as("twice as long now").isFalse();
            now += 60 * SECOND;
            assertThat(urls.retest(List.of(A), now)).contains(A);
            urls.retested(A, OK, now).ifPresent(ControlUrlsTest.this::hear);
            assertThat(heard).containsExactly("dead " + A, "alive " + A);
        }
    }

    @Test
    void live_urls_take_turns_at_being_asked_first() {
        know(BOTH);
        assertThat(List.of(
                        urls.alive(BOTH).get(0),
                        urls.alive(BOTH).get(0),
                        urls.alive(BOTH).get(0)))
                .containsExactly(A, B, A);
    }

    @ParameterizedTest
    @CsvSource({
        "http://198.51.100.1/ok, http://198.51.100.1/ok",
        "https://u:p@host.example/a?key=1#x, https://host.example/a",
        "HTTPS://host.example?key=a@b/c, https://host.example",
        "https://host.example/a@b, https://host.example/a@b",
    })
    void a_name_holds_no_secret(String url, String name) {
        assertThat(ControlUrl.nameOf(url)).isEqualTo(name);
    }
}
