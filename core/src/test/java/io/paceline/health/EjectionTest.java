package io.paceline.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.paceline.health.Ejection.Heard;
import io.paceline.health.Ejection.Subject;
import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Each row of the table of {@link Ejection}, as a timeline. */
class EjectionTest {
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long START = 1_772_366_400_000_000L;

    private final Ejection ejection = new Ejection(HealthSettings.defaults(), QuarantineSettings.defaults());
    private final RandomGenerator random = Seeds.random(1);

    /** A row with streaks and a window that agree. */
    private static SubjectRow row(Standing standing, int failStreak, int winStreak, int wins) {
        int successes = Math.min(SubjectRow.WINDOW, winStreak);
        int outcomes = Math.min(SubjectRow.WINDOW, failStreak + winStreak);
        return new SubjectRow(standing, outcomes, successes, failStreak, winStreak, wins, 0, 0, 1);
    }

    private static SubjectRow failing(Standing standing, int times) {
        return row(standing, times, 0, 0);
    }

    private static SubjectRow winning(Standing standing, int times) {
        return row(standing, 0, times, times);
    }

    private Optional<Move> after(SubjectRow row, long now) {
        return ejection.afterOutcome(Subject.ADDRESS, row, heard(row), now, random);
    }

    /** Blame has spoken: here, after five failures, or the first one while half-open. */
    private static Heard heard(SubjectRow row) {
        boolean convicted = row.failStreak() >= (row.standing().halfOpen() ? 1 : 5);
        return convicted ? new Heard(row.failStreak() + " failures in a row", false, false) : Heard.NOTHING;
    }

    private static final Heard REFUSED = new Heard(null, false, true);

    private static Standing slowStart(long now) {
        return new Standing(State.PROBING, 3, now, now + MINUTE, MINUTE, 1, now, 0);
    }

    private static Standing halfOpen(int relapses, long now) {
        return new Standing(State.PROBING, 2, now, 0, MINUTE, relapses, 0, now - MINUTE);
    }

    @Test
    void three_failures_in_a_row_make_a_suspect_and_only_a_verdict_takes_out() {
        Standing healthy = Standing.fresh(1, START);
        for (int fails = 0; fails < 3; fails++) {
            assertThat(after(failing(healthy, fails), START + SECOND)).isEmpty();
        }
        Move suspect = after(failing(healthy, 3), START + SECOND).orElseThrow();
        assertThat(suspect.ejects()).isFalse();
        assertThat(suspect.to().state()).isEqualTo(State.DEGRADED);
        assertThat(suspect.to().epoch()).as("it stays in service").isEqualTo(1);
        assertThat(suspect.reason()).isEqualTo("3 failures in a row");
        assertThat(after(failing(suspect.to(), 4), START + SECOND)).isEmpty();

        Move move = after(failing(healthy, 5), START + SECOND).orElseThrow();
        assertThat(move.ejects()).isTrue();
        assertThat(move.cause()).isEqualTo("failures");
        assertThat(move.reason()).isEqualTo("5 failures in a row (relapse 1)");
        assertThat(move.to().state()).isEqualTo(State.QUARANTINED);
        assertThat(move.to().epoch()).isEqualTo(2);
        assertThat(move.to().outSinceMicros()).isEqualTo(START + SECOND);
        assertThat(move.to().untilMicros()).isEqualTo(START + SECOND + move.to().waitMicros());
        assertThat(move.to().relapses()).isEqualTo(1);
    }

    @Test
    void what_a_lost_step_left_undone_is_done_at_the_next_outcome() {
        assertThat(after(failing(Standing.fresh(1, START), 9), START)).isPresent();
    }

    @Test
    void degraded_and_slow_starting_are_ejected_alike() {
        Standing degraded = Standing.fresh(1, START).inState(State.DEGRADED, START);
        assertThat(after(failing(degraded, 5), START).orElseThrow().ejects()).isTrue();
        Move relapse = after(failing(slowStart(START), 5), START).orElseThrow();
        assertThat(relapse.ejects()).isTrue();
        assertThat(relapse.cause()).isEqualTo("relapse");
        assertThat(relapse.to().relapses()).isEqualTo(2);
    }

