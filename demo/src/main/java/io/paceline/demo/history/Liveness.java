package io.paceline.demo.history;

import io.paceline.demo.history.Event.Ask;
import io.paceline.demo.history.Event.Permit;
import io.paceline.demo.history.Event.Refusal;
import io.paceline.demo.history.Finding.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where a pool has room for all, nobody is told for long that there is no address, or no store, while the shared store decides
 * for all.
 */
final class Liveness implements Checker.Check {
    private static final Set<String> NO_ROOM = Set.of("no_address", "store_unavailable");

    private final History history;
    private final Promises promises;

    Liveness(History history, Promises promises) {
        this.history = history;
        this.promises = promises;
    }

    @Override
    public void into(List<Finding> found) {
        Map<String, List<Refusal>> open = new HashMap<>();
        for (Event event : history.events()) {
            if (event instanceof Permit permit) {
                open.remove(place(permit.ask(), permit.instance()));
            } else if (event instanceof Refusal refusal && NO_ROOM.contains(refusal.reason()) && ample(refusal.ask())) {
                refused(found, open, refusal);
            }
        }
    }

    private static String place(Ask ask, String instance) {
        return ask.pool() + " at " + instance;
    }

    private boolean ample(Ask ask) {
        Promises.Pool pool = promises.pools().get(ask.pool());
        return pool != null && pool.ample() && ask.session() == null;
    }

    private void refused(List<Finding> found, Map<String, List<Refusal>> open, Refusal refusal) {
        String place = place(refusal.ask(), refusal.instance());
        List<Refusal> refusals = open.computeIfAbsent(place, name -> new ArrayList<>());
        if (!refusals.isEmpty()
                && !history.modes().allShared(refusals.get(0).calledMicros(), refusal.answeredMicros())) {
            refusals.clear();
        }
        refusals.add(refusal);
        Refusal first = refusals.get(0);
        if (refusal.calledMicros() - first.answeredMicros() > promises.patienceMicros()) {
            found.add(new Finding(
                    Kind.LIVENESS,
                    refusal.answeredMicros(),
                    false,
                    refusals.size() + " refusals and no permit of pool " + place + " in "
                            + (refusal.answeredMicros() - first.calledMicros()) / 1_000 + " ms",
                    List.copyOf(refusals)));
            open.remove(place);
        }
    }
}
