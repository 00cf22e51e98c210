package io.paceline.service.api;

import io.paceline.service.events.Event;
import io.paceline.service.events.EventLog;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * One reader of server-sent events. It takes from the log what the connection has room for, so a slow reader costs no
 * memory: what it has missed by then it is told the number of. Lives on its call's event loop.
 */
final class EventStream {

    private static final int EVENTS_A_TURN = 100;

    /** Proxies between close what is silent for a minute. */
    private static final long BEAT_MILLIS = 15_000;

    private final Call call;
    private final HttpServerResponse response;
    private final EventLog log;
    private final Predicate<Event> fits;
    private final Consumer<EventStream> onEnd;
    private final AtomicBoolean pumping = new AtomicBoolean();
    private final Consumer<Event> wake;
    private long sent;
    private long timer;
    private boolean ended;

    EventStream(
            Call call,
            HttpServerResponse response,
            EventLog log,
            Predicate<Event> fits,
            long since,
            Consumer<EventStream> onEnd) {
        this.call = call;
        this.response = response;
        this.log = log;
        this.fits = fits;
        this.sent = since;
        this.onEnd = onEnd;
        this.wake = event -> wake();
    }

    void begin() {
        timer = call.every(BEAT_MILLIS, this::beat);
        log.subscribe(wake);
        response.write(": paceline events\n\n");
        pump();
    }

    /** From any thread: looks at the log once, however many events have come until then. */
    private void wake() {
        if (pumping.compareAndSet(false, true)) {
            call.onLoop(this::pump);
        }
    }

    private void pump() {
        pumping.set(false);
        while (!over() && !response.writeQueueFull()) {
            long missed = log.first() - sent - 1;
            if (missed > 0) {
                response.write(": " + missed + " events were forgotten before they could be sent\n\n");
                sent += missed;
            }
            List<Event> events = log.after(sent, EVENTS_A_TURN, event -> true);
            if (events.isEmpty()) {
                return;
            }
            for (Event event : events) {
                sent = event.id();
                if (fits.test(event)) {
                    response.write("id: " + event.id() + "\nevent: "
                            + event.kind().word() + "\ndata: "
                            + EventRoutes.write(new JsonOut(), event).text() + "\n\n");
                }
            }
        }
        if (!over()) {
            response.drainHandler(ready -> pump());
        }
    }

    private void beat() {
        if (!over() && !response.writeQueueFull()) {
            response.write(": \n\n");
        }
    }

    private boolean over() {
        if (!ended && call.isAbandoned()) {
            release();
        }
        return ended;
    }

    private void release() {
        ended = true;
        log.unsubscribe(wake);
        call.cancel(timer);
        onEnd.accept(this);
    }

    /** Ends the answer; from any thread. */
    void end() {
        call.onLoop(() -> {
            if (!over()) {
                release();
                response.end();
            }
        });
    }
}
