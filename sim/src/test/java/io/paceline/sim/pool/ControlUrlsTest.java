package io.paceline.sim.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.sim.Dice;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Control URLs in the simulated world, and what becomes of a pool when they die. */
class ControlUrlsTest {
    private static final String A = "http://a.example/ok";
    private static final String B = "http://b.example/ok";

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void deadControlUrlsAreNamedWithinHalfAMinuteAndPutNobodyOut(long seed) {
        Scenario scenario = Scenarios.all().stream()
                .filter(one -> one.name().equals("control-url-dead"))
                .findFirst()
                .orElseThrow();

        RunResult result = new World(scenario, Contestant.PACELINE, seed).run();

        assertThat(result.alarmSeconds()).isBetween(0.0, 30.0);
        assertThat(result.falseQuarantines()).isZero();
        assertThat(result.violations()).isEmpty();
    }

    @Test
    void aScenarioWithoutControlUrlsHasNoAlarmToMeasure() {
        Scenario trickle = Scenarios.all().stream()
                .filter(one -> one.name().equals("trickle"))
                .findFirst()
                .orElseThrow();

        assertThat(new World(trickle, Contestant.RANDOM, 1).run().alarmSeconds())
                .isNaN();
    }

    @Test
    void theTruthTellsADeadUrlFromADeadAddressAndFromOurOwnSide() {
        long from = Time.START + Time.MINUTE;
        Layout layout = Layout.of(8, 0, 4, List.of(new Site("site-0.example", 0.3, null)), 0)
                .withControls(List.of(new Control(A, from, Fault.FOR_EVER), Control.alive(B)));
        Truth truth = new Truth(
                layout,
                List.of(
                        Fault.ofAddress(1, 1, Face.NO_CONNECTION),
                        Fault.ofProvider("p2", 1, Face.BAD_GATEWAY),
                        Fault.ofOwnSide(1, Face.SILENCE).during(from + Time.MINUTE, from + 2 * Time.MINUTE)),
                Dice.of(1));

        assertThat(truth.control(1, 0, A, Time.START).face()).isEqualTo(Face.OK);
        assertThat(truth.control(2, 1, A, Time.START).face()).isEqualTo(Face.NO_CONNECTION);
        assertThat(truth.control(3, 2, B, Time.START).face()).isEqualTo(Face.BAD_GATEWAY);
        assertThat(truth.control(4, 0, A, from).face()).isEqualTo(Face.SILENCE);
        assertThat(truth.control(5, -1, A, from).face()).isEqualTo(Face.SILENCE);
        assertThat(truth.control(6, 0, B, from).face()).isEqualTo(Face.OK);
        assertThat(truth.control(7, -1, B, from + Time.MINUTE).face()).isEqualTo(Face.SILENCE);
    }
}
