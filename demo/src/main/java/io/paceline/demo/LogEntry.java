package io.paceline.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/**
 * One event of Paceline's decision log, as {@code GET /api/events} tells it; texts are empty where it has none.
 *
 * @param millis when, since 1970
 * @param address an id
 * @param target with an address: its cell on that target
 * @param guilty of a verdict: what kind of subject
 * @param name of a verdict or a control URL: which one
 */
record LogEntry(
        long id,
        long millis,
        String kind,
        String address,
        String target,
        String what,
        String reason,
        String guilty,
        String name) {

    static LogEntry of(JsonNode event) {
        JsonNode details = event.path("details");
        return new LogEntry(
                event.path("id").asLong(),
                Instant.parse(event.path("time").asText()).toEpochMilli(),
                event.path("kind").asText(),
                event.path("address").asText(""),
                event.path("target").asText(""),
                event.path("what").asText(),
                event.path("reason").asText(),
                details.path("guilty").asText(""),
                details.path("name").asText(details.path("url").asText("")));
    }

    boolean isTransition() {
        return kind.equals("transition");
    }

    boolean isControlUrl() {
        return kind.equals("control_url");
    }

    /** Whether it says of somebody who is no address that he is sick, or well again. */
    boolean isFinding() {
        return kind.equals("verdict") || isControlUrl();
    }

    /** Of a finding: whether it is against somebody. */
    boolean isAgainst() {
        return what.equals("guilty") || what.equals("dead");
    }

    /** Of a transition: whether the subject is out of service afterwards. */
    boolean leavesService() {
        return what.equals("quarantined") || what.equals("dead");
    }

    /** Of a transition: whether it is in service again, if only a little. */
    boolean returns() {
        return what.equals("slow_start") || what.equals("healthy") || what.equals("degraded");
    }

    /** The address, or the address on one target. */
    String subject() {
        return target.isEmpty() ? address : address + " on " + target;
    }
}
