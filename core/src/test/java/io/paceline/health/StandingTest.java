package io.paceline.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.health.Hold.Ban;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a state and a hold together mean: the two tables of {@link Hold} and {@link State} at once. */
class StandingTest {
    private static final long NOW = 1_000;

    private static Standing standing(String state, String hold) {
        Standing judged = switch (state) {
            case "half-open" -> new Standing(State.PROBING, 1, NOW, 0, 9, 1, 0, NOW);
            case "slow start" -> new Standing(State.PROBING, 1, NOW, NOW + 9, 9, 1, NOW, 0);
            case "retested" -> new Standing(State.DEAD, 1, NOW, 0, 9, 6, 0, NOW);
            case "quarantined", "dead" ->
                new Standing(State.valueOf(state.toUpperCase(java.util.Locale.ROOT)), 1, NOW, NOW + 9, 9, 1, 0, NOW);
            default -> Standing.fresh(1, NOW);
        };
        return judged.under(
                switch (hold) {
                    case "frozen" -> Hold.NONE.withFrozen(true);
                    case "draining" -> Hold.NONE.withDraining(true);
                    case "banned" -> Hold.NONE.withBan(new Ban("", 0));
                    case "both" -> Hold.NONE.withFrozen(true).withDraining(true);
                    default -> Hold.NONE;
                });
    }

    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource({
        // state,     hold,     leased, sessions, tested, counts, gone, judged, panic, word
        "healthy,     -,        true,   true,     false,  true,   false, true,  false, healthy",
        "healthy,     draining, false,  true,     false,  false,  false, true,  false, draining",
        "healthy,     frozen,   false,  false,    false,  false,  false, false, false, frozen",
        "healthy,     banned,   false,  false,    false,  false,  true,  false, false, banned",
        "healthy,     both,     false,  false,    false,  false,  false, false, false, frozen",
        "slow start,  -,        true,   true,     false,  true,   false, true,  false, probing",
        "quarantined, -,        false,  false,    false,  true,   false, false, true,  quarantined",
        "quarantined, draining, false,  false,    false,  false,  false, false, false, draining",
        "quarantined, banned,   false,  false,    false,  false,  true,  false, false, banned",
        "half-open,   -,        false,  false,    true,   true,   false, true,  true,  probing",
        "half-open,   frozen,   false,  false,    false,  false,  false, false, false, frozen",
        "dead,        -,        false,  false,    false,  false,  true,  false, false, dead",
        "retested,    -,        false,  false,    true,   false,  true,  true,  false, dead",
        "retested,    frozen,   false,  false,    false,  false,  true,  false, false, frozen",
    })
    void what_a_state_and_a_hold_mean(
            String state,
            String hold,
            boolean leased,
            boolean sessions,
            boolean tested,
            boolean counts,
            boolean gone,
            boolean judged,
            boolean panic,
            String word) {
        Standing standing = standing(state, hold);
        assertThat(standing.inService()).as("leased").isEqualTo(leased);
        assertThat(standing.servesSessions()).as("sessions").isEqualTo(sessions);
        assertThat(standing.halfOpen()).as("tested").isEqualTo(tested);
        assertThat(standing.counts()).as("counts").isEqualTo(counts);
        assertThat(standing.gone()).as("gone").isEqualTo(gone);
        assertThat(standing.judged()).as("judged").isEqualTo(judged);
        assertThat(standing.leasedInPanic()).as("panic").isEqualTo(panic);
        assertThat(standing.word()).isEqualTo(word);
    }

    @Test
    void the_first_of_what_ends_by_itself_is_due_and_the_last_of_it_is_the_return() {
        Standing out = standing("quarantined", "-");
        assertThat(out.dueMicros()).isEqualTo(NOW + 9);
        assertThat(out.returnMicros()).isEqualTo(NOW + 9);
        Standing banned = out.under(Hold.NONE.withBan(new Ban("", NOW + 5)));
        assertThat(banned.dueMicros()).isEqualTo(NOW + 5);
        assertThat(banned.returnMicros()).isEqualTo(NOW + 9);
        Standing healthy = standing("healthy", "-");
        assertThat(healthy.dueMicros()).isZero();
        assertThat(healthy.returnMicros()).isZero();
        assertThat(healthy.under(Hold.NONE.withBan(new Ban("", NOW + 5))).returnMicros())
                .isEqualTo(NOW + 5);
        assertThat(out.under(Hold.NONE.withFrozen(true)).returnMicros())
                .as("nobody knows")
                .isZero();
        assertThat(standing("slow start", "-").returnMicros()).as("it serves").isZero();
    }

    @Test
    void a_bans_begin_and_end_are_new_epochs_and_nothing_else_that_people_set_is() {
        Standing healthy = standing("healthy", "-");
        Standing banned = healthy.under(Hold.NONE.withBan(new Ban("", 0)));
        assertThat(banned.epoch()).isEqualTo(2);
        assertThat(banned.under(Hold.NONE.withBan(new Ban("another", 7))).epoch())
                .isEqualTo(2);
        assertThat(banned.under(Hold.NONE).epoch()).isEqualTo(3);
        assertThat(healthy.under(Hold.NONE.withFrozen(true)).epoch()).isEqualTo(1);
        assertThat(healthy.under(Hold.NONE.withDraining(true)).epoch()).isEqualTo(1);
    }

    @Test
    void judgement_keeps_what_people_have_set() {
        Hold frozen = Hold.NONE.withFrozen(true);
        Standing judged = standing("quarantined", "-").keeping(frozen);
        assertThat(judged.hold()).isEqualTo(frozen);
        assertThat(judged.epoch()).isEqualTo(1);
        assertThat(judged.inState(State.HEALTHY, NOW).hold()).isEqualTo(frozen);
    }
}
