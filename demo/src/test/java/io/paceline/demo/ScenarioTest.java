package io.paceline.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScenarioTest {
    private final Scenario mixed = Scenario.named("mixed").orElseThrow();

    @Test
    void mixed_is_a_dozen_proxies_of_every_temper_and_three_sites() {
        assertThat(mixed.tempers()).hasSize(12).contains(Temper.values());
        assertThat(mixed.sites()).hasSize(3);
        assertThat(mixed.census()).isEqualTo("2 dead, 1 slow, 1 flaky, 1 hanging, 7 good");
    }

    @Test
    void one_seed_deals_alike_and_another_differently() {
        assertThat(mixed.dealt(1)).isEqualTo(mixed.dealt(1)).containsExactlyInAnyOrderElementsOf(mixed.tempers());
        assertThat(mixed.dealt(1)).isNotEqualTo(mixed.dealt(2));
    }

    @Test
    void the_rule_for_a_limited_site_keeps_below_what_it_serves() {
        assertThat(mixed.sites())
                .filteredOn(site -> site.served() > 0)
                .isNotEmpty()
                .allSatisfy(site -> assertThat(site.pace()).isLessThan(site.served()));
    }
}
