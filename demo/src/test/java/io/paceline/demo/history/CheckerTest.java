package io.paceline.demo.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.demo.history.Event.Ask;
import io.paceline.demo.history.Event.End;
import io.paceline.demo.history.Event.Mode;
import io.paceline.demo.history.Event.Permit;
import io.paceline.demo.history.Finding.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Histories made by hand: good ones pass, and for each promise one that breaks it is caught. Times are milliseconds. */
class CheckerTest {
    private static final long LIFE = 3_000;
    private static final Promises PROMISES = new Promises(
            Map.of(
                    "one", new Promises.Pool(1, 1, 20_000_000, false),
                    "two", new Promises.Pool(2, 1, 20_000_000, true)),
            Map.of(
                    "few.example", new Promises.AtOnce(2),
                    "rate.example", new Promises.Starts(3, 1_000_000, false),
                    "each.example", new Promises.Starts(2, 1_000_000, true)),
            3_000_000,
            2_000_000);

    private final List<Event> events = new ArrayList<>();
    private int leases;

    // ---- how a history is written

    private Permit permit(long called, long answered, Ask ask, String address) {
        return permit("g1", called, answered, ask, address);
    }

    private Permit permit(String instance, long called, long answered, Ask ask, String address) {
        Permit permit = new Permit(
                called * 1_000, answered * 1_000, instance, ask, "l" + leases++, address, LIFE * 1_000, false);
        events.add(permit);
        return permit;
    }

    private void release(Permit permit, long called, long answered, End end) {
        events.add(new Event.Release(called * 1_000, answered * 1_000, "g1", permit.lease(), false, end));
    }

    private void cancel(Permit permit, long called, long answered) {
        events.add(new Event.Release(called * 1_000, answered * 1_000, "g1", permit.lease(), true, End.RELEASED));
    }

    private void looks(String instance, Mode mode, long... at) {
        for (long millis : at) {
            events.add(new Event.Look(millis * 1_000, millis * 1_000 + 100, instance, mode));
        }
    }

    private void fault(String name, long at) {
        events.add(new Event.Fault(at * 1_000, at * 1_000, "", name));
    }

    private void refused(long called, Ask ask, String reason) {
        events.add(new Event.Refusal(called * 1_000, called * 1_000 + 1_000, "g1", ask, reason));
    }

    private void order(long called, long answered, String address, boolean ban) {
        events.add(new Event.Order(called * 1_000, answered * 1_000, "g1", address, ban, true));
    }

    private static Ask ask(String pool, String target) {
        return new Ask(pool, target, null);
    }

    private static Ask ask(String pool, @Nullable String session, String target) {
        return new Ask(pool, target, session);
    }

    private List<Finding> findings() {
        return Checker.check(History.merge(List.<Collection<Event>>of(events)), PROMISES);
    }

    private void passes() {
        assertThat(findings()).isEmpty();
    }

    private void breaks(Kind promise) {
        assertThat(findings())
                .isNotEmpty()
                .allSatisfy(finding -> assertThat(finding.promise()).isEqualTo(promise))
                .allSatisfy(finding -> assertThat(finding.bounded()).isFalse())
                .allSatisfy(finding -> assertThat(finding.evidence()).isNotEmpty());
    }

    private void isBounded(Kind promise) {
        assertThat(findings())
                .isNotEmpty()
                .allSatisfy(finding -> assertThat(finding.promise()).isEqualTo(promise))
                .allSatisfy(finding -> assertThat(finding.bounded()).isTrue());
    }

    private static final Ask ONE = ask("one", "open.example");
    private static final Ask TWO = ask("two", "open.example");

    @Nested
    class Caps {
        @Test
        void one_lease_after_the_other_is_good() {
            release(permit(0, 5, ONE, "a"), 50, 55, End.RELEASED);
            permit(54, 60, ONE, "a");
            passes();
        }

        @Test
        void two_at_once_on_an_exclusive_address_are_caught_whoever_granted_them() {
            permit("g1", 0, 5, ONE, "a");
            permit("g2", 10, 15, ONE, "a");
            breaks(Kind.CAP);
        }

        @Test
        void a_lease_that_may_have_been_released_is_not_counted() {
            release(permit(0, 5, ONE, "a"), 50, 80, End.SILENCE);
            permit(51, 60, ONE, "a");
            passes();
        }

        @Test
        void a_lease_that_may_have_expired_is_not_counted() {
            permit(0, 5, ONE, "a");
            permit(LIFE - 10, LIFE + 1, ONE, "a");
            passes();
        }