    @Test
    void nothing_moves_while_quarantined() {
        Standing out =
                after(failing(Standing.fresh(1, START), 5), START).orElseThrow().to();
        assertThat(after(failing(out, 9), START + SECOND)).isEmpty();
        assertThat(after(winning(out, 9), START + SECOND)).isEmpty();
        assertThat(ejection.afterOutcome(Subject.ADDRESS, failing(out, 1), REFUSED, START, random))
                .isEmpty();
    }

    @Test
    void refused_credentials_are_dead_at_once_and_no_relapse() {
        Standing healthy = Standing.fresh(1, START);
        Move move = ejection.afterOutcome(Subject.ADDRESS, failing(healthy, 1), REFUSED, START, random)
                .orElseThrow();
        assertThat(move.ejects()).isTrue();
        assertThat(move.cause()).isEqualTo("credentials");
        assertThat(move.to().state()).isEqualTo(State.DEAD);
        assertThat(move.to().untilMicros() - START).isBetween((long) (19.2 * HOUR), (long) (28.8 * HOUR));
        assertThat(move.to().relapses()).isZero();
        assertThat(ejection.afterOutcome(Subject.ADDRESS, failing(halfOpen(1, START), 1), REFUSED, START, random)
                        .orElseThrow()
                        .cause())
                .isEqualTo("credentials");
    }

    @Test
    void after_six_relapses_in_a_row_the_next_failure_is_its_death() {
        Move sixth = after(failing(halfOpen(5, START), 1), START).orElseThrow();
        assertThat(sixth.to().state()).isEqualTo(State.QUARANTINED);
        assertThat(sixth.to().relapses()).isEqualTo(6);
        Move death = after(failing(halfOpen(6, START), 1), START).orElseThrow();
        assertThat(death.ejects()).isTrue();
        assertThat(death.cause()).isEqualTo("dead");
        assertThat(death.reason()).isEqualTo("1 failures in a row (after relapse 6)");
        assertThat(death.to().state()).isEqualTo(State.DEAD);
        assertThat(death.to().epoch()).isEqualTo(3);
        assertThat(death.to().relapses()).isEqualTo(6);
        assertThat(death.to().waitMicros()).as("the last quarantine's").isEqualTo(MINUTE);
        assertThat(death.to().counts()).isFalse();
        Standing inService = new Standing(State.HEALTHY, 3, START, 0, HOUR, 6, 0, 0);
        assertThat(after(failing(inService, 5), START).orElseThrow().to().state())
                .isEqualTo(State.DEAD);
    }

    @Test
    void the_dead_are_tested_every_day_and_stay_dead_until_the_test_is_passed() {
        Standing dead =
                after(failing(halfOpen(6, START), 1), START).orElseThrow().to();
        assertThat(after(failing(dead, 9), START + HOUR)).isEmpty();
        assertThat(after(winning(dead, 9), START + HOUR)).isEmpty();
        long wait = dead.untilMicros() - START;
        assertThat(wait).isBetween((long) (19.2 * HOUR), (long) (28.8 * HOUR));
        assertThat(ejection.whenDue(dead, dead.untilMicros() - 1)).isEmpty();

        Move retest = ejection.whenDue(dead, dead.untilMicros()).orElseThrow();
        assertThat(retest.cause()).isEqualTo("retest");
        assertThat(retest.ejects()).isFalse();
        assertThat(retest.to().state()).isEqualTo(State.DEAD);
        assertThat(retest.to().halfOpen()).isTrue();
        assertThat(retest.to().counts()).isFalse();
        assertThat(retest.to().sinceMicros()).isEqualTo(START);

        Move again = after(failing(retest.to(), 1), START + 25 * HOUR).orElseThrow();
        assertThat(again.to().state()).isEqualTo(State.DEAD);
        assertThat(again.to().untilMicros()).isGreaterThan(START + 44 * HOUR);
        Move back = after(winning(retest.to(), 5), START + 25 * HOUR).orElseThrow();
        assertThat(back.to().slowStarting()).isTrue();
        assertThat(back.to().epoch()).isEqualTo(dead.epoch() + 1);
    }

