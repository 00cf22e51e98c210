package io.paceline;

import io.paceline.pace.Charge;
import io.paceline.pace.LimitSpec;
import io.paceline.store.Admission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The targets and tags that are guilty themselves, as far as this instance has seen. A target is asked at a minimum pace until
 * it is well again, enough to find out. Thread-safe.
 */
final class Incidents {
    /** The name under which refusals speak of it. */
    static final String RULE = "incident";

    /** One request a second: what anybody may ask anything. */
    private static final LimitSpec MINIMUM = new LimitSpec.Gcra(1_000_000, 1);

    /** Who asks so slow a target waits for his turn at most so long; its own rules may say less. */
    private static final long MAX_WAIT_MICROS = 10_000_000;

    private final Map<Long, Charge> guilty = new ConcurrentHashMap<>();

    /** @param id of a target or a tag */
    void seen(long id, boolean isGuilty) {
        if (isGuilty) {
            guilty.computeIfAbsent(
                    id, hash -> Charge.of(RULE, RULE + '|' + Long.toHexString(hash), MINIMUM, MAX_WAIT_MICROS, false));
        } else if (!guilty.isEmpty()) {
            guilty.remove(id);
        }
    }

    Set<Long> guilty() {
        return guilty.keySet();
    }

    /** The charges of a request to that target. */
    List<Charge> charges(long target, List<Charge> rules) {
        Charge minimum = guilty.isEmpty() ? null : guilty.get(target);
        if (minimum == null || rules.size() >= Admission.MAX_CHARGES) {
            return rules;
        }
        List<Charge> all = new ArrayList<>(rules);
        all.add(minimum);
        return all;
    }
}