        @Test
        void a_renewed_lease_is_live_for_longer() {
            Permit first = permit(0, 5, ONE, "a");
            events.add(new Event.Renewal(2_000_000, 2_001_000, "g2", first.lease(), LIFE * 1_000));
            permit(LIFE + 500, LIFE + 501, ONE, "a");
            breaks(Kind.CAP);
        }

        @Test
        void another_address_or_pool_is_another_thing() {
            permit(0, 5, ONE, "a");
            permit(0, 5, ONE, "b");
            permit(0, 5, TWO, "a");
            passes();
        }

        @Test
        void the_cap_of_a_cell_is_its_own() {
            permit(0, 5, TWO, "a");
            permit(0, 5, ask("two", "other.example"), "a");
            passes();
            permit(6, 7, ask("two", "other.example"), "a");
            assertThat(findings()).hasSize(2).allMatch(finding -> finding.promise() == Kind.CAP);
        }

        @Test
        void what_a_failover_may_lose_is_told_apart() {
            permit(0, 5, ONE, "a");
            fault("failover", 100);
            permit(1_500, 1_501, ONE, "a");
            isBounded(Kind.CAP);
        }

        @Test
        void a_lease_from_long_before_a_failover_is_not_lost() {
            permit(0, 5, ONE, "a");
            fault("failover", 600);
            permit(1_500, 1_501, ONE, "a");
            breaks(Kind.CAP);
        }
    }

    @Nested
    class Limits {
        private static final Ask RATE = ask("two", "rate.example");

        @Test
        void as_many_as_the_limit_in_a_window_are_good() {
            for (long i = 0; i < 3; i++) {
                permit(i * 10, i * 10 + 5, RATE, "a" + i);
                permit(1_001 + i * 10, 1_006 + i * 10, RATE, "b" + i);
            }
            passes();
        }

        @Test
        void one_too_many_in_a_window_is_caught() {
            for (long i = 0; i < 4; i++) {
                permit(i * 300, i * 300 + 5, RATE, "a" + i);
            }
            breaks(Kind.LIMIT);
        }

        @Test
        void a_permit_that_may_have_started_before_the_window_is_not_counted() {
            permit(0, 400, RATE, "a");
            for (long i = 0; i < 3; i++) {
                permit(900 + i, 1_005 + i, RATE, "b" + i);
            }
            passes();
        }

        @Test
        void what_was_given_back_is_charged_to_nobody() {
            cancel(permit(0, 5, RATE, "z"), 10, 15);
            for (long i = 0; i < 3; i++) {
                permit(20 + i, 25 + i, RATE, "a" + i);
            }
            passes();
        }

        @Test
        void each_address_has_its_own_where_it_is_promised_so() {
            Ask each = ask("two", "each.example");
            for (long i = 0; i < 3; i++) {
                release(permit(i * 10, i * 10 + 2, each, "a" + i % 2), i * 10 + 3, i * 10 + 4, End.RELEASED);
            }
            passes();
            permit(40, 41, each, "a0");
            breaks(Kind.LIMIT);
        }

        @Test
        void twice_the_limit_is_the_bound_where_the_window_touches_a_change() {
            looks("g1", Mode.SHARED, 0, 100);
            looks("g1", Mode.APART, 200, 300, 1_500);
            for (long i = 0; i < 6; i++) {
                permit(50 + i * 100, 51 + i * 100, RATE, "a" + i);
            }
            isBounded(Kind.LIMIT);
            permit(651, 652, RATE, "a7");
            assertThat(findings()).anyMatch(finding -> !finding.bounded());
        }

        @Test
        void alone_from_end_to_end_the_parts_make_no_more_than_the_whole() {
            looks("g1", Mode.APART, 0, 500, 1_500);
            looks("g2", Mode.APART, 0, 500, 1_500);
            for (long i = 0; i < 4; i++) {
                permit("g" + (1 + i % 2), 1_000 + i, 1_001 + i, RATE, "a" + i);
            }
            breaks(Kind.LIMIT);
        }

        @Test
        void of_a_concurrency_limit_the_live_ones_are_counted() {
            Ask few = ask("two", "few.example");
            Permit first = permit(0, 5, few, "a");
            permit(0, 6, few, "b");
            release(first, 10, 12, End.RELEASED);
            permit(11, 13, few, "c");
            passes();
            permit(14, 15, few, "d");
            breaks(Kind.LIMIT);
        }

