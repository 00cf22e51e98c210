package io.paceline;

import io.paceline.Request.Priority;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait for one thing, in the order in which they are served: higher priority first; among equals the tenants
 * take turns, within a tenant its clients, and each client is served first come, first served.
 *
 * <p>However many one tenant or client sends, another's first request has at most one of each in front of it. Whoever's
 * turn it was goes to the end of the ring (deficit round-robin with a cost of one, Shreedhar and Varghese 1995). Guarded by
 * the lock of the {@link WaitingRoom}.
 */
final class FairLine<T> {
    /** Where somebody stands in the order. */
    record Place(Priority priority, String tenant, String client) {}

    private static final List<Priority> HIGHEST_FIRST = List.of(Priority.HIGH, Priority.NORMAL, Priority.LOW);

    /** The first entry of each map has the next turn. */
    private final Map<Priority, Map<String, Map<String, Deque<T>>>> waiting = new EnumMap<>(Priority.class);

    private int size;

    int size() {
        return size;
    }

    void add(Place place, T one) {
        waiting.computeIfAbsent(place.priority, absent -> new LinkedHashMap<>())
                .computeIfAbsent(place.tenant, absent -> new LinkedHashMap<>())
                .computeIfAbsent(place.client, absent -> new ArrayDeque<>())
                .addLast(one);
        size++;
    }

    /** Who is served next; null where nobody waits. */
    @Nullable
    T head() {
        for (Priority priority : HIGHEST_FIRST) {
            Map<String, Map<String, Deque<T>>> tenants = waiting.get(priority);
            if (tenants != null && !tenants.isEmpty()) {
                return first(first(tenants)).getFirst();
            }
        }
        return null;
    }

    private static <V> V first(Map<String, V> ring) {
        return ring.values().iterator().next();
    }

    /** Takes somebody out; where it was the head, the turn passes on. False where it does not wait here. */
    @SuppressWarnings("ReferenceEquality") // the very one that waits, not one that looks alike
    boolean remove(Place place, T one) {
        Map<String, Map<String, Deque<T>>> tenants = waiting.get(place.priority);
        Map<String, Deque<T>> clients = tenants == null ? null : tenants.get(place.tenant);
        Deque<T> own = clients == null ? null : clients.get(place.client);
        if (tenants == null || clients == null || own == null) {
            return false;
        }
        boolean served = own.peekFirst() == one && first(clients) == own && first(tenants) == clients;
        if (!own.remove(one)) {
            return false;
        }
        size--;
        passTurn(clients, place.client, own, own.isEmpty(), served);
        passTurn(tenants, place.tenant, clients, clients.isEmpty(), served);
        return true;
    }

    private static <V> void passTurn(Map<String, V> ring, String name, V entry, boolean empty, boolean served) {
        if (empty || served) {
            ring.remove(name);
        }
        if (!empty && served) {
            ring.put(name, entry);
        }
    }
}
