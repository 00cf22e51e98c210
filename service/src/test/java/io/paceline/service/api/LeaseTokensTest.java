package io.paceline.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.paceline.LeaseId;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseTokensTest {

    private static final LeaseId ID = new LeaseId(-5, 7, 1_000_000, Long.MIN_VALUE, 1_772_366_400_000_000L);

    private final LeaseTokens tokens = new LeaseTokens("0123456789abcdef".getBytes(StandardCharsets.UTF_8));

    @Test
    void what_was_written_is_read() {
        String text = tokens.write(ID);

        assertThat(text).startsWith("l_").hasSize(62).matches("l_[A-Za-z0-9_-]+");
        assertThat(tokens.read(text)).contains(ID);
    }

    @Test
    void no_character_can_be_changed() {
        String text = tokens.write(ID);

        for (int i = 0; i < text.length(); i++) {
            char other = text.charAt(i) == 'A' ? 'B' : 'A';
            String changed = text.substring(0, i) + other + text.substring(i + 1);
            assertThat(tokens.read(changed)).as("position %d", i).isEmpty();
        }
    }

    @Test
    void another_key_knows_it_not() {
        LeaseTokens others = new LeaseTokens("fedcba9876543210".getBytes(StandardCharsets.UTF_8));

        assertThat(others.read(tokens.write(ID))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "l_", "x", "l_!!!!", "l_5m\u2026", "L_AAAA", "\u0000"})
    void anything_else_is_unknown(String text) {
        assertThat(tokens.read(text)).isEmpty();
        assertThat(tokens.read(text + "x" + tokens.write(ID))).isEmpty();
        assertThat(tokens.read(tokens.write(ID) + text + "A")).isEmpty();
    }

    @Test
    void a_key_that_could_be_guessed_is_refused() {
        assertThatThrownBy(() -> new LeaseTokens(new byte[8])).hasMessageContaining("at least 16");
    }

    @Test
    void the_text_of_one_tenant_is_none_to_another() {
        String text = tokens.write(ID, "shop");

        assertThat(tokens.read(text, "shop")).contains(ID);
        assertThat(tokens.read(text, "mine")).isEmpty();
        assertThat(tokens.read(text)).isEmpty();
        assertThat(tokens.read(tokens.write(ID), "shop")).isEmpty();
    }
}