        @Test
        void leases_of_before_a_change_count_beside_those_of_after_it() {
            Ask few = ask("two", "few.example");
            looks("g1", Mode.SHARED, 0, 900);
            looks("g1", Mode.APART, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000);
            permit(800, 805, few, "a");
            permit(800, 805, few, "b");
            permit(2_100, 2_105, few, "c");
            isBounded(Kind.LIMIT);
        }
    }

    @Nested
    class Sessions {
        private static final Ask SESSION = ask("one", "s1", "open.example");

        private void two(long apartMillis, String first, String second) {
            release(permit(0, 5, SESSION, first), 10, 12, End.RELEASED);
            release(
                    permit("g2", apartMillis, apartMillis + 5, SESSION, second),
                    apartMillis + 10,
                    apartMillis + 12,
                    End.RELEASED);
        }

        @Test
        void the_same_address_again_is_good() {
            two(1_000, "a", "a");
            passes();
        }

        @Test
        void another_address_within_its_life_is_caught() {
            two(1_000, "a", "b");
            breaks(Kind.SESSION);
        }

        @Test
        void after_its_life_it_may_begin_elsewhere() {
            two(20_001, "a", "b");
            passes();
        }

        @Test
        void it_may_move_where_that_is_told() {
            release(permit(0, 5, SESSION, "a"), 10, 12, End.RELEASED);
            events.add(new Permit(50_000, 55_000, "g1", SESSION, "moved", "b", LIFE * 1_000, true));
            passes();
        }

        @Test
        void what_was_given_back_unused_has_bound_nothing() {
            cancel(permit(0, 5, SESSION, "a"), 10, 12);
            permit(1_000, 1_005, SESSION, "b");
            passes();
        }

        @Test
        void a_second_binding_while_the_store_is_away_is_within_the_bounds_a_third_is_not() {
            looks("g1", Mode.SHARED, 0, 100);
            looks("g1", Mode.APART, 200, 500, 5_000);
            two(1_000, "a", "b");
            isBounded(Kind.SESSION);
            permit(2_000, 2_001, SESSION, "c");
            assertThat(findings()).anyMatch(finding -> !finding.bounded() && finding.promise() == Kind.SESSION);
        }

        @Test
        void once_together_again_it_has_one_home() {
            looks("g1", Mode.SHARED, 0, 100);
            looks("g1", Mode.APART, 200, 500);
            looks("g1", Mode.SHARED, 600, 700, 9_000);
            two(300, "a", "b");
            release(permit(1_000, 1_001, SESSION, "a"), 1_002, 1_003, End.RELEASED);
            isBounded(Kind.SESSION);
            permit(2_000, 2_001, SESSION, "b");
            assertThat(findings()).anyMatch(finding -> !finding.bounded());
        }
    }

    @Nested
    class Ends {
        @Test
        void a_second_release_that_is_told_so_is_good() {
            Permit permit = permit(0, 5, ONE, "a");
            release(permit, 10, 12, End.RELEASED);
            release(permit, 20, 22, End.ALREADY_RELEASED);
            passes();
        }

        @Test
        void two_ends_of_one_lease_are_caught() {
            Permit permit = permit(0, 5, ONE, "a");
            release(permit, 10, 12, End.RELEASED);
            release(permit, 20, 22, End.RELEASED);
            breaks(Kind.END);
        }

        @Test
        void an_end_after_one_that_was_not_answered_is_good() {
            Permit permit = permit(0, 5, ONE, "a");
            release(permit, 10, 12, End.SILENCE);
            release(permit, 20, 22, End.ALREADY_RELEASED);
            passes();
        }

        @Test
        void one_lease_for_two_is_caught() {
            Permit permit = permit(0, 5, TWO, "a");
            events.add(new Permit(
                    20_000, 21_000, "g2", ask("two", "other.example"), permit.lease(), "b", LIFE * 1_000, false));
            breaks(Kind.END);
        }

        @Test
        void a_live_lease_that_nobody_knows_is_caught() {
            release(permit(0, 5, ONE, "a"), 10, 12, End.UNKNOWN);
            breaks(Kind.LOST);
        }

        @Test
        void a_lease_that_has_expired_as_told_is_good() {
            release(permit(0, 5, ONE, "a"), LIFE + 1, LIFE + 5, End.EXPIRED);
            passes();
        }

        @Test
        void a_lease_that_has_expired_too_early_is_caught() {
            release(permit(0, 5, ONE, "a"), LIFE - 500, LIFE - 400, End.EXPIRED);
            breaks(Kind.LOST);
        }

