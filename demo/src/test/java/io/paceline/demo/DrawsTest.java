package io.paceline.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DrawsTest {
    @Test
    void a_draw_depends_on_seed_subject_and_number_alone() {
        double draw = new Draws(7).unit(3, 5);
        assertThat(new Draws(7).unit(3, 5)).isEqualTo(draw);
        assertThat(new Draws(8).unit(3, 5)).isNotEqualTo(draw);
        assertThat(new Draws(7).unit(4, 5)).isNotEqualTo(draw);
        assertThat(new Draws(7).unit(3, 6)).isNotEqualTo(draw);
    }

    @Test
    void draws_are_even_over_numbers_and_over_subjects() {
        Draws draws = new Draws(1);
        assertThat(IntStream.range(0, 10_000)
                        .mapToDouble(i -> draws.unit(1, i))
                        .average()
                        .orElseThrow())
                .isCloseTo(0.5, within(0.02));
        assertThat(IntStream.range(0, 10_000)
                        .mapToDouble(i -> draws.unit(i, 1))
                        .average()
                        .orElseThrow())
                .isCloseTo(0.5, within(0.02));
    }
}
