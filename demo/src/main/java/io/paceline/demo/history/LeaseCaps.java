package io.paceline.demo.history;

import io.paceline.demo.history.Event.Permit;
import io.paceline.demo.history.Finding.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Leases that are certainly live at once: on an address and on a cell no more than the cap, whatever happens; on a target no
 * more than its concurrency limit, or twice that until the leases of before a change have ended.
 */
final class LeaseCaps implements Checker.Check {
    /** What a store that has failed over may have lost without anybody noticing, among it a lease. */
    static final long LOST_AT_FAILOVER_MICROS = 250_000;

    static final String FAILOVER = "failover";

    private final History history;
    private final Promises promises;

    LeaseCaps(History history, Promises promises) {
        this.history = history;
        this.promises = promises;
    }

    private record Held(Permit permit, long untilMicros) {}

    @Override
    public void into(List<Finding> found) {
        Map<String, List<Held>> byAddress = new HashMap<>();
        Map<String, List<Held>> byCell = new HashMap<>();
        Map<String, List<Held>> byTarget = new HashMap<>();
        history.all(Permit.class).forEach(permit -> {
            Held held = new Held(permit, history.certainUntil(permit));
            if (held.untilMicros > permit.answeredMicros()) {
                String address = permit.ask().pool() + "/" + permit.address();
                put(byAddress, address, held);
                put(byCell, address + " on " + permit.ask().target(), held);
                put(byTarget, permit.ask().target(), held);
            }
        });
        byAddress.forEach((name, held) -> sweep(held, pool(held).maxLeases(), live -> cap(found, name, live)));
        byCell.forEach((name, held) -> sweep(held, pool(held).maxLeasesPerTarget(), live -> cap(found, name, live)));
        byTarget.forEach((name, held) -> {
            if (promises.limits().get(name) instanceof Promises.AtOnce limit) {
                sweep(held, limit.most(), live -> atOnce(found, name, limit.most(), live));
            }
        });
    }

    private static void put(Map<String, List<Held>> map, String key, Held held) {
        map.computeIfAbsent(key, name -> new ArrayList<>()).add(held);
    }

    private Promises.Pool pool(List<Held> held) {
        Promises.Pool pool = promises.pools().get(held.get(0).permit.ask().pool());
        if (pool == null) {
            throw new IllegalArgumentException(
                    "nothing is promised of pool " + held.get(0).permit.ask().pool());
        }
        return pool;
    }

    private interface TooMany {
        void live(List<Held> live);
    }

    /** Held leases come by the time of their answers. */
    private static void sweep(List<Held> held, int most, TooMany tooMany) {
        PriorityQueue<Held> live = new PriorityQueue<>(Comparator.comparingLong(Held::untilMicros));
        for (Held next : held) {
            while (!live.isEmpty() && live.element().untilMicros <= next.permit.answeredMicros()) {
                live.remove();
            }
            live.add(next);
            if (live.size() > most) {
                tooMany.live(live.stream()
                        .sorted(Comparator.comparingLong(there -> there.permit.answeredMicros()))
                        .toList());
            }
        }
    }

    private void cap(List<Finding> found, String name, List<Held> live) {
        long at = live.get(live.size() - 1).permit.answeredMicros();
        boolean lost = live.stream()
                .anyMatch(held -> history.befell(
                        FAILOVER, held.permit.calledMicros(), held.permit.answeredMicros() + LOST_AT_FAILOVER_MICROS));
        found.add(new Finding(Kind.CAP, at, lost, live.size() + " leases at once on " + name, permits(live)));
    }

    private void atOnce(List<Finding> found, String target, int most, List<Held> live) {
        long at = live.get(live.size() - 1).permit.answeredMicros();
        boolean bounded = live.size() <= 2 * most && !history.modes().steady(at - promises.longestLeaseMicros(), at);
        found.add(new Finding(
                Kind.LIMIT, at, bounded, live.size() + " at once on " + target + ", limit " + most, permits(live)));
    }

    private static List<Event> permits(List<Held> live) {
        return live.stream().<Event>map(Held::permit).toList();
    }
}
