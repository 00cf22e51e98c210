package io.paceline.demo.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whether what callers were told can be true.
 *
 * <p>Nobody outside knows when a gatekeeper decided, only that it was between the call and its answer. So each check counts
 * what is certain: a lease is live from its answer until its release was begun, or until it ended as told; a permit started
 * within a window where both its call and its answer lie within. What is found is found for certain, and what a slow answer
 * hides is not found.
 *
 * <p>While instances go on without the shared store, the bounds of docs/distributed.md hold instead: limits may be used
 * twice in a window that touches a change between together and alone; a session may be bound a second time. Pure.
 */
public final class Checker {

    /** By so much the callers' clock and the store's may part within a few seconds. */
    static final long CLOCK_SLACK_MICROS = 2_000;

    /** By so much at most the views of instances are behind (docs/architecture.md). */
    static final long VIEW_AGE_MICROS = 2_500_000;

    private Checker() {}

    /** All that is found, by time. */
    public static List<Finding> check(History history, Promises promises) {
        List<Finding> found = new ArrayList<>();
        Stream.of(
                        new LeaseCaps(history, promises),
                        new StartLimits(history, promises),
                        new SessionHomes(history, promises),
                        new LeaseEnds(history),
                        new Bans(history),
                        new Liveness(history, promises))
                .forEach(check -> check.into(found));
        found.sort(Comparator.comparingLong(Finding::atMicros));
        return found;
    }

    /** One kind of promise, or two that are read off together. */
    interface Check {
        void into(List<Finding> found);
    }
}
