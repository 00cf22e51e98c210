package io.paceline.health;

import static io.paceline.health.Crawl.WELL;
import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Address;
import io.paceline.Outcome.Kind;
import io.paceline.health.Crawl.World;
import io.paceline.health.Verdict.Guilty;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each row of the table of {@link Blame}, and each of its guards, as a timeline through the real gatekeeper. */
class BlameTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration WARM = Duration.ofMinutes(2);

    private static Crawl warm(int addresses) {
        return Crawl.of(addresses).run(WARM);
    }

    /** Through these addresses everything ends like this. */
    private static World sick(Set<String> addresses, Kind kind) {
        return (address, site, chance) -> addresses.contains(address) ? kind : Kind.SUCCESS;
    }

    private static World site(String name, Kind kind) {
        return (address, site, chance) -> site.equals(name) ? kind : Kind.SUCCESS;
    }

    /** The worse of two worlds. */
    private static World both(World one, World other) {
        return (address, site, chance) -> {
            Kind first = one.answer(address, site, chance);
            Kind second = other.answer(address, site, chance);
            return first == Kind.SUCCESS ? second : first;
        };
    }

    private static int sum(Crawl crawl) {
        return crawl.failures.values().stream().mapToInt(Integer::intValue).sum();
    }

    @Nested
    class AnAddress {
        @ParameterizedTest
        @EnumSource(names = {"CONNECT_ERROR", "TIMEOUT", "PROXY_ERROR"})
        void dead_among_healthy_ones_is_found_after_four_to_six_failures_and_nobody_else_is(Kind kind) {
            Crawl crawl = warm(10).since(sick(Set.of("a3"), kind)).untilFound(LONG);

            assertThat(crawl.out).containsOnlyKeys("a3");
            assertThat(crawl.groups).isEmpty();
            assertThat(crawl.failures.get("a3")).isBetween(4, 6);
        }

        @Test
        void that_fails_every_other_time_is_found_within_sixteen_outcomes() {
            int[] turn = {0};
            World half = (address, site, chance) ->
                    address.equals("a3") && turn[0]++ % 2 == 0 ? Kind.CONNECT_ERROR : Kind.SUCCESS;
            Crawl crawl = warm(10).since(half).untilFound(LONG);

            assertThat(crawl.out).containsOnlyKeys("a3");
            assertThat(crawl.failures.get("a3")).isBetween(4, 8);
        }

        @ParameterizedTest
        @ValueSource(longs = {1, 2, 3, 4, 5})
        void that_fails_half_of_the_time_by_chance_is_found_too(long seed) {
            World half = (address, site, chance) ->
                    address.equals("a3") && chance.nextBoolean() ? Kind.CONNECT_ERROR : Kind.SUCCESS;
            Crawl crawl =
                    Crawl.of(10, Crawl.UNBOUNDED, seed).run(WARM).since(half).untilFound(LONG);

            assertThat(crawl.out).containsOnlyKeys("a3");
            assertThat(crawl.failures.get("a3")).isBetween(4, 20);
        }

        @Test
        void is_not_blamed_for_what_only_one_site_does() {
            World blocked = (address, site, chance) ->
                    address.equals("a3") && site.equals("s0.test") ? Kind.TIMEOUT : Kind.SUCCESS;
            Crawl crawl = warm(10).since(blocked).run(LONG);

            assertThat(crawl.out).containsOnlyKeys("a3@s0.test");
        }

        @Test
        void whose_failures_come_in_one_burst_has_failed_once() {
            Crawl crawl = warm(10).since(sick(Set.of("a3"), Kind.CONNECT_ERROR));
            for (int i = 0; i < 100; i++) {
                crawl.stepThrough("a3", i % 3);
            }
            assertThat(crawl.transitions).isEmpty();
            crawl.since(WELL).run(LONG);
            assertThat(crawl.transitions).isEmpty();
        }

        @Test
        void is_found_among_three() {
            Crawl crawl = warm(3).since(sick(Set.of("a1"), Kind.CONNECT_ERROR)).untilFound(LONG);

            assertThat(crawl.out).containsOnlyKeys("a1");
            assertThat(crawl.groups).isEmpty();
            assertThat(crawl.failures.get("a1")).isBetween(4, 6);
        }

        @Test
        void is_found_where_little_happens() {
            Crawl crawl = Crawl.of(5).every(Duration.ofSeconds(40)).run(Duration.ofHours(1));
            crawl.since(sick(Set.of("a1"), Kind.CONNECT_ERROR)).untilFound(Duration.ofHours(5));

            assertThat(crawl.out).containsOnlyKeys("a1");
            assertThat(crawl.groups).isEmpty();
            assertThat(crawl.failures.get("a1")).isBetween(4, 6);
        }

        @Test
        void five_sick_ones_of_twelve_are_neither_our_own_side_nor_a_target() {
            Set<String> sick = Set.of("a0", "a3", "a5", "a8", "a10");
            Crawl crawl = warm(12).since(sick(sick, Kind.CONNECT_ERROR)).run(Duration.ofSeconds(50));

            assertThat(crawl.groups).isEmpty();
            assertThat(crawl.out.keySet()).isEqualTo(sick);
        }

        @Test
        void half_open_is_out_again_after_two_failures() {
            Crawl crawl = warm(10).since(sick(Set.of("a3"), Kind.CONNECT_ERROR)).untilFound(LONG);
            for (int i = 0; i < 1_000 && !crawl.standing("a3").halfOpen(); i++) {
                crawl.time.advance(Duration.ofSeconds(1));
            }
            crawl.since(sick(Set.of("a3"), Kind.CONNECT_ERROR));
            for (int i = 0; i < 1_000 && crawl.standing("a3").halfOpen(); i++) {
                crawl.step();
            }
            assertThat(crawl.failures.get("a3")).isEqualTo(2);
            assertThat(crawl.standing("a3").relapses()).isEqualTo(2);
        }
    }

    @Nested
    class ACell {
        @ParameterizedTest
        @EnumSource(names = {"BLOCKED", "TIMEOUT", "CONNECT_ERROR"})
        void blocked_by_one_site_goes_out_alone(Kind kind) {
            World blocked =
                    (address, site, chance) -> address.equals("a3") && site.equals("s0.test") ? kind : Kind.SUCCESS;
            Crawl crawl = warm(10).since(blocked).untilFound(LONG);

            assertThat(crawl.out).containsOnlyKeys("a3@s0.test");
            assertThat(crawl.standing("a3").inService()).isTrue();
            assertThat(crawl.failures.get("a3")).isBetween(4, 6);
        }

        @Test
        void that_meets_captchas_is_found_by_few_of_them() {
            int[] turn = {0};
            World drifting = (address, site, chance) ->
                    address.equals("a3") && site.equals("s0.test") && turn[0]++ % 3 == 0 ? Kind.CAPTCHA : Kind.SUCCESS;
            Crawl crawl = warm(10).since(drifting).untilFound(LONG);

            assertThat(crawl.out).containsOnlyKeys("a3@s0.test");
            assertThat(crawl.failures.get("a3")).isBetween(2, 5);
            assertThat(crawl.out.get("a3@s0.test")).contains("captchas in its last");
        }

        @Test
        void whose_captchas_come_many_successes_apart_is_found_too() {
            int[] turn = {0};
            World drifting = (address, site, chance) ->
                    address.equals("a3") && site.equals("s0.test") && turn[0]++ % 8 == 0 ? Kind.CAPTCHA : Kind.SUCCESS;
            Crawl crawl = Crawl.of(10)
                    .every(Duration.ofMillis(20))
                    .run(WARM)
                    .since(drifting)
                    .untilFound(LONG);

            assertThat(crawl.out).containsOnlyKeys("a3@s0.test");
            assertThat(crawl.failures.get("a3")).isBetween(2, 3);
        }

        @ParameterizedTest
        @ValueSource(doubles = {0.002, 0.02, 0.05})
        void is_not_blamed_for_captchas_that_everybody_meets(double usual) {
            Crawl crawl = Crawl.of(20)
                    .since((address, site, chance) -> chance.nextDouble() < usual ? Kind.CAPTCHA : Kind.SUCCESS)
                    .run(Duration.ofHours(1));

            assertThat(sum(crawl)).isPositive();
            assertThat(crawl.out).isEmpty();
        }

        @Test
        void that_met_one_captcha_is_not_blamed() {
            Crawl crawl = warm(10).since((address, site, chance) -> Kind.CAPTCHA);
            crawl.stepThrough("a3", 0);
            crawl.since(WELL).run(LONG);

            assertThat(crawl.transitions).isEmpty();
        }
    }

    @Nested
    class ATarget {
        @ParameterizedTest
        @EnumSource(names = {"BLOCKED", "TIMEOUT", "TARGET_ERROR", "CONNECT_ERROR", "CAPTCHA"})
        void that_fails_for_all_is_found_and_nobody_is_blamed_before_or_after(Kind kind) {
            Crawl crawl = warm(10).since(site("s0.test", kind)).untilFound(LONG);

            assertThat(crawl.groups).containsExactly("guilty target s0.test");
            assertThat(sum(crawl)).isLessThanOrEqualTo(16);
            crawl.run(LONG);
            assertThat(crawl.groups).containsExactly("guilty target s0.test");
            assertThat(crawl.out).isEmpty();
        }

        @ParameterizedTest
        @EnumSource(names = {"BLOCKED", "TIMEOUT", "TARGET_ERROR"})
        void that_is_well_again_is_acquitted_within_twenty_answers_and_not_found_guilty_for_the_past(Kind kind) {
            Crawl crawl = warm(10).since(site("s0.test", kind)).run(LONG).since(WELL);
            int[] good = {0};
            crawl.since((address, site, chance) -> {
                good[0] += site.equals("s0.test") ? 1 : 0;
                return Kind.SUCCESS;
            });
            crawl.untilFound(LONG);
            assertThat(crawl.groups).containsExactly("guilty target s0.test", "well target s0.test");
            assertThat(good[0]).isLessThanOrEqualTo(30);

            // One failure here and there, as anywhere.
            crawl.since((address, site, chance) -> chance.nextInt(50) == 0 ? Kind.BLOCKED : Kind.SUCCESS)
                    .run(LONG);
            assertThat(crawl.groups).hasSize(2);
            assertThat(crawl.out).isEmpty();
        }

        @Test
        void that_fails_three_times_in_five_is_found() {
            World partial = (address, site, chance) ->
                    site.equals("s0.test") && chance.nextInt(5) < 3 ? Kind.BLOCKED : Kind.SUCCESS;
            Crawl crawl = warm(10).since(partial).untilFound(LONG);

            assertThat(crawl.groups).containsExactly("guilty target s0.test");
            assertThat(crawl.out).isEmpty();
        }

        @Test
        void is_told_from_a_sick_address_among_three() {
            Crawl crawl = warm(3).since(site("s0.test", Kind.BLOCKED)).run(LONG);

            assertThat(crawl.groups).containsExactly("guilty target s0.test");
            assertThat(crawl.out).isEmpty();
        }

        @Test
        void that_is_guilty_does_not_hide_a_dead_address() {
            Crawl crawl = warm(10).since(site("s0.test", Kind.BLOCKED)).untilFound(LONG);
            crawl.since(both(site("s0.test", Kind.BLOCKED), sick(Set.of("a3"), Kind.CONNECT_ERROR)))
                    .run(Duration.ofMinutes(3));

            assertThat(crawl.groups).containsExactly("guilty target s0.test");
            assertThat(crawl.out).containsOnlyKeys("a3");
        }
    }

    @Nested
    class ATag {
        /** Twelve addresses, of which acme has four. */
        private static Crawl withAcme() {
            List<Address> members = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                members.add(Crawl.address(i, "gw" + i + ".example.net", ACME.contains("a" + i) ? "acme" : "other"));
            }
            return Crawl.of(members).run(WARM);
        }

        private static final Set<String> ACME = Set.of("a0", "a4", "a7", "a11");

        @ParameterizedTest
        @EnumSource(names = {"CONNECT_ERROR", "TIMEOUT"})
        void that_is_down_leaves_as_one_and_comes_back(Kind kind) {
            Crawl crawl = withAcme().since(sick(ACME, kind)).untilFound(LONG);

            assertThat(crawl.groups).containsExactly("guilty tag provider=acme");
            assertThat(crawl.out.keySet()).isEqualTo(ACME);
            assertThat(sum(crawl)).isLessThanOrEqualTo(14);
            assertThat(crawl.transitions)
                    .filteredOn(transition -> !transition.to().inService())
                    .hasSize(4)
                    .allMatch(transition -> transition.cause().equals("tag"));

            crawl.since(WELL).run(Duration.ofMinutes(5));
            assertThat(crawl.allServe()).isTrue();
            assertThat(crawl.groups).containsExactly("guilty tag provider=acme", "well tag provider=acme");
        }

        @Test
        void may_be_a_subnet_that_nobody_has_named() {
            List<Address> members = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                members.add(Crawl.address(i, (ACME.contains("a" + i) ? "203.0.113." : "198.51.100.") + (i + 1), null));
            }
            Crawl crawl = Crawl.of(members)
                    .run(WARM)
                    .since(sick(ACME, Kind.CONNECT_ERROR))
                    .untilFound(LONG);

            assertThat(crawl.groups).containsExactly("guilty tag subnet=203.0.113.0/24");
            assertThat(crawl.out.keySet()).isEqualTo(ACME);
        }

        @Test
        void that_a_site_blocks_is_not_down() {
            World blocked = (address, site, chance) ->
                    ACME.contains(address) && site.equals("s0.test") ? Kind.BLOCKED : Kind.SUCCESS;
            Crawl crawl = withAcme().since(blocked).run(Duration.ofMinutes(5));

            assertThat(crawl.groups).isEmpty();
            assertThat(crawl.out.keySet())
                    .containsExactlyInAnyOrder("a0@s0.test", "a4@s0.test", "a7@s0.test", "a11@s0.test");
        }

        @Test
        void with_one_dead_member_is_not_down() {
            Crawl crawl =
                    withAcme().since(sick(Set.of("a4"), Kind.CONNECT_ERROR)).run(Duration.ofMinutes(1));

            assertThat(crawl.groups).isEmpty();
            assertThat(crawl.out).containsOnlyKeys("a4");
        }

        @Test
        void and_a_target_that_fail_at_once_are_not_our_own_side() {
            World twoTroubles = both(sick(ACME, Kind.CONNECT_ERROR), site("s0.test", Kind.BLOCKED));
            Crawl crawl = withAcme().since(twoTroubles).run(Duration.ofMinutes(1));

            assertThat(crawl.groups).containsExactlyInAnyOrder("guilty tag provider=acme", "guilty target s0.test");
            assertThat(crawl.out.keySet()).isEqualTo(ACME);
        }
    }

    @Nested
    class OurOwnSide {
        @ParameterizedTest
        @EnumSource(names = {"CONNECT_ERROR", "TIMEOUT"})
        void is_found_when_nothing_works_and_nobody_is_punished(Kind kind) {
            Crawl crawl = warm(10).since((address, site, chance) -> kind).untilFound(LONG);

            assertThat(crawl.groups).containsExactly("guilty own_side default");
            assertThat(sum(crawl)).isLessThanOrEqualTo(30);
            crawl.run(LONG).since(WELL).untilFound(LONG);
            assertThat(crawl.groups).containsExactly("guilty own_side default", "well own_side default");
            crawl.run(LONG);
            assertThat(crawl.groups).hasSize(2);
            assertThat(crawl.out).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(longs = {1, 2, 3, 4, 5})
        void is_found_when_three_requests_in_five_fail(long seed) {
            World partial = (address, site, chance) -> chance.nextInt(5) < 3 ? Kind.CONNECT_ERROR : Kind.SUCCESS;
            Crawl crawl =
                    Crawl.of(10, Crawl.UNBOUNDED, seed).run(WARM).since(partial).run(LONG);

            // Ten good ones in a row happen even then, and acquit it for a moment.
            assertThat(crawl.groups).startsWith("guilty own_side default").hasSizeLessThanOrEqualTo(3);
            assertThat(crawl.groups).allMatch(said -> said.endsWith("own_side default"));
            assertThat(crawl.out).isEmpty();
        }
    }

    @Nested
    class WithNobodyToCompareWith {
        @Test
        void five_failures_in_a_row_must_do() {
            Crawl crawl = Crawl.of(1).sites(1);
            for (int i = 0; i < 10; i++) {
                crawl.step();
            }
            crawl.time.advance(Duration.ofSeconds(30));
            crawl.since(sick(Set.of("a0"), Kind.CONNECT_ERROR)).untilFound(LONG);

            assertThat(crawl.out).containsOnlyKeys("a0");
            assertThat(crawl.failures.get("a0")).isEqualTo(5);
            assertThat(crawl.out.get("a0")).contains("nobody else to compare with");
        }

        @Test
        void time_outs_on_the_only_site_are_those_of_the_cell() {
            Crawl crawl = Crawl.of(1).sites(1);
            for (int i = 0; i < 10; i++) {
                crawl.step();
            }
            crawl.since(sick(Set.of("a0"), Kind.TIMEOUT)).untilFound(LONG);

            assertThat(crawl.out).containsOnlyKeys("a0@s0.test");
        }

        @Test
        void a_pool_that_never_worked_is_nobodys_fault_but_its_addresses() {
            Crawl crawl = Crawl.of(4).since((address, site, chance) -> Kind.CONNECT_ERROR);
            crawl.run(Duration.ofSeconds(30));

            assertThat(crawl.groups).isEmpty();
            assertThat(crawl.out).containsOnlyKeys("a0", "a1", "a2", "a3");
            assertThat(crawl.failures.values()).allMatch(failures -> failures <= 6);
        }
    }

    @Nested
    class Noise {
        @Test
        void of_a_tenth_over_a_hundred_thousand_outcomes_convicts_next_to_nobody() {
            World noisy = (address, site, chance) ->
                    chance.nextInt(10) > 0 ? Kind.SUCCESS : chance.nextBoolean() ? Kind.TIMEOUT : Kind.BLOCKED;
            Crawl crawl = Crawl.of(30).sites(5).since(noisy);
            for (int i = 0; i < 100_000; i++) {
                crawl.step();
            }
            assertThat(crawl.groups).isEmpty();
            assertThat(crawl.out).as("of 10,000 failures").hasSizeLessThanOrEqualTo(2);
        }

        @Test
        void of_a_fiftieth_convicts_nobody_where_little_happens() {
            Crawl crawl = Crawl.of(5).every(Duration.ofSeconds(40));
            crawl.since((address, site, chance) -> chance.nextInt(50) == 0 ? Kind.TIMEOUT : Kind.SUCCESS);
            crawl.run(Duration.ofHours(100));

            assertThat(crawl.groups).isEmpty();
            assertThat(crawl.out).isEmpty();
        }
    }

    @Nested
    class WhatIsHeldBack {
        @ParameterizedTest
        @ValueSource(ints = {2, 3, 4, 5, 7, 10, 20})
        void an_address_that_fails_every_nth_time_makes_few_moves_an_hour(int nth) {
            int[] turn = {0};
            Crawl crawl = warm(10).since((address, site, chance) ->
                    address.equals("a3") && ++turn[0] % nth == 0 ? Kind.CONNECT_ERROR : Kind.SUCCESS);
            crawl.run(Duration.ofHours(1));

            assertThat(crawl.transitions)
                    .filteredOn(move -> move.addressId().equals("a3"))
                    .hasSizeLessThanOrEqualTo(30);
            assertThat(crawl.out.keySet()).allMatch(subject -> subject.startsWith("a3"));
        }

        @Test
        void failures_of_a_guilty_target_train_no_address() {
            Crawl crawl = warm(10).since(site("s0.test", Kind.TIMEOUT)).run(LONG);

            assertThat(crawl.gate.pools().get(0).addresses())
                    .allSatisfy(status -> assertThat(status.successRate()).isGreaterThan(0.9));
        }
    }

    @Nested
    class Sentences {
        private static final String ODDS = "more than 10\\^\\d+ to 1";

        @Test
        void tell_what_an_address_did_and_what_others_met() {
            Crawl crawl = warm(10).since(sick(Set.of("a3"), Kind.CONNECT_ERROR)).untilFound(LONG);

            assertThat(crawl.out.get("a3"))
                    .matches("4 failures in its last 4, 0 in \\d+ elsewhere meanwhile, 1\\.\\d % would be normal: "
                            + ODDS + " \\(relapse 1\\)");
        }

        @Test
        void tell_through_how_many_addresses_a_target_failed() {
            Crawl crawl = warm(10).since(site("s0.test", Kind.BLOCKED)).untilFound(LONG);

            assertThat(crawl.verdict(Guilty.TARGET).orElseThrow().sentence())
                    .matches("\\d+ failures in its last \\d+ through \\d+ addresses, 0 in \\d+ elsewhere meanwhile, "
                            + "\\d\\.\\d % would be normal: " + ODDS);
        }

        @Test
        void tell_that_our_own_side_has_nobody_to_be_compared_with() {
            Crawl crawl = warm(10).since((address, site, chance) -> Kind.CONNECT_ERROR)
                    .untilFound(LONG);

            assertThat(crawl.verdict(Guilty.OWN_SIDE).orElseThrow().sentence())
                    .matches("\\d+ failures in its last \\d+ through \\d+ addresses, nobody else to compare with, "
                            + "\\d\\.\\d % would be normal: " + ODDS);
        }

        @Test
        void tell_small_odds_as_they_are() {
            Verdict verdict = new Verdict(Guilty.CELL, 0, 2, 7, true, 0.005, 1, 200, 0, Math.log(420), 6);

            assertThat(verdict.sentence())
                    .isEqualTo(
                            "2 captchas in its last 7, 1 in 200 elsewhere meanwhile, 0.5 % would be normal: 420 to 1");
        }
    }
}
