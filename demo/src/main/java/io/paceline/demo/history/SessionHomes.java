package io.paceline.demo.history;

import io.paceline.demo.history.Event.Permit;
import io.paceline.demo.history.Finding.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A session that lives is served from the address of before. While instances go on without the shared store it may be bound a
 * second time, never a third; afterwards it is at one of both again. A permit that was given back unused has bound nothing
 * (decision 0010), and is left out.
 */
final class SessionHomes implements Checker.Check {
    private final History history;
    private final Promises promises;

    SessionHomes(History history, Promises promises) {
        this.history = history;
        this.promises = promises;
    }

    @Override
    public void into(List<Finding> found) {
        Map<String, List<Permit>> bySession = new HashMap<>();
        history.all(Permit.class).forEach(permit -> {
            if (permit.ask().session() != null && !history.uncharged(permit)) {
                bySession
                        .computeIfAbsent(
                                permit.ask().pool() + "/" + permit.ask().session(), name -> new ArrayList<>())
                        .add(permit);
            }
        });
        bySession.forEach((name, permits) -> follow(found, name, permits));
    }

    private void follow(List<Finding> found, String name, List<Permit> permits) {
        Permit before = permits.get(0);
        Set<String> homes = new TreeSet<>(Set.of(before.address()));
        for (Permit next : permits.subList(1, permits.size())) {
            Promises.Pool pool = promises.pools().get(next.ask().pool());
            boolean lives = pool != null
                    && next.answeredMicros()
                            < before.calledMicros() + pool.sessionMicros() - Checker.CLOCK_SLACK_MICROS;
            if (!lives || next.migrated()) {
                homes.clear();
            } else if (!next.address().equals(before.address())) {
                // Decisions of the two may have been made in either order.
                boolean together = history.modes()
                        .allShared(Math.min(before.calledMicros(), next.calledMicros()), next.answeredMicros());
                boolean third = homes.size() > 1 && !homes.contains(next.address());
                String what = "session " + name + " at " + next.address() + " after " + String.join(", ", homes);
                found.add(new Finding(
                        Kind.SESSION, next.answeredMicros(), !together && !third, what, List.of(before, next)));
            } else if (homes.size() > 1 && history.modes().allShared(before.calledMicros(), next.answeredMicros())) {
                homes.clear(); // it has one home again
            }
            homes.add(next.address());
            before = next;
        }
    }
}
