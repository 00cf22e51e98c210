package io.paceline.service.metrics;

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps a label's values few, whatever clients send: configured names always have their own; the first others get
 * one too; when half of the room is taken they have to earn it by being seen often; the rest share {@code other}. A label once earned is kept, as a counter must not
 * change its name. Thread-safe; a known name costs one look-up.
 */
final class BoundedLabels {

    static final String OTHER = "other";

    /** How often a name must be seen first: a crawl that meets each of a million sites once must not fill the room. */
    private static final int EARNED_AFTER = 10;

    /** How many names may be counted on their way; when full, all of them begin anew. */
    private static final int MAX_CANDIDATES = 1_000;

    private final int freeRoom;
    private final int room;
    private final ConcurrentHashMap<String, String> labels = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Integer> candidates = new ConcurrentHashMap<>();

    /** @param room how many names beside the configured ones get a label of their own */
    BoundedLabels(Collection<String> configured, int room) {
        this.freeRoom = configured.size() + room / 2;
        this.room = configured.size() + room;
        configured.forEach(name -> labels.put(name, name));
    }

    String label(String name) {
        String label = labels.get(name);
        return label != null ? label : candidate(name);
    }

    private String candidate(String name) {
        if (labels.size() >= room) {
            return OTHER;
        }
        if (candidates.size() >= MAX_CANDIDATES) {
            candidates.clear();
        }
        if (labels.size() >= freeRoom && candidates.merge(name, 1, Integer::sum) < EARNED_AFTER) {
            return OTHER;
        }
        candidates.remove(name);
        synchronized (this) {
            if (labels.size() >= room) {
                return OTHER;
            }
            labels.putIfAbsent(name, name);
        }
        return name;
    }
}
