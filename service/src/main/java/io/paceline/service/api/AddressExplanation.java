package io.paceline.service.api;

import io.paceline.Inspection;
import io.paceline.health.Hold;
import io.paceline.health.Latency;
import io.paceline.health.Standing;
import io.paceline.health.State;
import io.paceline.health.SubjectRow;
import io.paceline.health.Trail;
import io.paceline.health.Verdict.Guilty;
import io.paceline.pool.AddressStatus;
import io.paceline.pool.WeightParts;
import io.paceline.service.events.Event;
import io.paceline.service.metrics.VerdictText;
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
        if (status.checkedMicros() > 0) {
            out.time("checked_at", status.checkedMicros());
        }
        if (status.checkLatencyMicros() > 0) {
            out.put("check_latency_ms", status.checkLatencyMicros() / 1_000);
        }
        out.openArray("excused_by");
        for (Inspection.Group group : seen.guilty()) {
            out.openItem()
                    .put("guilty", group.kind().word())
                    .put("name", group.name())
                    .time("since", group.sinceMicros())
                    .close();
        }
        out.closeArray().openArray("cells");
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
        out.put("state", standing.word())
                .put("judgement", standing.state().word())
                .put("phase", phase(standing));
        hold(out, standing.hold());
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
        Trail trail = row.trail();
        if (trail.stretch() > 0) {
            out.openObject("bad_stretch")
                    .put("faults", trail.faultsAmong(trail.stretch()))
                    .put("outcomes", trail.stretch())
                    .time("since", trail.sinceMicros())
                    .close();
        }
    }

    private static void hold(JsonOut out, Hold hold) {
        if (hold.isNone()) {
            return;
        }
        out.openObject("hold").put("frozen", hold.frozen()).put("draining", hold.draining());
        Hold.Ban ban = hold.ban();
        if (ban != null) {
            out.openObject("ban").put("reason", ban.reason());
            if (ban.untilMicros() > 0) {
                out.time("until", ban.untilMicros());
            }
            out.close();
        }
        out.close();
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

    private static void latency(List<String> said, Latency latency) {
        if (latency.p95Micros() == 0) {
            return;
        }
        String norm = latency.jump() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; that is %.1f times its norm, as measured against what the targets take through all",
                        latency.jump());
        said.add("its recent successes took " + Math.round(latency.p50Micros() / 1_000) + " ms in the median and "
                + Math.round(latency.p95Micros() / 1_000) + " ms at the 95th percentile" + norm);
    }

    private static List<String> sentences(Inspection seen, List<Event> transitions) {
        List<String> said = new ArrayList<>();
        said.add("in pool " + seen.pool() + " it is " + standing(seen.row().standing(), seen.nowMicros())
                + why(last(transitions, null), seen.row().standing()));
        hold(said, seen.row().standing().hold());
        said.add(window(seen.row()));
        stretch(said, seen.row().trail());
        latency(said, seen.row().latency());
        for (Inspection.Group group : seen.guilty()) {
            said.add(VerdictText.who(group.kind(), group.name()) + " is guilty since " + second(group.sinceMicros())
                    + ": " + (group.kind() == Guilty.TARGET ? "failures there" : "failures")
                    + " are not held against the address");
        }
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
        if (seen.status().checkedMicros() > 0) {
            said.add("probed by control URLs last at " + second(seen.status().checkedMicros())
                    + (seen.status().checkLatencyMicros() > 0
                            ? "; it last answered after " + seen.status().checkLatencyMicros() / 1_000 + " ms"
                            : ""));
        }
        for (Inspection.Cell cell : seen.cells()) {
            Standing standing = cell.row().standing();
            if (standing.state() != State.HEALTHY || !standing.hold().isNone()) {
                said.add("on " + cell.target() + " it is " + standing(standing, seen.nowMicros())
                        + why(last(transitions, cell.target()), standing));
                hold(said, standing.hold());
            }
        }
        return said;
    }

    /** What people have set, and what follows. */
    private static void hold(List<String> said, Hold hold) {
        Hold.Ban ban = hold.ban();
        if (ban != null) {
            said.add("banned by people "
                    + (ban.untilMicros() == 0 ? "until unban" : "until " + second(ban.untilMicros()))
                    + (ban.reason().isEmpty() ? "" : ": " + ban.reason()));
        }
        if (hold.frozen()) {
            said.add("frozen by people until thaw: nothing is leased, and its sessions are paused");
        }
        if (hold.draining()) {
            said.add("draining until undrain: it takes nothing new, and what it has runs out");
        }
    }

    private static void stretch(List<String> said, Trail trail) {
        if (trail.stretch() > 0) {
            said.add("in its present bad stretch, since " + second(trail.sinceMicros()) + ", "
                    + trail.faultsAmong(trail.stretch()) + " of " + trail.stretch() + " outcomes were failures");
        }
    }

    private static String why(@Nullable Event last, Standing standing) {
        if (last != null) {
            return ": " + last.reason();
        }
        return standing.state() == State.HEALTHY && standing.hold().isNone()
                ? ""
                : " (its transition is older than the decision log)";
    }

    private static String phase(Standing standing) {
        if (standing.halfOpen()) {
            return "half_open";
        }
        return standing.hold().isNone() && standing.slowStarting() ? "slow_start" : standing.word();
    }

    private static String standing(Standing standing, long nowMicros) {
        StringBuilder text = new StringBuilder(phase(standing).replace('_', '-'));
        if (standing.sinceMicros() > 0 && standing.hold().isNone()) {
            text.append(" since ").append(second(standing.sinceMicros()));
        }
        long until = standing.hold().isNone()
                ? standing.untilMicros()
                : standing.hold().banUntilMicros();
        if (until > 0) {
            long left = Math.max(0, until - nowMicros);
            text.append(" until ").append(second(until));
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
