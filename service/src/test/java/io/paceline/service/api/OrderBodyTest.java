package io.paceline.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.paceline.Order;
import io.paceline.Order.Verb;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OrderBodyTest {

    private static OrderBody read(Verb verb, String json) {
        return OrderBody.read(verb, json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void a_ban_has_a_reason_a_duration_and_a_target() {
        Order order = read(Verb.BAN, "{\"reason\": \"abuse\", \"for\": \"1h30m\", \"target\": \"shop.example\"}")
                .order(Verb.BAN, "a17");

        assertThat(order).isEqualTo(new Order(Verb.BAN, "a17", "shop.example", Duration.ofMinutes(90), "abuse"));
    }

    @ParameterizedTest
    @EnumSource(Verb.class)
    void every_order_may_come_without_a_body_and_with_a_reason(Verb verb) {
        assertThat(read(verb, "").order(verb, "a17")).isEqualTo(Order.of(verb, "a17"));
        assertThat(read(verb, "{}").order(verb, "a17")).isEqualTo(Order.of(verb, "a17"));
        assertThat(read(verb, "{\"reason\": \"x\"}").reason()).isEqualTo("x");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "BAN    | {\"for\": \"10\"}        | for    | `for` \"10\" has no unit: write 10s",
                "BAN    | {\"for\": \"soon\"}      | for    | is no duration",
                "BAN    | {\"for\": \"0s\"}        | for    | leave it out",
                "BAN    | {\"for\": 10}            | for    | it must be a string in quotes",
                "BAN    | {\"taget\": \"x.test\"}  | taget  | did you mean `target`?",
                "FREEZE | {\"for\": \"10m\"}       | for    | unknown field",
                "DRAIN  | {\"target\": \"x.test\"} | target | unknown field",
                "UNBAN  | {\"for\": \"10m\"}       | for    | unknown field",
            })
    void what_an_order_does_not_take_is_told(Verb verb, String json, String field, String message) {
        HttpProblem problem = catchThrowableOfType(HttpProblem.class, () -> read(verb, json));

        assertThat(problem.status()).isEqualTo(400);
        assertThat(problem.field()).isEqualTo(field);
        assertThat(problem.message()).contains(message);
    }
}
