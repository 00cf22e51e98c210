package io.paceline.service.api;

import io.paceline.service.events.Event;
import io.paceline.service.events.EventLog;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /api/events?since=&limit=&kind=&pool=&address=}: the decision log, as JSON or, for who accepts {@code
 * text/event-stream}, as server-sent events that go on.
 */
public final class EventRoutes {

    private static final int MAX_LIMIT = 1_000;
    private static final int DEFAULT_LIMIT = 100;

    /** Streams at once: each costs a connection and a look at the log for every event. */
    private static final int MAX_STREAMS = 64;

    private static final String STREAM = "text/event-stream";

    private final EventLog log;
    private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public EventRoutes(EventLog log) {
        this.log = log;
    }

    void events(Call call) {
        Predicate<Event> fits = filter(call);
        String accept = call.requestHeader("accept");
        if (accept != null && accept.contains(STREAM)) {
            stream(call, fits);
            return;
        }
        int limit = Views.number(call, "limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
        Long since = id(call.query("since"), "since");
        List<Event> found = since == null ? log.latest(limit, fits) : log.after(since, limit, fits);
        JsonOut out = new JsonOut()
                .put("last", log.last())
                .put("missed", since != null && since + 1 < log.first())
                .openArray("events");
        found.forEach(event -> {
            out.openItem();
            write(out, event);
            out.close();
        });
        call.json(200, out.closeArray().end());
    }

    private static Predicate<Event> filter(Call call) {
        String kind = call.query("kind");
        String pool = call.query("pool");
        String address = call.query("address");
        if (kind != null) {
            List<String> words =
                    Arrays.stream(Event.Kind.values()).map(Event.Kind::word).toList();
            if (!words.contains(kind)) {
                throw HttpProblem.field("kind", "there is no kind `" + kind + "`" + Hint.of(kind, words));
            }
        }
        Sight.View sight = call.sight();
        return event -> sight.event(event)
                && (kind == null || kind.equals(event.kind().word()))
                && (pool == null || pool.equals(event.pool()))
                && (address == null || address.equals(event.address()));
    }

    /** Begins after {@code Last-Event-ID} or {@code since}; without either, with what comes from now on. */
    private void stream(Call call, Predicate<Event> fits) {
        Long since = id(call.requestHeader("last-event-id"), "Last-Event-ID");
        if (since == null) {
            since = id(call.query("since"), "since");
        }
        if (closed || streams.size() >= MAX_STREAMS) {
            throw HttpProblem.of(
                    503, "too_many_streams", "at most " + MAX_STREAMS + " event streams are served at once");
        }
        var response = call.stream(STREAM);
        if (response != null) {
            EventStream stream =
                    new EventStream(call, response, log, fits, since == null ? log.last() : since, streams::remove);
            streams.add(stream);
            stream.begin();
            if (closed) {
                stream.end();
            }
        }
    }

    private static @Nullable Long id(@Nullable String text, String name) {
        if (text == null) {
            return null;
        }
        try {
            long id = Long.parseLong(text.trim());
            if (id >= 0) {
                return id;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw HttpProblem.field(name, "`" + name + "` must be the id of an event: a whole number from 0");
    }

    /** Ends every stream: a drain waits for nobody who only looks on. */
    public void close() {
        closed = true;
        streams.forEach(EventStream::end);
    }

    /** The fields of an event, into an object that is open. */
    static JsonOut write(JsonOut out, Event event) {
        out.put("id", event.id())
                .time("time", event.atMicros())
                .put("kind", event.kind().word());
        put(out, "pool", event.pool());
        put(out, "address", event.address());
        put(out, "target", event.target());
        out.put("what", event.what()).put("reason", event.reason());
        return event.details().isEmpty() ? out : out.texts("details", event.details());
    }

    private static void put(JsonOut out, String name, @Nullable String value) {
        if (value != null) {
            out.put(name, value);
        }
    }
}
