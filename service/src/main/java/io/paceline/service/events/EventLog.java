package io.paceline.service.events;

import io.paceline.Ticker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The last events of this process, oldest first, and whoever wants to be told of the next. Thread-safe; the lock is held
 * for a moment, and subscribers are told outside it, in the order of the events of each thread.
 */
public final class EventLog {

    /** Events that are kept: at some 500 octets each, 5 MB. */
    public static final int CAPACITY = 10_000;

    private final Ticker ticker;
    private final int capacity;
    private final ArrayDeque<Event> events = new ArrayDeque<>();
    private final List<Consumer<Event>> subscribers = new CopyOnWriteArrayList<>();
    private long last;

    public EventLog(Ticker ticker) {
        this(ticker, CAPACITY);
    }

    EventLog(Ticker ticker, int capacity) {
        this.ticker = ticker;
        this.capacity = capacity;
    }

    /** Adds an event that is about nobody's request. */
    public void add(
            Event.Kind kind,
            @Nullable String pool,
            @Nullable String address,
            @Nullable String target,
            String what,
            String reason,
            Map<String, String> details) {
        add(kind, pool, address, target, "", what, reason, details);
    }

    /** Adds an event; see {@link Event} for what may be null. */
    public void add(
            Event.Kind kind,
            @Nullable String pool,
            @Nullable String address,
            @Nullable String target,
            String tenant,
            String what,
            String reason,
            Map<String, String> details) {
        Event event;
        synchronized (this) {
            event = new Event(++last, ticker.micros(), kind, pool, address, target, tenant, what, reason, details);
            events.addLast(event);
            if (events.size() > capacity) {
                events.removeFirst();
            }
        }
        subscribers.forEach(subscriber -> subscriber.accept(event));
    }

    /** The first {@code max} events after the id given that fit, oldest first. */
    public synchronized List<Event> after(long id, int max, Predicate<Event> fits) {
        List<Event> found = new ArrayList<>();
        for (Event event : events) {
            if (event.id() > id && fits.test(event)) {
                found.add(event);
                if (found.size() == max) {
                    break;
                }
            }
        }
        return found;
    }

    /** The last {@code max} events that fit, oldest first. */
    public synchronized List<Event> latest(int max, Predicate<Event> fits) {
        ArrayDeque<Event> found = new ArrayDeque<>();
        for (var i = events.descendingIterator(); i.hasNext() && found.size() < max; ) {
            Event event = i.next();
            if (fits.test(event)) {
                found.addFirst(event);
            }
        }
        return List.copyOf(found);
    }

    /** The id of the newest event; 0 where there is none. */
    public synchronized long last() {
        return last;
    }

    /** The id of the oldest event that is still known; who asks for earlier ones has missed some. */
    public synchronized long first() {
        return last - events.size() + 1;
    }

    /** Tells the subscriber each further event, from the thread that added it: it must not block. */
    public void subscribe(Consumer<Event> subscriber) {
        subscribers.add(subscriber);
    }

    public void unsubscribe(Consumer<Event> subscriber) {
        subscribers.remove(subscriber);
    }
}