    @Test
    void a_dead_one_that_is_needed_serves_degraded_and_nobody_else_is_brought_back() {
        Standing dead =
                after(failing(halfOpen(6, START), 1), START).orElseThrow().to();
        Move back = ejection.whenNeeded(dead, START + HOUR).orElseThrow();
        assertThat(back.cause()).isEqualTo("floor");
        assertThat(back.to().state()).isEqualTo(State.DEGRADED);
        assertThat(back.to().epoch()).isEqualTo(dead.epoch() + 1);
        assertThat(back.to().relapses()).isEqualTo(6);
        assertThat(ejection.whenNeeded(dead.under(Hold.NONE.withFrozen(true)), START))
                .isEmpty();
        Standing out =
                after(failing(Standing.fresh(1, START), 5), START).orElseThrow().to();
        assertThat(ejection.whenNeeded(out, START)).isEmpty();
    }

    @Test
    void who_is_frozen_or_banned_is_moved_by_time_alone() {
        Hold.Ban ban = new Hold.Ban("", 0);
        for (Hold hold : new Hold[] {Hold.NONE.withFrozen(true), Hold.NONE.withBan(ban)}) {
            Standing healthy = Standing.fresh(1, START).under(hold);
            assertThat(after(failing(healthy, 9), START)).isEmpty();
            assertThat(ejection.afterOutcome(Subject.ADDRESS, failing(healthy, 9), REFUSED, START, random))
                    .isEmpty();
            Standing out = new Standing(State.QUARANTINED, 2, START, START + MINUTE, MINUTE, 1, 0, START).under(hold);
            assertThat(ejection.whenDue(out, START + MINUTE)).isPresent();
        }
        Standing draining = Standing.fresh(1, START).under(Hold.NONE.withDraining(true));
        assertThat(after(failing(draining, 5), START))
                .as("its sessions must be paused")
                .isPresent();
    }

    @Test
    void capped_means_spared_once() {
        Standing healthy = Standing.fresh(4, START);
        Move refused = after(failing(healthy, 5), START).orElseThrow();
        Move instead = ejection.whenCapped(healthy, refused, START).orElseThrow();
        assertThat(instead.ejects()).isFalse();
        assertThat(instead.to().state()).isEqualTo(State.DEGRADED);
        assertThat(instead.to().epoch()).as("it stays in service").isEqualTo(4);
        assertThat(instead.to().spared()).isTrue();
        assertThat(instead.reason()).startsWith(refused.reason());
        assertThat(ejection.weightFactor(instead.to(), START)).isEqualTo(0.05);
        assertThat(ejection.whenCapped(instead.to(), refused, START)).isEmpty();
    }

    @Test
    void nobody_dies_while_control_probes_may_still_pass() {
        Standing often = new Standing(State.HEALTHY, 9, START, 0, HOUR, 6, 0, 0);
        Heard byTraffic = new Heard("failures", false, false, false);
        Move out = ejection.afterOutcome(Subject.ADDRESS, failing(often, 5), byTraffic, START, random)
                .orElseThrow();
        assertThat(out.to().state()).isEqualTo(State.QUARANTINED);
        assertThat(out.to().relapses()).isEqualTo(7);
        Heard byProbe = new Heard("failures", false, false, true);
        assertThat(ejection.afterOutcome(Subject.ADDRESS, failing(often, 5), byProbe, START, random)
                        .orElseThrow()
                        .to()
                        .state())
                .isEqualTo(State.DEAD);
        assertThat(ejection.withItsTag(often, "its provider is down", START, random)
                        .orElseThrow()
                        .to()
                        .state())
                .isEqualTo(State.QUARANTINED);
    }

