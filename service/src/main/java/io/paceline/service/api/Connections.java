package io.paceline.service.api;

import io.vertx.core.http.HttpConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The open connections of one event loop, and when each did something: closes those on which nothing happens.
 *
 * <p>Vert.x's own idle time-out would also close a connection whose call is held on purpose. Here a connection is idle
 * only while it owes no answer; so one that sends half a request, or one octet a minute, is closed as well. Confined to
 * its event loop.
 */
final class Connections {

    private static final long IDLE_NANOS = 75_000_000_000L;

    private static final class State {
        private int calls;
        private long lastNanos;

        private State(long nowNanos) {
            lastNanos = nowNanos;
        }
    }

    private final Map<HttpConnection, State> open = new HashMap<>();

    void opened(HttpConnection connection, long nowNanos) {
        open.put(connection, new State(nowNanos));
        connection.closeHandler(closed -> open.remove(connection));
    }

    /** A whole request is there. */
    void began(@Nullable HttpConnection connection) {
        State state = open.get(connection);
        if (state != null) {
            state.calls++;
        }
    }

    /** Its answer has been handed over. */
    void ended(@Nullable HttpConnection connection, long nowNanos) {
        State state = open.get(connection);
        if (state != null) {
            state.calls--;
            state.lastNanos = nowNanos;
        }
    }

    void closeIdle(long nowNanos) {
        // Closing runs the close handler, which takes the connection off the map: so over a copy.
        List<HttpConnection> idle = open.entrySet().stream()
                .filter(entry -> entry.getValue().calls == 0 && nowNanos - entry.getValue().lastNanos > IDLE_NANOS)
                .map(Map.Entry::getKey)
                .toList();
        idle.forEach(HttpConnection::close);
    }
}
