package io.paceline.demo.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.demo.history.Event.Ask;
import io.paceline.demo.history.Event.Look;
import io.paceline.demo.history.Event.Mode;
import io.paceline.demo.history.Event.Permit;
import io.paceline.demo.history.Event.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a report shows beside the findings. */
class FiguresTest {
    private static final Ask ASK = new Ask("pool", "rate.example", null);

    private static Permit permit(long called, long answered, String address) {
        return new Permit(called, answered, "g1", ASK, "l" + called, address, 3_000_000, false);
    }

    @Test
    void acquires_are_told_apart_by_who_had_the_store() {
        History history = History.of(
                new Look(0, 10, "g1", Mode.SHARED),
                new Look(1_000_000, 1_000_010, "g1", Mode.SHARED),
                new Look(2_000_000, 2_000_010, "g1", Mode.APART),
                new Look(4_000_000, 4_000_010, "g1", Mode.APART),
                permit(100_000, 102_000, "a"),
                permit(200_000, 208_000, "a"),
                permit(1_500_000, 1_501_000, "a"),
                new Refusal(3_000_000, 3_000_500, "g1", ASK, "no_address"));

        List<Phase> phases = Phase.of(history, 0, 4_000_000, ask -> true);

        assertThat(phases).extracting(Phase::name).containsExactly("together", "alone", "between");
        assertThat(phases).extracting(Phase::permits).containsExactly(2L, 0L, 1L);
        assertThat(phases).extracting(Phase::refused).containsExactly(0L, 1L, 0L);
        assertThat(phases.get(0).longestMicros()).isEqualTo(8_000);
        assertThat(phases.stream().mapToDouble(Phase::seconds).sum()).isEqualTo(4);
    }

    @Test
    void the_fullest_window_is_that_of_one_bucket() {
        List<Event> events = new ArrayList<>();
        for (long at = 0; at < 5; at++) {
            events.add(permit(at * 400_000, at * 400_000 + 1_000, at % 2 == 0 ? "a" : "b"));
        }
        History history = History.merge(List.of(events));

        assertThat(Share.of(history, promising(false)))
                .containsExactly(new Share("rate.example", 9, 1_000_000, 3, 5, 1));
        assertThat(Share.of(history, promising(true)))
                .containsExactly(new Share("rate.example", 9, 1_000_000, 2, 5, 2));
    }

    private static Promises promising(boolean perAddress) {
        return new Promises(
                Map.of(), Map.of("rate.example", new Promises.Starts(9, 1_000_000, perAddress)), 3_000_000, 2_000_000);
    }
}
