package io.paceline.demo.chaos;

import io.paceline.demo.chaos.RedisFarm.Shape;
import io.paceline.demo.history.Event;
import io.paceline.demo.history.Event.Permit;
import io.paceline.demo.history.Event.Refusal;
import io.paceline.demo.history.Finding;
import io.paceline.demo.history.History;
import io.paceline.demo.history.Phase;
import io.paceline.demo.history.Share;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a run has shown, in figures. */
final class Figures {
    final Chaos.Options options;
    final Shape shape;
    final History history;
    final List<Faults.Past> faults;
    final List<Finding> broken;
    final List<Finding> bounded;
    final long began;
    final long ended;
    final List<Phase> phases;
    final List<Share> shares;

    Figures(
            Chaos.Options options,
            Shape shape,
            History history,
            List<Faults.Past> faults,
            List<Finding> findings,
            long began,
            long ended) {
        this.options = options;
        this.shape = shape;
        this.history = history;
        this.faults = faults;
        this.broken = findings.stream().filter(finding -> !finding.bounded()).toList();
        this.bounded = findings.stream().filter(Finding::bounded).toList();
        this.began = began;
        this.ended = ended;
        this.phases = Phase.of(history, began, ended, ask -> !ask.target().equals(Asks.HELD_TARGET));
        this.shares = Share.of(history, Asks.PROMISES);
    }

    /** Promises that were broken, and faults after which not all was as before. */
    int brokenPromises() {
        return broken.size()
                + (int) faults.stream()
                        .filter(fault -> fault.recoveredMicros() < 0)
                        .count();
    }

    // ---- figures

    double second(long micros) {
        return (micros - began) / 1e6;
    }

    long permits() {
        return history.all(Permit.class).count();
    }

    long silences() {
        return history.all(Event.Silence.class).count();
    }

    Map<String, Integer> refusals() {
        Map<String, Integer> byReason = new TreeMap<>();
        history.all(Refusal.class).forEach(refusal -> byReason.merge(refusal.reason(), 1, Integer::sum));
        return byReason;
    }

    /** The longest time without any permit from the beginning of a fault until all was as before. */
    long gapMicros(Faults.Past fault) {
        long end = fault.recoveredMicros() < 0 ? ended : fault.recoveredMicros();
        long last = fault.event().calledMicros();
        long longest = 0;
        for (Permit permit : (Iterable<Permit>) history.all(Permit.class)::iterator) {
            if (permit.answeredMicros() > end) {
                break;
            }
            if (permit.answeredMicros() > last) {
                longest = Math.max(longest, permit.answeredMicros() - last);
                last = permit.answeredMicros();
            }
        }
        return Math.max(longest, end - last);
    }
}