    @Test
    void who_is_spared_goes_on_at_less_than_a_suspect() {
        Standing suspect = Standing.fresh(1, START).inState(State.DEGRADED, START);
        Move refused = after(failing(suspect, 5), START).orElseThrow();
        Move instead = ejection.whenCapped(suspect, refused, START).orElseThrow();
        assertThat(suspect.spared()).isFalse();
        assertThat(instead.to().spared()).isTrue();
        assertThat(ejection.weightFactor(instead.to(), START)).isLessThan(ejection.weightFactor(suspect, START));
    }

    @Test
    void who_is_spared_recovers_after_as_many_successes_as_the_quarantined() {
        Standing healthy = Standing.fresh(1, START);
        Move refused = after(failing(healthy, 5), START).orElseThrow();
        Standing spared =
                ejection.whenCapped(healthy, refused, START).orElseThrow().to();
        assertThat(after(winning(spared, 4), START + HOUR)).isEmpty();
        assertThat(after(winning(spared, 5), START + HOUR).orElseThrow().to().state())
                .isEqualTo(State.HEALTHY);
        assertThat(after(failing(spared, 5), START + HOUR).orElseThrow().ejects())
                .as("asked to go again at each verdict")
                .isTrue();
    }

    @Test
    void capped_never_raises_the_weight_of_a_slow_start() {
        Standing slow = slowStart(START);
        Move refused = after(failing(slow, 5), START).orElseThrow();
        assertThat(ejection.whenCapped(slow, refused, START)).isEmpty();
        Move late = ejection.whenCapped(slow, refused, START + 50 * SECOND).orElseThrow();
        assertThat(late.to().state()).isEqualTo(State.DEGRADED);
    }

    @Test
    void degraded_is_over_after_a_dwell_and_not_amid_failures() {
        Standing degraded = Standing.fresh(1, START).inState(State.DEGRADED, START);
        assertThat(after(winning(degraded, 9), START + 30 * SECOND - 1)).isEmpty();
        assertThat(after(failing(degraded, 1), START + 30 * SECOND)).isEmpty();
        Move move = after(winning(degraded, 1), START + 30 * SECOND).orElseThrow();
        assertThat(move.to().state()).isEqualTo(State.HEALTHY);
        assertThat(move.to().epoch()).isEqualTo(1);
    }

    @Test
    void a_wait_ends_half_open_and_keeps_the_epoch() {
        Standing out =
                after(failing(Standing.fresh(1, START), 5), START).orElseThrow().to();
        assertThat(ejection.whenDue(out, out.untilMicros() - 1)).isEmpty();
        Move move = ejection.whenDue(out, out.untilMicros()).orElseThrow();
        assertThat(move.to().halfOpen()).isTrue();
        assertThat(move.to().inService()).isFalse();
        assertThat(move.to().epoch()).isEqualTo(out.epoch());
        assertThat(move.to().untilMicros()).as("until a probe decides").isZero();
        assertThat(move.to().outSinceMicros()).isEqualTo(START);
        assertThat(ejection.whenDue(move.to(), START + 24 * HOUR)).isEmpty();
    }

    @Test
    void half_open_rises_with_the_fifth_success_in_a_row() {
        Standing halfOpen = halfOpen(1, START);
        for (int wins = 0; wins < 5; wins++) {
            assertThat(after(winning(halfOpen, wins), START)).isEmpty();
        }
        Move move = after(winning(halfOpen, 5), START).orElseThrow();
        assertThat(move.to().slowStarting()).isTrue();
        assertThat(move.to().inService()).isTrue();
        assertThat(move.to().epoch()).isEqualTo(halfOpen.epoch() + 1);
        assertThat(move.to().outSinceMicros()).isZero();
        assertThat(move.to().untilMicros()).isEqualTo(START + MINUTE);
    }

