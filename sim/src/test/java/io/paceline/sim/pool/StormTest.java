package io.paceline.sim.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What must never be, in an hour of everything at once; {@code paceline simulate storm} runs many more. */
class StormTest {

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void nothingIsBroken(long seed) {
        List<ScenarioReport> reports = PoolLab.run(List.of("storm"), List.of(Contestant.PACELINE), seed, 1, line -> {});

        assertThat(reports.get(0).violations()).isEmpty();
    }
}
