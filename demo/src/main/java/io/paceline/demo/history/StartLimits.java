package io.paceline.demo.history;

import io.paceline.demo.history.Event.Permit;
import io.paceline.demo.history.Finding.Kind;
import io.paceline.demo.history.Promises.Starts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Permits that certainly started within one window: no more than the limit, or twice that where the window touches a change
 * between together and alone. What was given back unused is charged to nobody.
 */
final class StartLimits implements Checker.Check {
    private final History history;
    private final Promises promises;

    StartLimits(History history, Promises promises) {
        this.history = history;
        this.promises = promises;
    }

    @Override
    public void into(List<Finding> found) {
        Map<String, List<Permit>> byBucket = new HashMap<>();
        history.all(Permit.class).forEach(permit -> {
            if (promises.limits().get(permit.ask().target()) instanceof Starts limit && !history.uncharged(permit)) {
                String bucket = permit.ask().target() + (limit.perAddress() ? " by " + permit.address() : "");
                byBucket.computeIfAbsent(bucket, name -> new ArrayList<>()).add(permit);
            }
        });
        byBucket.forEach((bucket, permits) -> {
            if (promises.limits().get(permits.get(0).ask().target()) instanceof Starts limit) {
                sweep(permits, limit.windowMicros(), within -> {
                    if (within.size() > limit.most()) {
                        tooMany(found, bucket, limit, within);
                    }
                });
            }
        });
    }

    private interface Window {
        void holds(PriorityQueue<Permit> within);
    }

    /** Every window that ends with an answer; permits come by the time of theirs. */
    private static void sweep(List<Permit> permits, long windowMicros, Window window) {
        PriorityQueue<Permit> within = new PriorityQueue<>(Comparator.comparingLong(Permit::calledMicros));
        for (Permit next : permits) {
            long from = next.answeredMicros() - windowMicros + Checker.CLOCK_SLACK_MICROS;
            within.add(next);
            while (!within.isEmpty() && within.element().calledMicros() <= from) {
                within.remove();
            }
            window.holds(within);
        }
    }

    private void tooMany(List<Finding> found, String bucket, Starts limit, PriorityQueue<Permit> within) {
        List<Event> permits = within.stream()
                .<Event>map(permit -> permit)
                .sorted(Comparator.comparingLong(Event::answeredMicros))
                .toList();
        long end = permits.get(permits.size() - 1).answeredMicros();
        boolean bounded =
                permits.size() <= 2 * limit.most() && !history.modes().steady(end - limit.windowMicros(), end);
        String what = permits.size() + " permits for " + bucket + " in " + limit.windowMicros() / 1_000 + " ms, limit "
                + limit.most();
        found.add(new Finding(Kind.LIMIT, end, bounded, what, permits));
    }

    /** The most permits that certainly started within one window: what a report shows beside the limit. */
    static int fullest(List<Permit> permits, long windowMicros) {
        AtomicInteger most = new AtomicInteger();
        sweep(permits, windowMicros, within -> most.accumulateAndGet(within.size(), Math::max));
        return most.get();
    }
}
