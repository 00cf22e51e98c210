package io.paceline.service.api;

import io.paceline.Inspection;
import io.paceline.health.Standing;
import io.paceline.health.State;
import io.paceline.health.SubjectRow;
import io.paceline.pool.AddressStatus;
import io.paceline.pool.WeightParts;
import io.paceline.service.events.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Why an address is as it is: the figures as JSON, and in sentences for people. */
final class AddressExplanation {
    private AddressExplanation() {}

    /** @param transitions of this address in this pool, oldest first */
    static void write(JsonOut out, Inspection seen, List<Event> transitions) {
        AddressStatus status = seen.status();
        var endpoint = status.address().endpoint();
        out.put("pool", seen.pool())
                .put("proxy", endpoint.isDirect() ? "direct" : endpoint.scheme().word() + "://" + endpoint.authority())
                .texts("tags", new TreeMap<>(status.address().tags()));
        row(out, seen.row());
        Event last = last(transitions, null);
        if (last != null) {
            out.put("reason", last.reason());
        }
        WeightParts parts = seen.parts();
        out.put("leases", status.live())
                .put("cap", status.cap())
                .put("uses", status.uses())
                .ratio("weight", parts.product())
                .openObject("weight_parts")
                .ratio("configured", parts.configured())
                .ratio("success", parts.success())
                .ratio("speed", parts.speed())
                .ratio("standing", parts.standing())
                .close();
        if (status.lastUsedMicros() > 0) {
            out.time("last_used", status.lastUsedMicros());
        }
        out.openArray("cells");
        for (Inspection.Cell cell : seen.cells()) {
            out.openItem().put("target", cell.target());
            row(out, cell.row());
            Event why = last(transitions, cell.target());
            if (why != null) {
                out.put("reason", why.reason());
            }
            out.close();
        }
        out.closeArray().openArray("explanation");
        sentences(seen, transitions).forEach(out::item);
        out.closeArray();
    }

    private static void row(JsonOut out, SubjectRow row) {
        Standing standing = row.standing();
        out.put("state", standing.state().word()).put("phase", phase(standing));
        if (standing.sinceMicros() > 0) {
            out.time("since", standing.sinceMicros());
        }
        if (standing.untilMicros() > 0) {
            out.time("until", standing.untilMicros());
        }
        if (standing.outSinceMicros() > 0) {
            out.time("out_since", standing.outSinceMicros());
        }
        out.put("relapses", standing.relapses())
                .put("epoch", standing.epoch())
                .openObject("window")
                .put("outcomes", row.outcomes())
                .put("successes", row.successes())
                .put("failures_in_row", row.failStreak())
                .put("successes_in_row", row.winStreak())
                .close();
    }

    /** The newest transition of the address ({@code target} null), or of its cell. */
    private static @Nullable Event last(List<Event> transitions, @Nullable String target) {
        Event last = null;
        for (Event event : transitions) {
            if (Objects.equals(event.target(), target)) {
                last = event;
            }
        }
        return last;
    }

    private static List<String> sentences(Inspection seen, List<Event> transitions) {
        List<String> said = new ArrayList<>();
        said.add("in pool " + seen.pool() + " it is " + standing(seen.row().standing(), seen.nowMicros())
                + why(last(transitions, null), seen.row().standing()));
        said.add(window(seen.row()));
        WeightParts parts = seen.parts();
        said.add(String.format(
                Locale.ROOT,
                "weight %.3f = %.2f configured x %.2f success rate x %.2f speed against the pool's mean x %.2f standing",
                parts.product(),
                parts.configured(),
                parts.success(),
                parts.speed(),
                parts.standing()));
        said.add(seen.status().live() + " of at most " + seen.status().cap() + " leases are live");
        for (Inspection.Cell cell : seen.cells()) {
            if (cell.row().standing().state() != State.HEALTHY) {
                said.add("on " + cell.target() + " it is "
                        + standing(cell.row().standing(), seen.nowMicros())
                        + why(last(transitions, cell.target()), cell.row().standing()));
            }
        }
        return said;
    }

    private static String why(@Nullable Event last, Standing standing) {
        if (last != null) {
            return ": " + last.reason();
        }
        return standing.state() == State.HEALTHY ? "" : " (its transition is older than the decision log)";
    }

    private static String phase(Standing standing) {
        return standing.halfOpen()
                ? "half_open"
                : standing.slowStarting() ? "slow_start" : standing.state().word();
    }

    private static String standing(Standing standing, long nowMicros) {
        StringBuilder text = new StringBuilder(phase(standing).replace('_', '-'));
        if (standing.sinceMicros() > 0) {
            text.append(" since ").append(second(standing.sinceMicros()));
        }
        if (standing.untilMicros() > 0) {
            long left = Math.max(0, standing.untilMicros() - nowMicros);
            text.append(" until ").append(second(standing.untilMicros()));
            text.append(" (").append((left + 500_000) / 1_000_000).append("s left)");
        }
        if (standing.relapses() > 0) {
            text.append(", relapse ").append(standing.relapses());
        }
        return text.toString();
    }

    private static String window(SubjectRow row) {
        if (row.outcomes() == 0) {
            return "no outcome has counted since service last began or ended";
        }
        return row.successes() + " of the last " + row.outcomes() + " outcomes that count were successes; "
                + (row.failStreak() > 0
                        ? row.failStreak() + " failures in a row"
                        : row.winStreak() + " successes in a row");
    }

    static String second(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L)).toString();
    }
}
