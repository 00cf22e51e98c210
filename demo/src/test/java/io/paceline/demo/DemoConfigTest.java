package io.paceline.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DemoConfigTest {
    @Test
    void every_pace_below_the_usual_one_gets_a_rule_of_its_own() {
        DemoConfig config = DemoConfig.of(Scenario.named("mixed").orElseThrow(), List.of());
        assertThat(config.yaml().lines())
                .containsExactly(
                        "api:   { listen: 127.0.0.1:0 }",
                        "proxy: { listen: 127.0.0.1:0, allow_private_targets: true }",
                        "pools:",
                        "  - { name: default, addresses: [ { file: proxies.txt } ], max_leases: 4 }",
                        "rules:",
                        "  - { name: usual, pattern: \"*\", limit: 90, window: 1s, burst: 1, on_limit: wait }",
                        "  - { name: tickets, pattern: 127.0.0.4, limit: 36, window: 1s, burst: 1, on_limit: wait }");
    }
}
