package io.paceline.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final long SECOND = 1_000_000_000;

    private final StringWriter out = new StringWriter();
    private final Tally tally = new Tally();

    @Test
    void without_a_terminal_there_is_a_line_every_two_seconds_and_one_at_the_end() {
        Progress progress = new Progress(new PrintWriter(out), false);
        for (int tenth = 0; tenth <= 45; tenth++) {
            progress.running("naive", tally, 100, tenth * SECOND / 10, tenth * SECOND / 10);
        }
        progress.done("naive", tally, 100, 5 * SECOND);
        assertThat(out.toString().lines())
                .containsExactly(
                        "naive       0 of 100 pages,      0 requests,  2.0 s",
                        "naive       0 of 100 pages,      0 requests,  4.0 s",
                        "naive       0 of 100 pages,      0 requests,  5.0 s, done");
        assertThat(out.toString()).doesNotContain("\r");
    }

    @Test
    void on_a_terminal_the_line_is_written_over() {
        Progress progress = new Progress(new PrintWriter(out), true);
        progress.running("api", tally, 100, 0, 0);
        progress.running("api", tally, 100, SECOND, SECOND);
        assertThat(out.toString()).doesNotContain("\n").contains("\rapi").endsWith("\u001b[K");
    }

    @Test
    void an_end_in_the_middle_leaves_the_cursor_at_the_start_of_a_line() {
        Progress progress = new Progress(new PrintWriter(out), true);
        progress.running("api", tally, 100, 0, 0);
        progress.endLine();
        progress.endLine();
        assertThat(out.toString()).endsWith("\u001b[K" + System.lineSeparator());
    }
}
