package io.paceline.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Each trouble is named for what it is, and no healthy address pays for it; on real sockets, whatever the machine. */
class TroubleIT {

    /** Some seconds of calm, then trouble for some seconds more, or for as long as it takes to find out. */
    private static final TroubleTiming SHORT = new TroubleTiming(4, 7, 90, 120);

    private final StringWriter timeLine = new StringWriter();

    private static boolean troubleIsOver(Chronicle chronicle) {
        return chronicle.endedAt() >= 0;
    }

    private Chronicle watch(Trouble trouble, Predicate<Chronicle> enough) throws IOException, InterruptedException {
        Progress progress = new Progress(new PrintWriter(timeLine, true), false);
        TroubleReport report = new TroubleShow(trouble, SHORT, 1, true, progress).watch(enough);
        assertThat(report.pages()).isPositive();
        return report.chronicle();
    }

    @Test
    void a_site_that_fails_for_everybody_is_found_guilty_itself_and_let_go_when_it_is_well_again()
            throws IOException, InterruptedException {
        Chronicle chronicle = watch(Trouble.INCIDENT, known -> known.recoverySeconds() >= 0);

        assertThat(chronicle.isFound()).as(timeLine.toString()).isTrue();
        assertThat(chronicle.recoverySeconds()).as(timeLine.toString()).isNotNegative();
        assertThat(chronicle.wrongVerdicts()).as(timeLine.toString()).isZero();
        assertThat(chronicle.falseQuarantines()).as(timeLine.toString()).isZero();
        assertThat(timeLine.toString())
                .contains("*** site 127.0.0.3 answers 503", "site 127.0.0.3 is guilty", "site 127.0.0.3 is well again");
    }

    @Test
    void an_outage_of_our_own_side_is_held_against_nobody() throws IOException, InterruptedException {
        Chronicle chronicle = watch(Trouble.OWN_OUTAGE, TroubleIT::troubleIsOver);

        assertThat(chronicle.isFound()).as(timeLine.toString()).isTrue();
        assertThat(chronicle.wrongVerdicts()).as(timeLine.toString()).isZero();
        assertThat(chronicle.falseQuarantines()).as(timeLine.toString()).isZero();
        assertThat(timeLine.toString()).contains("our own side is guilty");
    }

    @Test
    void a_dead_control_url_is_named_and_no_address_is_judged_by_it() throws IOException, InterruptedException {
        Chronicle chronicle = watch(Trouble.CONTROL_URL_DEAD, Chronicle::isNoticed);

        assertThat(chronicle.isNoticed()).as(timeLine.toString()).isTrue();
        assertThat(chronicle.wrongVerdicts()).as(timeLine.toString()).isZero();
        assertThat(chronicle.falseQuarantines()).as(timeLine.toString()).isZero();
        assertThat(timeLine.toString()).containsPattern("control URL http://127\\.0\\.0\\.20:\\d+/ok is dead");
    }

    @Test
    void a_provider_that_is_down_takes_only_its_own_addresses_with_it() throws IOException, InterruptedException {
        Chronicle chronicle = watch(Trouble.PROVIDER_DOWN, TroubleIT::troubleIsOver);

        assertThat(chronicle.isFound()).as(timeLine.toString()).isTrue();
        assertThat(chronicle.rightQuarantines()).as(timeLine.toString()).isPositive();
        assertThat(chronicle.wrongVerdicts()).as(timeLine.toString()).isZero();
        assertThat(chronicle.falseQuarantines()).as(timeLine.toString()).isZero();
        assertThat(timeLine.toString()).contains("tag provider=birch is guilty");
    }
}
