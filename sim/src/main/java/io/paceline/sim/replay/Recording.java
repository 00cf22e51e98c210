package io.paceline.sim.replay;

import io.paceline.Outcome.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A record in the form in which it is replayed: what was asked, what came of it, and what addresses and targets
 * answered. Filled line by line, then read. Confined to one thread.
 */
public final class Recording {
    /** Arrivals that are replayed at most: some 100 octets each. */
    public static final int MAX_ARRIVALS = 10_000_000;

    /** Leases whose outcome may still come; the oldest are forgotten first. */
    private static final int MAX_OPEN = 1_000_000;

    /** What a lease was held for where its grant is not in the record. */
    private static final long HELD_UNKNOWN_MICROS = 500_000;

    private final List<Arrival> arrivals = new ArrayList<>();
    private final Answers answers = new Answers();
    private final Tally tally = new Tally();
    private final Map<String, Set<String>> addressesByPool = new LinkedHashMap<>();
    private final Map<String, String> interned = new HashMap<>();
    private final Map<String, Long> open = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MAX_OPEN;
        }
    };
    private long dropped;

    /**
     * A request that was answered with so many permits, or with the reason why not.
     *
     * @param target the target's name where it was granted, else the host
     * @param answeredMicros when
     * @param refusedFor the word of the reason; null where it was granted
     */
    public void asked(Arrival arrival, String target, long answeredMicros, int permits, @Nullable String refusedFor) {
        if (arrivals.size() >= MAX_ARRIVALS) {
            throw new IllegalArgumentException("the record has more than " + MAX_ARRIVALS
                    + " requests, more than are replayed at once: replay a part of it (head -n, and its first line)");
        }
        arrivals.add(new Arrival(
                arrival.askedMicros(),
                once(arrival.pool()),
                once(arrival.host()),
                arrival.client() == null ? null : once(arrival.client()),
                arrival.session() == null ? null : once(arrival.session()),
                arrival.task() == null ? null : once(arrival.task()),
                arrival.tags(),
                once(arrival.tenant()),
                arrival.wanted()));
        long waited = answeredMicros - arrival.askedMicros();
        if (refusedFor == null) {
            tally.granted(once(target), permits, waited);
        } else {
            tally.refused(once(target), refusedFor);
        }
    }

    /** One lease of a grant began. */
    public void leased(String pool, @Nullable String lease, String address, long atMicros) {
        addressesByPool.computeIfAbsent(once(pool), absent -> new TreeSet<>()).add(once(address));
        if (lease != null) {
            open.put(lease, atMicros);
        }
    }

    /** A lease was released. */
    public void ended(String lease, String address, String target, long atMicros, Kind kind, long latencyMicros) {
        Long began = open.remove(lease);
        long held = began == null ? HELD_UNKNOWN_MICROS : atMicros - began;
        tally.outcome(once(target), kind);
        if (kind != Kind.CANCELED) {
            answers.add(once(address), once(target), atMicros, kind, latencyMicros, held);
        }
    }

    /** A standing changed. */
    public void moved(boolean out) {
        if (out) {
            tally.putOut();
        }
    }

    /** So many lines were too many for the disk. */
    public void dropped(long lines) {
        dropped += lines;
    }

    private String once(String text) {
        return interned.computeIfAbsent(text, same -> same);
    }

    // ---- for the replay

    public int size() {
        return arrivals.size();
    }

    /** In the order in which they came: lines are in the order of the answers. */
    List<Arrival> inOrder() {
        arrivals.sort(Comparator.comparingLong(Arrival::askedMicros));
        return arrivals;
    }

    Answers answers() {
        return answers;
    }

    Tally tally() {
        return tally;
    }

    /** The addresses that a pool has leased; those of all pools where it has leased none. */
    Set<String> addressesOf(String pool) {
        Set<String> own = addressesByPool.get(pool);
        if (own != null) {
            return own;
        }
        Set<String> all = new TreeSet<>();
        addressesByPool.values().forEach(all::addAll);
        return all;
    }

    Set<String> pools() {
        return addressesByPool.keySet();
    }

    /** Lines that the record itself says are missing. */
    public long droppedLines() {
        return dropped;
    }
}
