package io.paceline.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BoundedLabelsTest {

    private final BoundedLabels labels = new BoundedLabels(List.of("shop"), 4);

    @Test
    void the_first_names_have_their_own_at_once() {
        assertThat(labels.label("a.example")).isEqualTo("a.example");
        assertThat(labels.label("b.example")).isEqualTo("b.example");
    }

    @Test
    void later_ones_earn_theirs_by_being_seen_often_and_keep_it() {
        fill(2);

        for (int i = 1; i < 10; i++) {
            assertThat(labels.label("often.example")).isEqualTo("other");
        }
        assertThat(labels.label("often.example")).isEqualTo("often.example");
        assertThat(labels.label("often.example")).isEqualTo("often.example");
    }

    @Test
    void a_million_names_make_no_more_labels_than_there_is_room_and_configured_ones_stay() {
        fill(1_000_000);

        assertThat(labels.label("shop")).isEqualTo("shop");
        assertThat(labels.label("new.example")).isEqualTo("other");
    }

    private void fill(int names) {
        for (int i = 0; i < names; i++) {
            labels.label("n" + i + ".example");
        }
    }
}
