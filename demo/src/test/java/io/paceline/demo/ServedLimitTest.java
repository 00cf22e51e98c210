package io.paceline.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServedLimitTest {
    private final ServedLimit limit = new ServedLimit(3);

    @Test
    void serves_as_many_as_it_says_at_once_and_refuses_the_next() {
        assertThat(limit.take(0)).isTrue();
        assertThat(limit.take(0)).isTrue();
        assertThat(limit.take(0)).isTrue();
        assertThat(limit.take(999_999)).isFalse();
    }

    @Test
    void the_second_slides() {
        limit.take(0);
        limit.take(400_000);
        limit.take(800_000);
        assertThat(limit.take(1_000_000)).isTrue();
        assertThat(limit.take(1_399_999)).isFalse();
        assertThat(limit.take(1_400_000)).isTrue();
    }

    @Test
    void a_refusal_does_not_count() {
        for (int i = 0; i < 3; i++) {
            limit.take(0);
        }
        for (int i = 0; i < 100; i++) {
            assertThat(limit.take(500_000)).isFalse();
        }
        assertThat(limit.take(1_000_000)).isTrue();
    }
}
