package io.paceline.redis.degraded;

import io.paceline.health.Budget;
import io.paceline.health.Standing;
import io.paceline.pace.PaceRow;
import io.paceline.redis.degraded.Notebook.SessionName;
import io.paceline.redis.degraded.Notebook.Subject;
import io.paceline.store.PaceShift;
import io.paceline.store.Settlement;
import io.paceline.store.Shift;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/**
 * What the shared store must still be told. Everything is taken out once: what is lost on its way stays lost, and nothing is
 * counted twice. Bounded: beyond it the oldest goes, and is counted as dropped. Thread-safe.
 */
final class Outbox {
    /** Enough for every window of outcomes that judgement looks at. */
    static final int MOST = 20_000;

    /**
     * What a lease granted and ended alone says.
     *
     * @param addressEpoch of the standing in which it began: of an older one than the shared store's it says nothing
     */
    record Seen(Settlement settlement, int addressEpoch, int cellEpoch) {}

    /**
     * A standing that was changed alone.
     *
     * @param expected before the first change
     * @param to after the last
     */
    record Moved(Standing expected, Standing to, Budget budget) {}

    private final Queue<Settlement> settlements = new ArrayDeque<>();
    private final Queue<Seen> seen = new ArrayDeque<>();
    private final Map<Subject, Moved> moved = new LinkedHashMap<>();
    private final Map<PaceShift.Subject, PaceRow> paces = new LinkedHashMap<>();
    private final Set<SessionName> ended = new LinkedHashSet<>();
    private long dropped;

    /** The end of a lease that the shared store knows, or may know. */
    synchronized void settle(Settlement settlement) {
        bounded(settlements).add(settlement);
    }

    synchronized void saw(Seen outcome) {
        bounded(seen).add(outcome);
    }

    private <T> Queue<T> bounded(Queue<T> queue) {
        if (queue.size() >= MOST) {
            queue.remove();
            dropped++;
        }
        return queue;
    }

    synchronized void moved(Shift shift) {
        moved.merge(
                new Subject(shift.chain(), shift.slot(), shift.target()),
                new Moved(shift.expected(), shift.to(), shift.budget()),
                (first, last) -> new Moved(first.expected, last.to, last.budget));
    }

    synchronized void paced(PaceShift.Subject subject, PaceRow row) {
        paces.put(subject, row);
    }

    synchronized void ended(SessionName session) {
        ended.add(session);
    }

    /** No end and no outcome is left to tell. */
    synchronized boolean isEmpty() {
        return settlements.isEmpty() && seen.isEmpty();
    }

    synchronized long dropped() {
        return dropped;
    }

    synchronized List<Settlement> takeSettlements(int most) {
        return taken(settlements, most);
    }

    synchronized List<Seen> takeSeen(int most) {
        return taken(seen, most);
    }

    private static <T> List<T> taken(Queue<T> queue, int most) {
        List<T> some = new ArrayList<>();
        while (some.size() < most && !queue.isEmpty()) {
            some.add(queue.remove());
        }
        return some;
    }

    synchronized Map<Subject, Moved> takeMoved() {
        Map<Subject, Moved> all = new LinkedHashMap<>(moved);
        moved.clear();
        return all;
    }

    synchronized Map<PaceShift.Subject, PaceRow> takePaces() {
        Map<PaceShift.Subject, PaceRow> all = new LinkedHashMap<>(paces);
        paces.clear();
        return all;
    }

    synchronized List<SessionName> takeEnded() {
        List<SessionName> all = List.copyOf(ended);
        ended.clear();
        return all;
    }
}
