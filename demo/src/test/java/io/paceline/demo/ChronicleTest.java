package io.paceline.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.demo.Chronicle.Known;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChronicleTest {
    private static final Map<String, Known> ADDRESSES =
            Map.of("a1", new Known("127.0.1.1", "acme"), "b1", new Known("127.0.1.5", Stage.LOST_PROVIDER));

    private final Chronicle provider = new Chronicle(Trouble.PROVIDER_DOWN, ADDRESSES, 0);

    private static LogEntry moved(long millis, String address, String what) {
        return new LogEntry(1, millis, "transition", address, "", what, "why", "", "");
    }

    private static LogEntry found(long millis, String guilty, String name, String what) {
        return new LogEntry(1, millis, "verdict", "", "", what, "why", guilty, name);
    }

    @Test
    void addresses_of_the_lost_provider_are_put_out_rightly_and_others_are_not() {
        provider.began(1);
        provider.take(List.of(moved(2_000, "a1", "quarantined"), moved(2_000, "b1", "quarantined")));

        assertThat(provider.falseQuarantines()).isEqualTo(1);
        assertThat(provider.rightQuarantines()).isEqualTo(1);
    }

    @Test
    void nothing_is_rightly_put_out_before_the_trouble() {
        provider.take(List.of(moved(2_000, "b1", "quarantined")));
        assertThat(provider.falseQuarantines()).isEqualTo(1);
    }

    @Test
    void it_is_well_again_when_nobody_is_held_guilty_and_nobody_is_out() {
        provider.began(1);
        provider.take(List.of(found(3_000, "tag", "provider=birch", "guilty"), moved(3_000, "b1", "quarantined")));
        assertThat(provider.isFound()).isTrue();
        assertThat(provider.verdictSeconds()).isEqualTo(2);
        provider.ended(5);
        provider.take(List.of(moved(7_000, "b1", "half_open"), found(8_000, "tag", "provider=birch", "well_again")));
        assertThat(provider.recoverySeconds()).isNegative();

        provider.take(List.of(moved(9_000, "b1", "slow_start")));

        assertThat(provider.recoverySeconds()).isEqualTo(4);
    }

    @Test
    void a_verdict_against_another_is_counted_as_wrong() {
        provider.began(1);
        provider.take(List.of(found(3_000, "target", "127.0.0.2", "guilty")));

        assertThat(provider.isNoticed()).isFalse();
        assertThat(provider.wrongVerdicts()).isEqualTo(1);
    }

    @Test
    void transitions_of_one_kind_are_told_in_one_line() {
        List<Chronicle.Entry> told =
                provider.take(List.of(moved(2_000, "a1", "degraded"), moved(2_100, "b1", "degraded")));

        assertThat(told).extracting(Chronicle.Entry::text).containsExactly("2 addresses: degraded (the first: why)");
    }
}
