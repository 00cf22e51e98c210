package io.paceline.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.health.Latency;
import io.paceline.health.State;
import org.junit.jupiter.api.Test;

/** Addresses share a page, and nothing on it. */
class LatencyPagesTest {
    private final LatencyPages pages = new LatencyPages();

    private static void take(Latencies page, int slot, long micros) {
        for (int i = 0; i < 40; i++) {
            page.add(slot, micros, 1, State.HEALTHY);
        }
    }

    @Test
    void neighbours_do_not_mix() {
        Latencies page = pages.open(3);
        take(page, 3, 10_000);
        assertThat(pages.open(4)).isSameAs(page);
        take(page, 4, 1_000_000);
        assertThat(page.row(3).p95Micros()).isBetween(8_000f, 13_000f);
        assertThat(page.row(4).p95Micros()).isBetween(800_000f, 1_300_000f);
        page.forget(4);
        assertThat(page.row(3).p95Micros()).isBetween(8_000f, 13_000f);
        assertThat(page.row(4)).isEqualTo(Latency.NONE);
    }

    @Test
    void a_new_owner_of_a_slot_begins_without_the_norm_of_the_one_before() {
        Latencies page = pages.open(70);
        take(page, 70, 10_000);
        assertThat(page.save(70).norm()).isPositive();
        assertThat(pages.open(70)).isSameAs(page);
        assertThat(page.save(70).norm()).isZero();
        assertThat(page.save(70).outcomes()).isZero();
        assertThat(page.row(70)).isEqualTo(Latency.NONE);
    }

    @Test
    void pages_far_apart_are_made_as_they_are_needed() {
        assertThat(pages.open(1_000_000)).isNotSameAs(pages.open(0));
    }
}
