package io.paceline.pace.hint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.paceline.pace.hint.Hint.Ask;
import io.paceline.testkit.Cases;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of 2-retry-after.jsonl, those of level "policy" by what docs/hints.md says of them. */
class RetryAfterCasesTest {
    private static final Duration CAP = Duration.ofHours(1);

    static Stream<Named<JsonNode>> rows() {
        return Cases.rows("2-retry-after.jsonl");
    }

    @ParameterizedTest
    @MethodSource("rows")
    void the_wait_is_the_one_of_the_row(JsonNode row) {
        check(row, name -> name);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void whatever_the_case_of_the_names(JsonNode row) {
        check(row, name -> name.toLowerCase(Locale.ROOT));
        check(row, name -> name.toUpperCase(Locale.ROOT));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void and_wherever_this_machine_stands(JsonNode row) {
        TimeZone zone = TimeZone.getDefault();
        Locale locale = Locale.getDefault();
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
            Locale.setDefault(Locale.forLanguageTag("tr-TR"));
            check(row, name -> name);
        } finally {
            TimeZone.setDefault(zone);
            Locale.setDefault(locale);
        }
    }

    private static void check(JsonNode row, UnaryOperator<String> naming) {
        Hint hint = read(row, naming);
        JsonNode expect = row.get("expect");
        List<JsonNode> right = new ArrayList<>();
        if (expect.has("one_of")) {
            expect.get("one_of").forEach(right::add);
        } else {
            right.add(expect);
        }
        if (row.has("also_ok")) {
            right.add(row.get("also_ok"));
        }
        assertThat(right).as("%s", hint).anyMatch(answer -> fits(answer, hint));
    }

    private static boolean fits(JsonNode expect, Hint hint) {
        if (expect.has("wait")) {
            return hint.ask() == Ask.BACK_OFF;
        }
        double seconds = hint.waitMicros() / 1e6;
        boolean inTime = expect.has("wait_s")
                ? seconds >= expect.get("wait_s").asDouble()
                        && seconds <= 1.2 * expect.get("wait_s").asDouble()
                : seconds >= expect.get("wait_min_s").asDouble()
                        && seconds <= expect.get("wait_max_s").asDouble();
        boolean said = !expect.path("warn").asBoolean() || hint.note() != null;
        boolean none = seconds > 0 || hint.ask() == Ask.NOTHING;
        return inTime && said && none && hint.capped() == expect.path("cap").asBoolean();
    }

    private static Hint read(JsonNode row, UnaryOperator<String> naming) {
        List<Map.Entry<String, String>> fields = new ArrayList<>();
        row.get("headers")
                .forEach(field -> fields.add(Map.entry(
                        naming.apply(field.get(0).asText()), field.get(1).asText())));
        long now = Instant.parse(row.get("now").asText()).getEpochSecond() * 1_000_000;
        return Hints.read(row.get("status").asInt(), FieldValues.of(fields), now, CAP);
    }
}
