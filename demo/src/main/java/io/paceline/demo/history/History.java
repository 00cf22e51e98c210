package io.paceline.demo.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What many recorders wrote, merged: in the order of the answers, with what belongs to one lease together. */
public final class History {
    private final List<Event> events;
    private final Map<String, List<Event.Release>> releases = new HashMap<>();
    private final Map<String, List<Event.Renewal>> renewals = new HashMap<>();
    private final Modes modes;

    private History(List<Event> events) {
        this.events = events;
        all(Event.Release.class)
                .forEach(release -> releases.computeIfAbsent(release.lease(), lease -> new ArrayList<>(1))
                        .add(release));
        all(Event.Renewal.class)
                .forEach(renewal -> renewals.computeIfAbsent(renewal.lease(), lease -> new ArrayList<>(1))
                        .add(renewal));
        modes = Modes.of(all(Event.Look.class).toList());
    }

    /** Each recorder's events in any order. */
    public static History merge(Collection<? extends Collection<Event>> recorded) {
        return new History(recorded.stream()
                .flatMap(Collection::stream)
                .sorted(Comparator.comparingLong(Event::answeredMicros).thenComparingLong(Event::calledMicros))
                .toList());
    }

    public static History of(Event... events) {
        return merge(List.of(List.of(events)));
    }

    /** By the time of their answers. */
    public List<Event> events() {
        return events;
    }

    public <E extends Event> Stream<E> all(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast);
    }

    /** Of one lease, by the time of their answers. */
    List<Event.Release> releases(String lease) {
        return releases.getOrDefault(lease, List.of());
    }

    Modes modes() {
        return modes;
    }

    /** The shared store decided for all instances that ran. */
    public boolean together(long fromMicros, long toMicros) {
        return modes.allShared(fromMicros, toMicros);
    }

    /** No instance that ran had the shared store. */
    public boolean alone(long fromMicros, long toMicros) {
        return modes.allApart(fromMicros, toMicros);
    }

    /**
     * Until when a lease was certainly live: its caller had not begun to release it, and it had not lasted for as long as he
     * had been told.
     */
    long certainUntil(Event.Permit permit) {
        long until = permit.calledMicros() + permit.lifeMicros();
        for (Event.Renewal renewal : renewals.getOrDefault(permit.lease(), List.of())) {
            if (renewal.lifeMicros() > 0) {
                until = Math.max(until, renewal.calledMicros() + renewal.lifeMicros());
            }
        }
        for (Event.Release release : releases(permit.lease())) {
            until = Math.min(until, release.calledMicros());
        }
        return until - Checker.CLOCK_SLACK_MICROS;
    }

    /** It was given back unused, or may have been: nobody is charged for it. */
    boolean uncharged(Event.Permit permit) {
        return releases(permit.lease()).stream().anyMatch(Event.Release::canceled);
    }

    boolean befell(String fault, long fromMicros, long toMicros) {
        return all(Event.Fault.class)
                .anyMatch(there -> there.name().equals(fault)
                        && there.calledMicros() <= toMicros
                        && there.answeredMicros() >= fromMicros);
    }
}