    @Test
    void half_open_falls_back_with_one_failure_to_twice_the_wait() {
        Standing halfOpen = halfOpen(1, START);
        Move move = after(failing(halfOpen, 1), START).orElseThrow();
        assertThat(move.to().state()).isEqualTo(State.QUARANTINED);
        assertThat(move.to().relapses()).isEqualTo(2);
        assertThat(move.to().waitMicros()).isBetween((long) (1.6 * MINUTE), (long) (2.4 * MINUTE));
        assertThat(move.to().outSinceMicros()).as("since service ended").isEqualTo(START - MINUTE);
        assertThat(move.to().epoch()).isEqualTo(halfOpen.epoch() + 1);
    }

    @Test
    void a_slow_start_ends_healthy_and_keeps_the_memory() {
        Standing slow = slowStart(START);
        assertThat(ejection.whenDue(slow, START + MINUTE - 1)).isEmpty();
        Move move = ejection.whenDue(slow, START + MINUTE).orElseThrow();
        assertThat(move.to().state()).isEqualTo(State.HEALTHY);
        assertThat(move.to().epoch()).isEqualTo(slow.epoch());
        assertThat(move.to().relapses()).isEqualTo(1);
        assertThat(move.to().untilMicros()).isZero();
    }

    @Test
    void a_slow_start_of_no_length_is_full_weight_at_once() {
        HealthSettings atOnce = new HealthSettings(SuspectSettings.defaults(), 5, 0.05, Duration.ZERO);
        Ejection quick = new Ejection(atOnce, QuarantineSettings.defaults());
        Move move = quick.afterOutcome(Subject.ADDRESS, winning(halfOpen(1, START), 5), Heard.NOTHING, START, random)
                .orElseThrow();
        assertThat(move.to().state()).isEqualTo(State.HEALTHY);
        assertThat(move.to().untilMicros()).isZero();
        assertThat(quick.weightFactor(move.to(), START)).isEqualTo(1);
    }

    @Test
    void a_slow_start_rises_evenly_from_its_share_to_all_of_its_weight() {
        Standing slow = slowStart(START);
        assertThat(ejection.weightFactor(slow, START)).isEqualTo(0.05, within(1e-9));
        assertThat(ejection.weightFactor(slow, START + 30 * SECOND)).isEqualTo(0.525, within(1e-9));
        assertThat(ejection.weightFactor(slow, START + MINUTE)).isEqualTo(1, within(1e-9));
        assertThat(ejection.weightFactor(slow, START + HOUR)).isEqualTo(1, within(1e-9));
        assertThat(ejection.weightFactor(slow, START - SECOND))
                .as("another clock")
                .isEqualTo(0.05, within(1e-9));
        assertThat(ejection.weightFactor(Standing.fresh(1, START), START)).isEqualTo(1);
        assertThat(ejection.weightFactor(Standing.fresh(1, START).inState(State.DEGRADED, START), START))
                .isEqualTo(0.5);
    }

    @Test
    void a_relapse_is_forgiven_after_twenty_successes_and_a_stretch_as_long_as_the_last_quarantine() {
        Standing healthy = new Standing(State.HEALTHY, 3, START, 0, 2 * MINUTE, 2, 0, 0);
        assertThat(after(winning(healthy, 19), START + HOUR)).isEmpty();
        assertThat(after(winning(healthy, 20), START + 2 * MINUTE - 1)).isEmpty();
        Move once = after(winning(healthy, 20), START + 2 * MINUTE).orElseThrow();
        assertThat(once.to().relapses()).isEqualTo(1);
        assertThat(once.to().epoch()).isEqualTo(3);
        assertThat(after(winning(once.to(), 20), START + 4 * MINUTE - 1))
                .as("a stretch of its own")
                .isEmpty();
        Move twice = after(winning(once.to(), 20), START + 4 * MINUTE).orElseThrow();
        assertThat(twice.to().relapses()).isZero();
        assertThat(twice.to().waitMicros()).isZero();
        assertThat(after(winning(twice.to(), 50), START + 24 * HOUR)).isEmpty();
    }

