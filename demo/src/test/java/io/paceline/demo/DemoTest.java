package io.paceline.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DemoTest {
    private static Demo demo(String scenario, int seconds) {
        Demo.Options options = new Demo.Options(seconds, 1, scenario, false, false);
        return new Demo(options, new PrintWriter(new StringWriter()));
    }

    @Test
    void an_unknown_scenario_is_answered_with_those_there_are() {
        assertThatThrownBy(() -> demo("calm", 30))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--scenario calm: there is no such scenario; write one of mixed, incident, own-outage,"
                        + " control-url-dead, provider-down, or list to be told what each is");
    }

    @Test
    void list_tells_what_each_is() throws IOException, InterruptedException {
        assertThat(demo("list", 30).run().lines())
                .hasSize(1 + Trouble.values().length)
                .contains("incident          one site answers 503 or nothing to everybody for a while");
    }

    @ParameterizedTest
    @EnumSource
    void no_trouble_fits_into_a_few_seconds(Trouble trouble) {
        assertThatThrownBy(() -> demo(trouble.word(), 19))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--seconds 19 is not between 20 and 600");
    }
}
