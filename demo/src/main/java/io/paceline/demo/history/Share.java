package io.paceline.demo.history;

import io.paceline.demo.history.Event.Permit;
import io.paceline.demo.history.Promises.Starts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How much of a limit was used.
 *
 * @param limit of one bucket
 * @param fullest the most permits that certainly started within one window
 * @param permits all of them, without those that were given back
 * @param buckets 1, or as many as there were addresses where each has its own
 */
public record Share(String target, int limit, long windowMicros, int fullest, int permits, int buckets) {

    /** One for each limit on starts, by target. */
    public static List<Share> of(History history, Promises promises) {
        List<Share> shares = new ArrayList<>();
        new TreeMap<>(promises.limits()).forEach((target, limit) -> {
            if (limit instanceof Starts starts) {
                shares.add(of(history, target, starts));
            }
        });
        return shares;
    }

    private static Share of(History history, String target, Starts limit) {
        Map<String, List<Permit>> buckets = new TreeMap<>();
        history.all(Permit.class)
                .filter(permit -> permit.ask().target().equals(target) && !history.uncharged(permit))
                .forEach(permit -> buckets.computeIfAbsent(
                                limit.perAddress() ? permit.address() : "", bucket -> new ArrayList<>())
                        .add(permit));
        int fullest = buckets.values().stream()
                .mapToInt(permits -> StartLimits.fullest(permits, limit.windowMicros()))
                .max()
                .orElse(0);
        int permits = buckets.values().stream().mapToInt(List::size).sum();
        return new Share(target, limit.most(), limit.windowMicros(), fullest, permits, buckets.size());
    }
}