    @SeededTest(seeds = 50)
    void waits_double_up_to_the_cap_within_the_jitter(long seed) {
        RandomGenerator chance = Seeds.random(seed);
        assertWaits(Subject.ADDRESS, MINUTE, HOUR, chance);
        assertWaits(Subject.CELL, 10 * MINUTE, 24 * HOUR, chance);
    }

    private final Ejection immortal = new Ejection(
            HealthSettings.defaults(),
            new QuarantineSettings(
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(10),
                    Duration.ofHours(1),
                    Duration.ofHours(24),
                    0.2,
                    0.3,
                    2,
                    1_000,
                    false));

    private void assertWaits(Subject subject, long base, long cap, RandomGenerator chance) {
        Standing standing = Standing.fresh(1, START);
        for (int relapse = 1; relapse <= 100; relapse++) {
            Standing halfOpen = new Standing(
                    State.PROBING, standing.epoch(), START, 0, standing.waitMicros(), standing.relapses(), 0, START);
            SubjectRow row = failing(halfOpen, 1);
            Move move = immortal.afterOutcome(subject, row, heard(row), START, chance)
                    .orElseThrow();
            double mean = Math.min((double) cap, (double) base * Math.pow(2, relapse - 1));
            assertThat((double) move.to().waitMicros()).isBetween(0.8 * mean - 1, 1.2 * mean);
            assertThat(move.to().relapses()).isEqualTo(relapse);
            standing = move.to();
        }
    }

    @Test
    void waits_of_fifty_that_fell_together_do_not_end_in_the_same_second() {
        // Case Q-S08.
        long distinctSeconds = java.util.stream.IntStream.range(0, 50)
                .mapToLong(i -> after(failing(Standing.fresh(1, START), 5), START)
                                .orElseThrow()
                                .to()
                                .waitMicros()
                        / SECOND)
                .distinct()
                .count();
        assertThat(distinctSeconds).isGreaterThan(12);
    }

    @Test
    void a_ban_after_a_good_day_is_near_the_base_whatever_happened_before() {
        // Case Q-S07: bans without end for hours, then a day of successes, then one ban.
        Standing standing = Standing.fresh(1, START);
        long now = START;
        for (int i = 0; i < 20; i++) {
            Standing out = after(failing(standing, 5), now).orElseThrow().to();
            now = out.untilMicros();
            Standing open = ejection.whenDue(out, now).orElseThrow().to();
            Standing slow = after(winning(open, 5), now).orElseThrow().to();
            now = slow.untilMicros();
            standing = ejection.whenDue(slow, now).orElseThrow().to();
            if (now - START > HOUR) {
                break;
            }
        }
        long wins = 0;
        for (long end = now + 24 * HOUR; now < end; now += MINUTE) {
            wins++;
            Optional<Move> forgiven = after(row(standing, 0, 50, (int) wins), now);
            if (forgiven.isPresent()) {
                standing = forgiven.get().to();
                wins = 0;
            }
        }
        assertThat(standing.relapses()).isZero();
        Standing today = after(failing(standing, 5), now).orElseThrow().to();
        assertThat(today.waitMicros()).isBetween((long) (0.8 * MINUTE), (long) (1.2 * MINUTE));
    }

    @Test
    void only_the_end_and_the_start_of_service_bump_the_epoch() {
        Standing healthy = Standing.fresh(1, START);
        Move out = after(failing(healthy, 5), START).orElseThrow();
        Move open = ejection.whenDue(out.to(), out.to().untilMicros()).orElseThrow();
        Move slow = after(winning(open.to(), 5), START + HOUR).orElseThrow();
        Move full = ejection.whenDue(slow.to(), START + 2 * HOUR).orElseThrow();
        Move degraded = ejection.whenCapped(full.to(), out, START + 2 * HOUR).orElseThrow();
        Move better = after(winning(degraded.to(), 5), START + 3 * HOUR).orElseThrow();
        Move forgiven = after(winning(better.to(), 20), START + 6 * HOUR).orElseThrow();
        assertThat(new Move[] {out, open, slow, full, degraded, better, forgiven})
                .extracting(move -> move.to().epoch())
                .containsExactly(2, 2, 3, 3, 3, 3, 3);
    }

