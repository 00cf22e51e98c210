package io.paceline.scale;

import static io.paceline.scale.SnapshotFixture.SETTINGS;
import static io.paceline.scale.SnapshotFixture.T0;
import static io.paceline.scale.SnapshotFixture.at;
import static io.paceline.scale.SnapshotFixture.ready;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What is remembered survives a restart as a line of text. */
class PlannerStateTest {

    @Test
    void aStateIsTheSameAfterBeingWrittenAndRead() {
        Scaler<PlannerState> scaler = new Scaler<>(new Planner(SETTINGS), SETTINGS);
        ScalerState<PlannerState> state = scaler.initial();
        assertThat(PlannerState.parse(state.policy().toLine())).isEqualTo(state.policy());
        for (int tick = 0; tick < 50; tick++) {
            Snapshot seen = withTally(at(15L * tick, tick < 20 ? 100 : 0, 8, ready(4 + tick % 3)), tick);
            state = scaler.decide(seen, Orders.NONE, SharedBudget.NONE, state).state();
            PlannerState read = PlannerState.parse(state.policy().toLine());
            assertThat(read).isEqualTo(state.policy());
            assertThat(ScalerState.parse(read, state.brakesToLine())).isEqualTo(state);
        }
    }

    @Test
    void aThresholdsStateToo() {
        Threshold threshold = new Threshold(SETTINGS, Threshold.Options.defaults());
        Threshold.State state = threshold
                .step(withTally(at(0, 100, 8, ready(4)), 3), ready(4), threshold.initial())
                .state();
        assertThat(Threshold.State.parse(state.toLine())).isEqualTo(state);
    }

    @Test
    void aLineThatIsCutOffIsRefused() {
        assertThatThrownBy(() -> PlannerState.parse("1;2")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PlannerState.parse("1;x;0;1;true;FREE;1;1;1"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void historyIsBounded() {
        History history = History.EMPTY;
        for (int second = 0; second < 7200; second++) {
            long now = T0 + second * Micros.SECOND;
            history = history.with(Figure.known(new Tally(second, second, 0, 0, 0, 0, second), now), now);
        }
        assertThat(history.samples()).hasSizeLessThan(70);
        assertThat(history.arrivalsPerSecond(History.SPAN)).isEqualTo(1);
    }

    private static Snapshot withTally(Snapshot s, int tick) {
        Tally tally = new Tally(10L * tick, 8L * tick, tick, 0, 0, 0, 120.0 * tick);
        return new Snapshot(
                s.nowMicros(),
                s.waiting(),
                s.paused(),
                s.inFlight(),
                s.ages(),
                Figure.known(tally, s.nowMicros()),
                s.fleet(),
                s.startupSeconds(),
                s.permittedPerSecond());
    }
}
