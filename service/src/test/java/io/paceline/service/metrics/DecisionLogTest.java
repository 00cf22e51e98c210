package io.paceline.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Transition;
import io.paceline.health.Hold;
import io.paceline.health.Standing;
import io.paceline.health.State;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DecisionLogTest {

    private static final long NOW = 1_000_000_000;
    private static final Standing HEALTHY = Standing.fresh(0, 0);

    @Test
    void a_line_says_what_how_long_and_why() {
        Standing out = new Standing(State.QUARANTINED, 1, NOW, NOW + 61_700_000, 61_700_000, 1, 0, NOW);
        Standing halfOpen = new Standing(State.PROBING, 1, NOW, 0, 61_700_000, 1, 0, NOW);
        Standing slowStart = new Standing(State.PROBING, 2, NOW, NOW + 1_500_000, 61_700_000, 1, NOW, 0);

        assertThat(line(null, out, "5 failures in a row (relapse 1)"))
                .isEqualTo("quarantined a17 for 62s: 5 failures in a row (relapse 1)");
        assertThat(line("example.com", halfOpen, "wait of 62s is over"))
                .isEqualTo("half-open a17 on example.com: wait of 62s is over");
        assertThat(line(null, slowStart, "5 good probes in a row"))
                .isEqualTo("slow start of a17 for 1.5s: 5 good probes in a row");
    }

    @Test
    void what_people_set_is_told_as_such_whatever_the_state_beneath() {
        Standing slowStart = new Standing(State.PROBING, 2, NOW, NOW + 1_500_000, 61_700_000, 1, NOW, 0);
        Standing banned = slowStart.under(Hold.NONE.withBan(new Hold.Ban("", NOW + 600_000_000)));
        Standing dead = new Standing(State.DEAD, 2, NOW, NOW + 86_400_000_000L, 0, 6, 0, NOW);

        assertThat(line("example.com", banned, "ban ordered: abuse mail"))
                .isEqualTo("banned a17 on example.com for 600s: ban ordered: abuse mail");
        assertThat(line(null, HEALTHY.under(Hold.NONE.withFrozen(true)), "freeze ordered"))
                .isEqualTo("frozen a17: freeze ordered");
        assertThat(line(null, HEALTHY, "thaw ordered")).isEqualTo("healthy a17: thaw ordered");
        assertThat(line(null, dead, "failed while half-open (after relapse 6)"))
                .isEqualTo("dead a17 for 86400s: failed while half-open (after relapse 6)");
    }

    private static String line(@Nullable String target, Standing to, String reason) {
        return DecisionLog.line(new Transition("default", "a17", target, HEALTHY, to, "x", reason), NOW);
    }

    @Test
    void a_pseudonym_is_the_same_for_the_same_key_and_shows_nothing_of_it() {
        Pseudonyms ours = new Pseudonyms("one secret".getBytes(StandardCharsets.UTF_8));
        Pseudonyms others = new Pseudonyms("another".getBytes(StandardCharsets.UTF_8));

        assertThat(ours.of("acct-17"))
                .isEqualTo(ours.of("acct-17"))
                .isNotEqualTo(ours.of("acct-18"))
                .isNotEqualTo(others.of("acct-17"))
                .matches("~[0-9a-f]{12}");
        assertThat(ours.of(null)).isEqualTo("-");
    }
}