    /** A row whose window shows these outcomes, the newest last: 1 good, 0 failed, c a captcha. */
    private static SubjectRow window(Standing standing, String outcomes) {
        long faults = 0;
        long captchas = 0;
        int successes = 0;
        int fails = 0;
        int wins = 0;
        for (int i = 0; i < outcomes.length(); i++) {
            char outcome = outcomes.charAt(i);
            boolean good = outcome == '1';
            faults = (faults << 1) | (good ? 0 : 1);
            captchas = (captchas << 1) | (outcome == 'c' ? 1 : 0);
            successes += good ? 1 : 0;
            fails = good ? 0 : fails + 1;
            wins = good ? wins + 1 : 0;
        }
        Trail trail = new Trail(faults, captchas, outcomes.length(), 0, 0, outcomes.length(), START, 0, 0);
        return new SubjectRow(standing, outcomes.length(), successes, fails, wins, wins, 0, 0, trail, 1);
    }

    private String signal(String outcomes) {
        return ejection.afterOutcome(
                        Subject.CELL, window(Standing.fresh(1, START), outcomes), Heard.NOTHING, START, random)
                .map(Move::reason)
                .orElse("");
    }

    @Test
    void a_suspect_failed_three_of_five_or_thirty_percent_of_its_window_or_shows_captchas() {
        assertThat(signal("1101")).isEmpty();
        assertThat(signal("01010")).isEqualTo("3 of the last 5 failed");
        assertThat(signal("0101")).isEmpty();
        assertThat(signal("0110110111")).as("7 of 10").isEmpty();
        assertThat(signal("01101101110")).isEqualTo("7 of the last 11 succeeded");
        assertThat(signal("c1111111c1111111c1")).isEqualTo("3 captchas in the last 18");
        assertThat(signal("c1111111c111111111")).as("two are not enough").isEmpty();
        assertThat(signal("c" + "1".repeat(20) + "c" + "1".repeat(15) + "c1"))
                .as("below a tenth")
                .isEmpty();
    }

    @Test
    void an_excused_failure_makes_no_suspect_and_no_relapse() {
        Heard excused = new Heard(null, true, false);
        assertThat(ejection.afterOutcome(Subject.CELL, failing(Standing.fresh(1, START), 4), excused, START, random))
                .isEmpty();
        assertThat(ejection.afterOutcome(Subject.ADDRESS, failing(halfOpen(1, START), 4), excused, START, random))
                .isEmpty();
    }

    @Test
    void three_failures_in_a_row_while_half_open_are_a_relapse_without_a_verdict() {
        Standing halfOpen = halfOpen(1, START);
        assertThat(ejection.afterOutcome(Subject.ADDRESS, failing(halfOpen, 2), Heard.NOTHING, START, random))
                .isEmpty();
        Move move = ejection.afterOutcome(Subject.ADDRESS, failing(halfOpen, 3), Heard.NOTHING, START, random)
                .orElseThrow();
        assertThat(move.cause()).isEqualTo("relapse");
        assertThat(move.reason()).isEqualTo("3 failures in a row while half-open (relapse 2)");
    }

    @Test
    void a_tag_takes_along_whoever_serves() {
        Move move = ejection.withItsTag(Standing.fresh(1, START), "provider=acme: 9 of 10 failed", START, random)
                .orElseThrow();
        assertThat(move.cause()).isEqualTo("tag");
        assertThat(move.to().state()).isEqualTo(State.QUARANTINED);
        assertThat(ejection.withItsTag(move.to(), "again", START, random)).isEmpty();
        assertThat(ejection.withItsTag(halfOpen(1, START), "again", START, random))
                .isEmpty();
    }
}