        @Test
        void without_the_store_an_instance_believes_the_caller() {
            looks("g1", Mode.APART, 0, 15, 100);
            Permit permit = permit(0, 5, ONE, "a");
            release(permit, 10, 12, End.RELEASED);
            release(permit, 20, 22, End.RELEASED);
            isBounded(Kind.END);
        }

        @Test
        void of_an_instance_that_was_killed_the_others_do_not_know_whether_it_goes_on_alone() {
            looks("g1", Mode.SHARED, 0, 100);
            looks("g2", Mode.GONE, 1);
            Permit permit = permit(0, 5, ONE, "a");
            release(permit, 10, 12, End.RELEASED);
            release(permit, 20, 22, End.RELEASED);
            isBounded(Kind.END);
        }

        @Test
        void a_lease_of_one_who_was_killed_while_the_store_forgot_is_known_to_nobody() {
            looks("g1", Mode.SHARED, 0);
            looks("g1", Mode.GONE, 8);
            looks("g2", Mode.SHARED, 0);
            looks("g2", Mode.APART, 9, 15, 100);
            release(permit(1, 5, ONE, "a"), 10, 12, End.UNKNOWN);
            isBounded(Kind.LOST);
        }

        @Test
        void a_lease_of_one_who_was_killed_while_the_store_was_there_is_known_to_all() {
            looks("g1", Mode.SHARED, 0);
            looks("g1", Mode.GONE, 8);
            looks("g2", Mode.SHARED, 0, 9, 100);
            release(permit(1, 5, ONE, "a"), 10, 12, End.UNKNOWN);
            breaks(Kind.LOST);
        }
    }

    @Nested
    class BansHold {
        @Test
        void before_the_ban_is_answered_and_after_its_lifting_has_begun_it_may_be_leased() {
            release(permit(0, 30, ONE, "a"), 35, 36, End.RELEASED);
            order(10, 20, "a", true);
            order(100, 110, "a", false);
            permit(101, 102, ONE, "a");
            passes();
        }

        @Test
        void a_lease_of_what_is_banned_is_caught() {
            order(10, 20, "a", true);
            permit("g2", 21, 30, ONE, "a");
            breaks(Kind.BAN);
        }

        @Test
        void a_ban_that_all_have_heard_of_outlives_the_store() {
            looks("g1", Mode.SHARED, 0, 1_000, 2_000, 3_000);
            looks("g1", Mode.APART, 3_100, 4_000);
            looks("g1", Mode.SHARED, 5_000, 6_000);
            order(10, 20, "a", true);
            permit(5_500, 5_505, ONE, "a");
            breaks(Kind.BAN);
        }

        @Test
        void a_ban_in_the_middle_of_it_may_be_told_late_but_not_never() {
            looks("g1", Mode.SHARED, 0);
            looks("g1", Mode.APART, 5, 1_000, 2_000);
            looks("g1", Mode.SHARED, 3_000, 4_000, 5_000, 6_000, 7_000);
            order(10, 20, "a", true);
            release(permit(500, 505, ONE, "a"), 510, 511, End.RELEASED);
            isBounded(Kind.BAN);
            permit(6_000, 6_005, ONE, "a");
            assertThat(findings()).anyMatch(finding -> !finding.bounded());
        }
    }

    @Nested
    class SomebodyIsServed {
        @Test
        void a_refusal_now_and_then_is_good() {
            refused(0, TWO, "no_address");
            release(permit(1_000, 1_001, TWO, "a"), 1_010, 1_011, End.RELEASED);
            refused(3_000, TWO, "no_address");
            passes();
        }

        @Test
        void refusals_for_longer_than_the_patience_are_caught() {
            for (long i = 0; i < 25; i++) {
                refused(i * 100, TWO, "no_address");
            }
            breaks(Kind.LIVENESS);
        }

        @Test
        void a_limit_that_is_used_up_is_no_lack_of_room_and_a_small_pool_may_be_full() {
            for (long i = 0; i < 50; i++) {
                refused(i * 100, TWO, "rate_limited");
                refused(i * 100, ONE, "no_address");
            }
            passes();
        }

        @Test
        void without_the_store_it_is_another_matter() {
            looks("g1", Mode.SHARED, 0);
            looks("g1", Mode.APART, 500, 1_000, 2_000, 3_000);
            for (long i = 0; i < 25; i++) {
                refused(i * 100, TWO, "store_unavailable");
            }
            passes();
        }
    }
}
