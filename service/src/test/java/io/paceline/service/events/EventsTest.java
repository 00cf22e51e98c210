package io.paceline.service.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.Decision;
import io.paceline.Reason;
import io.paceline.Request;
import io.paceline.Transition;
import io.paceline.health.ControlUrl;
import io.paceline.health.Hold;
import io.paceline.health.Standing;
import io.paceline.health.State;
import io.paceline.health.Verdict;
import io.paceline.health.Verdict.Guilty;
import io.paceline.service.metrics.Pseudonyms;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EventsTest {
    private static final Request REQUEST = Request.builder("https://www.example.com/secret-path?key=hunter2")
            .session("acct-17")
            .build();

    private long now = 1_772_366_400_000_000L;
    private final EventLog log = new EventLog(() -> now, 5);
    private final Events events = new Events(log, () -> now, new Pseudonyms(new byte[32]));

    @Test
    void a_transition_is_an_event_with_its_reason_and_its_end() {
        Standing before = Standing.fresh(1, now);
        Standing out = new Standing(State.QUARANTINED, 2, now, now + 62_000_000, 62_000_000, 1, 0, now);
        events.transition(
                new Transition("default", "a17", "example.com", before, out, "failures", "5 failures in a row"));

        Event event = log.latest(1, any -> true).get(0);
        assertThat(event.kind()).isEqualTo(Event.Kind.TRANSITION);
        assertThat(event.what()).isEqualTo("quarantined");
        assertThat(event.target()).isEqualTo("example.com");
        assertThat(event.reason()).isEqualTo("5 failures in a row");
        assertThat(event.details()).containsEntry("cause", "failures").containsEntry("until", "2026-03-01T12:01:02Z");
    }

    @Test
    void refusals_of_one_sort_are_told_once_in_ten_seconds_and_counted() {
        for (int i = 0; i < 100; i++) {
            refuse(Reason.NO_ADDRESS);
        }
        assertThat(log.latest(10, any -> true)).hasSize(1);

        now += 10_000_000;
        refuse(Reason.NO_ADDRESS);
        Event event = log.latest(1, any -> true).get(0);
        assertThat(event.details()).containsEntry("like_it_before", "99");
        assertThat(event.target()).isEqualTo("www.example.com");
        assertThat(event.toString()).doesNotContain("hunter2").doesNotContain("acct-17");
    }

    @Test
    void what_rules_are_for_is_no_event() {
        refuse(Reason.RATE_LIMITED);

        assertThat(log.last()).isZero();
    }

    @Test
    void an_ended_session_is_an_event_of_its_kind() {
        refuse(Reason.SESSION_ENDED);

        assertThat(log.latest(1, any -> true).get(0).kind()).isEqualTo(Event.Kind.SESSION);
    }

    @Test
    void the_log_keeps_the_newest_and_says_where_it_begins() {
        List<Long> heard = new ArrayList<>();
        log.subscribe(event -> heard.add(event.id()));
        for (int i = 0; i < 8; i++) {
            log.add(Event.Kind.CONFIGURATION, null, null, null, "started", "again", Map.of());
        }

        assertThat(heard).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
        assertThat(log.first()).isEqualTo(4);
        assertThat(log.after(0, 100, any -> true)).extracting(Event::id).containsExactly(4L, 5L, 6L, 7L, 8L);
        assertThat(log.after(6, 1, any -> true)).extracting(Event::id).containsExactly(7L);
        assertThat(log.latest(2, any -> true)).extracting(Event::id).containsExactly(7L, 8L);
    }

    @Test
    void a_verdict_is_an_event_with_its_evidence_in_figures() {
        Verdict verdict = new Verdict(Guilty.TARGET, 5, 5, 6, false, 0.02, 1, 200, 5, 14.2, 9.2);
        events.verdict("default", Guilty.TARGET, "example.com", verdict);
        events.verdict("default", Guilty.TAG, "provider=acme", null);

        List<Event> told = log.latest(2, any -> true);
        assertThat(told).extracting(Event::kind).containsOnly(Event.Kind.VERDICT);
        assertThat(told).extracting(Event::what).containsExactly("guilty", "well_again");
        assertThat(told.get(0).target()).isEqualTo("example.com");
        assertThat(told.get(0).reason())
                .startsWith("site example.com is guilty: 5 failures in its last 6 through 5 addresses, ")
                .endsWith(": slowed to 1/s in pool default");
        assertThat(told.get(0).details())
                .containsEntry("guilty", "target")
                .containsEntry("failures", "5")
                .containsEntry("outcomes", "6")
                .containsEntry("others_outcomes", "200")
                .containsEntry("score", "14.20");
        assertThat(told.get(1).reason()).startsWith("tag provider=acme is well again");
        assertThat(told.get(1).target()).isNull();
    }

    @Test
    void a_control_url_that_dies_is_an_event() {
        events.controlUrl(new ControlUrl("https://check.example/ip", false, "5 direct fetches failed", now));

        Event event = log.latest(1, any -> true).get(0);
        assertThat(event.kind()).isEqualTo(Event.Kind.CONTROL_URL);
        assertThat(event.what()).isEqualTo("dead");
        assertThat(event.details()).containsEntry("url", "https://check.example/ip");
    }

    @Test
    void what_people_set_is_told_before_the_state_beneath() {
        Standing healthy = Standing.fresh(1, now);
        Standing banned = healthy.under(Hold.NONE.withBan(new Hold.Ban("abuse mail", now + 62_000_000)));
        events.transition(new Transition("default", "a17", null, healthy, banned, "ban", "ban ordered: abuse mail"));

        Event event = log.latest(1, any -> true).get(0);
        assertThat(event.what()).isEqualTo("banned");
        assertThat(event.details()).containsEntry("from", "healthy").containsEntry("until", "2026-03-01T12:01:02Z");
    }

    private void refuse(Reason reason) {
        events.decided(REQUEST, "default", new Decision.Refused(reason, 1_500_000, null, "for a reason"), now, now);
    }
}
