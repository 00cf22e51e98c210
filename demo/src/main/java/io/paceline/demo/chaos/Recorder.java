package io.paceline.demo.chaos;

import io.paceline.demo.history.Event;
import java.util.ArrayList;
import java.util.List;

/** What one caller was told, in his order. Thread-safe. */
final class Recorder {
    private final List<Event> events = new ArrayList<>();

    synchronized void write(Event event) {
        events.add(event);
    }

    synchronized List<Event> events() {
        return List.copyOf(events);
    }
}
